// SPDX-License-Identifier: Apache-2.0
// Writes a splice_info_section (ANSI/SCTE 35 §9.6): a splice_insert or a time_signal, unencrypted, for all tiers. `readSection` reads
// what it writes.
import { hexOf } from '../mp4/readCodec.ts';
import { crc32 } from '../mpegts/packet.ts';
import type { Segmentation, SpliceInsert } from './spliceSection.ts';

/**
 * segmentation_upid() (§10.3.3.1, table 22) with a textual form; an EIDR, `10.5240/` and hexadecimal digits in groups, perhaps with a
 * check character; a UUID; and an MPU, whose format_identifier has four letters.
 */
type Upid =
  | { readonly type: 0x01 | 0x03 | 0x09 | 0x0a | 0x0e | 0x0f | 0x10; readonly text: string }
  | { readonly type: 0x0c; readonly format: string; readonly text: string };

export type SpliceMessage = {
  readonly command: SpliceInsert | { readonly kind: 'timeSignal'; readonly time?: number };
  readonly segmentations: readonly (Omit<Segmentation, 'upids'> & {
    readonly upids: readonly Upid[];
    /** Counted from 1 to `segmentsExpected`; 0 if segments are not counted. */
    readonly segmentNum: number;
  })[];
};

type Field = readonly [value: number, bits: number];

/** @param fields a whole number of bytes */
function packed(fields: readonly Field[]): number[] {
  const bytes: number[] = [];
  let count = 0;
  for (const [value, bits] of fields) {
    for (let bit = bits - 1; bit >= 0; bit -= 1) {
      if (count % 8 === 0) bytes.push(0);
      bytes[bytes.length - 1] = 2 * (bytes.at(-1) ?? 0) + (Math.floor(value / 2 ** bit) % 2);
      count += 1;
    }
  }
  return bytes;
}

const flag = (isSet: boolean): Field => [isSet ? 1 : 0, 1];
/** Bits that are reserved, and restrictions that do not apply, are 1. */
const ones = (bits: number): Field => [2 ** bits - 1, bits];

/** splice_time() (§9.8.1). */
const timeFields = (time: number | undefined): Field[] =>
  time === undefined ? [[0, 1], ones(7)] : [[1, 1], ones(6), [time, 33]];

/** splice_insert() (§9.7.3) of the whole programme; without a time, at once. A break with a length returns at its end by itself. */
function insertFields({ eventId, isCancelled, isOut, time, duration }: SpliceInsert): Field[] {
  const head: Field[] = [[eventId, 32], flag(isCancelled), ones(7)];
  if (isCancelled) return head;
  return [
    ...head,
    ...[flag(isOut), flag(true), flag(duration !== undefined), flag(time === undefined), ones(4)],
    ...(time === undefined ? [] : timeFields(time)),
    ...(duration === undefined ? [] : [flag(true), ones(6), [duration, 33] as const]),
    // unique_program_id, avail_num and avails_expected: not used.
    [0, 32],
  ];
}

function bytesOf(upid: Upid): number[] {
  if (upid.type === UUID) return hexBytes(upid.text.replaceAll('-', ''));
  if (upid.type === EIDR) {
    const [prefix = '', suffix = ''] = upid.text.slice('10.'.length).split('/');
    return [...packed([[Number(prefix), 16]]), ...hexBytes(suffix.replaceAll('-', '').slice(0, EIDR_DIGITS))];
  }
  return [...new TextEncoder().encode((upid.type === MPU ? upid.format : '') + upid.text)];
}

const hexBytes = (digits: string): number[] => (digits.match(/../g) ?? []).map((pair) => Number.parseInt(pair, 16));

/** "CUEI". */
const CUEI = 0x43554549;
const [SEGMENTATION, EIDR, MPU, MID, UUID] = [0x02, 0x0a, 0x0c, 0x0d, 0x10] as const;
const EIDR_DIGITS = 20;

/** A descriptor, or a UPID in a list: a tag, a length, and as many bytes. */
const item = (tag: number, content: readonly number[]): number[] => [tag, content.length, ...content];

/** segmentation_upid_type, segmentation_upid_length and segmentation_upid(); of several, a list. */
function upidsBytes([first, ...more]: readonly Upid[]): number[] {
  if (first === undefined) return [0, 0];
  if (more.length === 0) return item(first.type, bytesOf(first));
  return item(
    MID,
    [first, ...more].flatMap((upid) => item(upid.type, bytesOf(upid))),
  );
}

/** segmentation_descriptor() (§10.3.3) of the whole programme, without restrictions of its delivery. */
function segmentationBytes(segmentation: SpliceMessage['segmentations'][number]): number[] {
  const { eventId, isCancelled, typeId, duration, upids, segmentNum, segmentsExpected } = segmentation;
  const head: Field[] = [[CUEI, 32], [eventId, 32], flag(isCancelled), ones(7)];
  if (isCancelled) return item(SEGMENTATION, packed(head));
  const length: Field[] = duration === undefined ? [] : [[duration, 40]];
  return item(SEGMENTATION, [
    ...packed([...head, flag(true), flag(duration !== undefined), ones(6), ...length]),
    ...upidsBytes(upids),
    ...[typeId, segmentNum, segmentsExpected],
  ]);
}

const [INSERT, TIME_SIGNAL] = [0x05, 0x06];

export function writeSection({ command, segmentations }: SpliceMessage): Uint8Array {
  const isInsert = command.kind === 'insert';
  const body = packed(isInsert ? insertFields(command) : timeFields(command.time));
  const loop = segmentations.flatMap(segmentationBytes);
  const bytes = packed([
    // table_id, two indicators of 0, sap_type "not specified", and section_length: what follows, with the CRC.
    ...([[0xfc, 8], [0, 2], ones(2), [11 + body.length + 2 + loop.length + 4, 12]] as const),
    // protocol_version, encryption and pts_adjustment: 0; cw_index; and all tiers.
    ...([[0, 8 + 7 + 33], [0xff, 8], ones(12)] as const),
    ...([
      [body.length, 12],
      [isInsert ? INSERT : TIME_SIGNAL, 8],
    ] as const),
    ...[...body, ...packed([[loop.length, 16]]), ...loop].map((byte) => [byte, 8] as const),
  ]);
  return Uint8Array.from([...bytes, ...packed([[crc32(bytes), 32]])]);
}

/** As date ranges of HLS have it (RFC 8216 §4.3.2.7.1). */
export const hexText = (section: Uint8Array): string => `0x${hexOf(section).toUpperCase()}`;

/** As other tags and DASH events have it. */
export const base64Text = (section: Uint8Array): string => btoa(String.fromCharCode(...section));
