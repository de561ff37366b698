// SPDX-License-Identifier: Apache-2.0
// Reads a splice_info_section (ANSI/SCTE 35 §9.6) from its bytes. Senders in the field cut messages short, append bytes and
// state wrong lengths; what can be read is read, with a warning.
import { type BitReader, createBitReader } from '../mp4/bitReader.ts';
import { crc32 } from '../mpegts/packet.ts';
import { wrapMpegTime } from '../time/mpegClock.ts';
import { readDescriptors } from './readDescriptors.ts';
import type { SpliceCommand, SpliceInsert, SpliceRefusal, SpliceRefusalCode, SpliceSection } from './spliceSection.ts';

const TABLE_ID = 0xfc;
/** Up to and including splice_command_type. */
const HEADER = 14;
const CRC = 4;
/** splice_command_length of old senders: unknown (§9.6.1). */
const UNKNOWN_LENGTH = 0xfff;

export const refuseSplice = (code: SpliceRefusalCode, refused: string): SpliceRefusal => ({ code, refused });

/** @param received the section; bytes after it, and a pointer_field before it, are ignored */
export function readSection(received: Uint8Array): SpliceSection | SpliceRefusal {
  const all = received[0] === 0 && received[1] === TABLE_ID ? received.subarray(1) : received;
  const [tableId] = all;
  if (all.length < HEADER || tableId !== TABLE_ID) {
    const found = tableId === undefined ? 'nothing' : `${all.length} bytes that start with 0x${tableId.toString(16)}`;
    return refuseSplice('NO_SECTION', `a SCTE-35 section must start with table_id 0xfc; got ${found}`);
  }
  const warnings: string[] = [];
  const length = 3 + (word(all, 1) & 0x0fff);
  // The CRC is valid for the whole: section_length is wrong.
  if (length !== all.length && (length > all.length || crc32(all.subarray(0, length)) !== 0) && crc32(all) === 0) {
    warnings.push(`section_length is ${length - 3}; the section has ${all.length - 3} bytes`);
    return readBody(all, false, warnings);
  }
  const isCut = length > all.length;
  if (isCut) warnings.push(`the section is ${all.length} bytes long instead of ${length}; its CRC is not checked`);
  if (length < all.length) warnings.push(`${all.length - length} bytes after the section are ignored`);
  const bytes = all.subarray(0, length);
  const body = readBody(bytes, isCut, warnings);
  if (isCut || crc32(bytes) === 0) return body;
  const refusal = refuseSplice('CRC', 'the CRC of the SCTE-35 section is wrong');
  return 'refused' in body ? refusal : { ...refusal, unchecked: body };
}

/** @param warnings is added to */
function readBody(bytes: Uint8Array, isCut: boolean, warnings: string[]): SpliceSection | SpliceRefusal {
  const reader = createBitReader(bytes, 3);
  const version = reader.bits(8);
  if (version !== 0) return refuseSplice('PROTOCOL_VERSION', `protocol_version must be 0; got ${version}`);
  const isEncrypted = reader.bit() === 1;
  const algorithm = reader.bits(6);
  if (isEncrypted)
    return refuseSplice('ENCRYPTED', `the SCTE-35 section is encrypted (algorithm ${algorithm}) and cannot be read`);
  const ptsAdjustment = reader.bits(33);
  reader.bits(20); // cw_index and tier
  const commandLength = reader.bits(12);
  const type = reader.bits(8);

  // A section that is cut off may lack any number of its last bytes, so its CRC may be missing as well.
  const end = isCut ? bytes.length : bytes.length - CRC;
  const body = bytes.subarray(0, Math.max(end, HEADER));
  const commandEnd = commandLength === UNKNOWN_LENGTH ? undefined : HEADER + commandLength;
  const { command, read, isCutOff } = commandOf(body, type, ptsAdjustment, commandEnd, warnings);
  if (isCutOff) return refuseSplice('CUT_OFF', 'the SCTE-35 command is cut off');
  const isSized = sizedTypes.has(type);
  const stated = commandEnd ?? read;
  if (isSized && stated !== read)
    warnings.push(`splice_command_length is ${commandLength}; the command has ${read - HEADER} bytes`);
  const isLoop = (at: number): boolean => at + 2 <= body.length && at + 2 + word(body, at) <= body.length;
  const isLast = (at: number): boolean => isLoop(at) && at + 2 + word(body, at) === body.length;
  // Some senders state a wrong length. The one after which the descriptor loop is whole, and the last, is right.
  const at = isSized && (isLast(read) || !isLoop(stated)) ? read : stated;
  const found = readDescriptors(loopAt(body, at));
  return { command, segmentations: found.segmentations, warnings: [...warnings, ...found.warnings] };
}

/** @param stated the end of the command, if the section states it. @param warnings is added to */
function commandOf(
  body: Uint8Array,
  type: number,
  adjustment: number,
  stated: number | undefined,
  warnings: string[],
): { readonly command: SpliceCommand; readonly read: number; readonly isCutOff: boolean } {
  const reader = createBitReader(body, HEADER);
  const { command, hasComponents } = readCommand(type, reader, adjustment);
  const read = reader.byte();
  if (hasComponents && stated !== undefined && read !== stated) {
    const other = createBitReader(body, HEADER);
    const uncounted = readCommand(type, other, adjustment, true);
    if (other.byte() === stated && !other.isPastEnd()) {
      warnings.push('the splice_insert of components has no component_count');
      return { command: uncounted.command, read: stated, isCutOff: false };
    }
  }
  return { command, read, isCutOff: reader.isPastEnd() };
}

const word = (bytes: Uint8Array, at: number): number => createBitReader(bytes, at).bits(16);

/** The descriptor loop; empty if the section ends before it. */
const loopAt = (body: Uint8Array, at: number): Uint8Array =>
  at + 2 <= body.length ? body.subarray(at + 2, at + 2 + word(body, at)) : new Uint8Array();

// Splice commands (ANSI/SCTE 35 §9.7).

const SCHEDULE = 0x04;
const INSERT = 0x05;
const TIME_SIGNAL = 0x06;
const PRIVATE = 0xff;
/** Commands whose length follows from their fields: also splice_null and bandwidth_reservation, which have none. */
const sizedTypes: ReadonlySet<number> = new Set([0x00, SCHEDULE, INSERT, TIME_SIGNAL, 0x07]);

type CommandReading = { readonly command: SpliceCommand; readonly hasComponents?: boolean };

/**
 * @param adjustment pts_adjustment, which is added to each time (§9.6.1)
 * @param isUncounted a splice_insert of components without component_count and components, as some senders write it
 */
function readCommand(type: number, reader: BitReader, adjustment: number, isUncounted = false): CommandReading {
  if (type === INSERT) return readInsert(reader, adjustment, isUncounted);
  if (type === TIME_SIGNAL) return { command: { kind: 'timeSignal', ...readTime(reader, adjustment) } };
  if (type === SCHEDULE) skipSchedule(reader);
  if (type === PRIVATE) reader.bits(32);
  return { command: { kind: 'other' } };
}

/** splice_time() (§9.8.1), which states no time if time_specified_flag is 0. */
function readTime(reader: BitReader, adjustment: number): { readonly time?: number } {
  const isSpecified = reader.bit() === 1;
  reader.bits(isSpecified ? 6 : 7);
  return isSpecified ? { time: wrapMpegTime(reader.bits(33) + adjustment) } : {};
}

function readInsert(reader: BitReader, adjustment: number, isUncounted: boolean): CommandReading {
  const eventId = reader.bits(32);
  const isCancelled = reader.bit() === 1;
  reader.bits(7);
  if (isCancelled) return { command: { kind: 'insert', eventId, isCancelled, isOut: false } };
  const isOut = reader.bit() === 1;
  const hasComponents = reader.bit() === 0;
  const hasDuration = reader.bit() === 1;
  const isImmediate = reader.bit() === 1;
  reader.bits(4);
  let time: Pick<SpliceInsert, 'time'> = {};
  if (!hasComponents && !isImmediate) time = readTime(reader, adjustment);
  if (hasComponents && !isUncounted) {
    const count = reader.bits(8);
    for (let i = 0; i < count && !reader.isPastEnd(); i += 1) {
      reader.bits(8); // component_tag
      if (!isImmediate) time = { ...readTime(reader, adjustment), ...time };
    }
  }
  // break_duration() begins with auto_return (§9.8.2).
  if (hasDuration) reader.bits(7);
  const duration = hasDuration ? { duration: reader.bits(33) } : {};
  skipAvail(reader);
  return { command: { kind: 'insert', eventId, isCancelled, isOut, ...time, ...duration }, hasComponents };
}

/** unique_program_id, avail_num and avails_expected. */
const skipAvail = (reader: BitReader): number => reader.bits(32);

/** splice_schedule() (§9.7.2) announces splices on the clock of the sender. */
function skipSchedule(reader: BitReader): void {
  const count = reader.bits(8);
  for (let i = 0; i < count && !reader.isPastEnd(); i += 1) {
    reader.bits(32); // splice_event_id
    const isCancelled = reader.bit() === 1;
    reader.bits(7);
    if (isCancelled) continue;
    reader.bit(); // out_of_network_indicator
    const isWhole = reader.bit() === 1;
    const hasDuration = reader.bit() === 1;
    reader.bits(5);
    const times = isWhole ? 1 : reader.bits(8);
    for (let each = 0; each < times && !reader.isPastEnd(); each += 1) reader.bits(isWhole ? 32 : 40);
    if (hasDuration) reader.bits(40);
    skipAvail(reader);
  }
}

// Reads a SCTE-35 message as manifests write it: in base64, or in hexadecimal digits with or without 0x.

/** A section has at most 4,096 bytes. */
const MAX_CHARACTERS = 20_000;

export function readPayload(text: string): SpliceSection | SpliceRefusal {
  const bytes = bytesOf(text);
  if (bytes !== undefined) return readSection(decodedTwice(bytes) ?? bytes);
  const found = JSON.stringify(text.slice(0, 40));
  return refuseSplice('ENCODING', `a SCTE-35 message must be base64 or hexadecimal; got ${found}`);
}

/** Some senders encode the base64 text again; "/" is its first character, and no section starts with that byte. */
function decodedTwice(bytes: Uint8Array): Uint8Array | undefined {
  if (bytes[0] !== 0x2f || bytes.some((byte) => byte < 0x20 || byte > 0x7e)) return undefined;
  return bytesOf(String.fromCharCode(...bytes));
}

function bytesOf(text: string): Uint8Array | undefined {
  if (text.length > MAX_CHARACTERS) return undefined;
  const compact = text.replace(/\s+/g, '');
  const digits = /^(?:0[xX])?((?:[0-9a-fA-F]{2})+)$/.exec(compact)?.[1] ?? /^0[xX]([0-9a-fA-F]+)$/.exec(compact)?.[1];
  // Every section starts with 0xFC, so its base64 starts with "/", which no hexadecimal text contains.
  if (digits !== undefined) return Uint8Array.from(digits.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
  const written = compact.replace(/-/g, '+').replace(/_/g, '/').replace(/=+$/, '');
  // A text that is cut short may end with a single character, which holds no byte.
  const base64 = written.length % 4 === 1 ? written.slice(0, -1) : written;
  if (!/^[A-Za-z0-9+/]+$/.test(written)) return undefined;
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}
