// SPDX-License-Identifier: Apache-2.0
// Reads the descriptor loop of a message (ANSI/SCTE 35 §10).
import { createBitReader } from '../mp4/bitReader.ts';
import type { AudioChannel, OtherDescriptor, Segmentation, Upid } from './spliceSection.ts';

const AVAIL = 0x00;
const SEGMENTATION = 0x02;

export type Descriptors = {
  readonly segmentations: readonly Segmentation[];
  readonly availIds: readonly number[];
  readonly others: readonly OtherDescriptor[];
  readonly warnings: readonly string[];
};

/** @param bytes of the loop, without its length */
export function readDescriptors(bytes: Uint8Array): Descriptors {
  const segmentations: Segmentation[] = [];
  const availIds: number[] = [];
  const others: OtherDescriptor[] = [];
  const warnings: string[] = [];
  for (const { tag, length, content } of items(bytes)) {
    if (content.length < length) warnings.push('a descriptor is cut off');
    if (content.length < 4) continue;
    const reader = createBitReader(content);
    const isOurs = reader.bits(32) === CUEI;
    if (isOurs && tag === AVAIL && content.length >= 8) availIds.push(reader.bits(32));
    else if (!isOurs || tag !== SEGMENTATION) others.push(readOtherDescriptor(tag, content));
    if (!isOurs || tag !== SEGMENTATION) continue;
    const segmentation = readSegmentation(content);
    if (segmentation === undefined) warnings.push('a segmentation descriptor is too short; it is ignored');
    else segmentations.push(segmentation);
  }
  return { segmentations, availIds, others, warnings };
}

/** A list of items: a tag, a length, and as many bytes as are there. */
function* items(bytes: Uint8Array): Generator<{ tag: number; length: number; content: Uint8Array }> {
  for (let at = 0; at + 2 <= bytes.length; ) {
    const reader = createBitReader(bytes, at);
    const [tag, length] = [reader.bits(8), reader.bits(8)];
    const end = at + 2 + length;
    yield { tag, length, content: bytes.subarray(at + 2, end) };
    at = end;
  }
}

/** @returns undefined if it ends before segmentation_type_id */
function readSegmentation(bytes: Uint8Array): Segmentation | undefined {
  const reader = createBitReader(bytes, 4);
  const eventId = reader.bits(32);
  const isCancelled = reader.bit() === 1;
  const isIdFree = reader.bit() === 1;
  reader.bits(6);
  if (isCancelled && !reader.isPastEnd())
    return { eventId, isIdFree, isCancelled, typeId: 0, upids: [], segmentNum: 0, segmentsExpected: 0 };
  const isWhole = reader.bit() === 1;
  const hasDuration = reader.bit() === 1;
  const isRestricted = reader.bit() === 0;
  const restrictions = {
    isWebAllowed: reader.bit() === 1,
    hasNoBlackout: reader.bit() === 1,
    isArchiveAllowed: reader.bit() === 1,
    devices: reader.bits(2),
  };
  // The header is 10 bytes long; everything after it is a whole number of bytes.
  let at = 10;
  const components: { tag: number; ptsOffset: number }[] = [];
  if (!isWhole) {
    const count = reader.bits(8);
    at += 1 + 6 * count;
    for (let i = 0; i < count && !reader.isPastEnd(); i += 1) {
      const tag = reader.bits(8);
      reader.bits(7);
      components.push({ tag, ptsOffset: reader.bits(33) });
    }
  }
  const duration = hasDuration ? reader.bits(40) : undefined;
  if (hasDuration) at += 5;
  const upidType = reader.bits(8);
  const upidLength = reader.bits(8);
  at += 2;
  const upids = readUpids(upidType, bytes.subarray(at, at + upidLength));
  const rest = createBitReader(bytes, at + upidLength);
  const typeId = rest.bits(8);
  if (reader.isPastEnd() || rest.isPastEnd()) return undefined;
  const [segmentNum, segmentsExpected] = [rest.bits(8), rest.bits(8)];
  // Any type may carry sub-segments; the length of the descriptor decides.
  const hasSubSegments = bytes.length >= at + upidLength + 5;
  return {
    eventId,
    isIdFree,
    isCancelled,
    typeId,
    ...(duration === undefined ? {} : { duration }),
    upids,
    segmentNum,
    segmentsExpected,
    ...(hasSubSegments ? { subSegmentNum: rest.bits(8), subSegmentsExpected: rest.bits(8) } : {}),
    ...(isRestricted ? { restrictions } : {}),
    ...(isWhole ? {} : { components }),
  };
}

// Reads the descriptors that state nothing about breaks: DTMF, time and audio (ANSI/SCTE 35 §10.3), and those of others.

/** "CUEI": a descriptor with another identifier belongs to someone else (§10.2). */
const CUEI = 0x43554549;
const DTMF = 0x01;
const TIME = 0x03;
const AUDIO = 0x04;

/** @param content after descriptor_length */
function readOtherDescriptor(tag: number, content: Uint8Array): OtherDescriptor {
  const reader = createBitReader(content);
  const identifier = reader.bits(32);
  const known = identifier === CUEI ? readKnown(tag, content) : undefined;
  return known ?? { kind: 'other', tag, identifier, bytes: hexOf(content.subarray(4)) };
}

/** @returns undefined for other tags, and for what is too short */
function readKnown(tag: number, content: Uint8Array): OtherDescriptor | undefined {
  const reader = createBitReader(content, 4);
  if (tag === DTMF) {
    const preroll = reader.bits(8);
    const count = reader.bits(3);
    const characters = String.fromCharCode(...content.subarray(6, 6 + count));
    return characters.length < count || content.length < 6 ? undefined : { kind: 'dtmf', preroll, characters };
  }
  if (tag === TIME) {
    const [taiSeconds, taiNanoseconds, utcOffset] = [reader.bits(48), reader.bits(32), reader.bits(16)];
    return reader.isPastEnd() ? undefined : { kind: 'time', taiSeconds, taiNanoseconds, utcOffset };
  }
  if (tag !== AUDIO) return undefined;
  const count = reader.bits(4);
  reader.bits(4);
  const channels = Array.from({ length: count }, (): AudioChannel => {
    const tag = reader.bits(8);
    const language = String.fromCharCode(reader.bits(8), reader.bits(8), reader.bits(8));
    const [bitStreamMode, channels] = [reader.bits(3), reader.bits(4)];
    return { tag, language, bitStreamMode, channels, isFullService: reader.bit() === 1 };
  });
  return reader.isPastEnd() ? undefined : { kind: 'audio', channels };
}

// Reads segmentation_upid() (ANSI/SCTE 35 §10.3.3.1, table 22).

/** User defined, ISCI, Ad-ID, TID, ADI, ADS information, URI and SCR: characters. */
const textual = new Set([0x01, 0x02, 0x03, 0x07, 0x09, 0x0e, 0x0f, 0x11]);
const EIDR = 0x0a;
const MPU = 0x0c;
const MID = 0x0d;
const UUID = 0x10;

/** @returns several for MID, which is a list of UPIDs; none when the length is 0 */
export function readUpids(type: number, bytes: Uint8Array): Upid[] {
  if (bytes.length === 0) return [];
  if (type === MID) return readList(bytes);
  if (type === MPU && bytes.length >= 4) {
    const rest = bytes.subarray(4);
    return [{ type, format: characters(bytes.subarray(0, 4)), text: isPrintable(rest) ? shown(rest) : hexOf(rest) }];
  }
  return [{ type, text: textOf(type, bytes) }];
}

function readList(bytes: Uint8Array): Upid[] {
  const upids: Upid[] = [];
  for (const { tag: type, content } of items(bytes)) if (type !== MID) upids.push(...readUpids(type, content));
  return upids;
}

function textOf(type: number, bytes: Uint8Array): string {
  if (textual.has(type)) return shown(bytes);
  const digits = hexOf(bytes);
  if (type === EIDR && bytes.length === 12) {
    const groups = digits.slice(4).toUpperCase().match(/.{4}/g) ?? [];
    return `10.${Number.parseInt(digits.slice(0, 4), 16)}/${groups.join('-')}`;
  }
  if (type === UUID && bytes.length === 16) return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
  return digits;
}

export const hexOf = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
const characters = (bytes: Uint8Array): string => (isPrintable(bytes) ? String.fromCharCode(...bytes) : hexOf(bytes));
const isPrintable = (bytes: Uint8Array): boolean => bytes.every((byte) => byte >= 0x20 && byte < 0x7f);
/** Controls, also those of the direction of writing, and bytes that are no text would change what is printed around them. */
const unshown = /[\p{Cc}\u200e\u200f\u2028-\u202e\u2066-\u2069\ufffd]/u;

/** The text without padding, with which some senders fill fixed lengths; hexadecimal digits if it cannot be shown. */
export function shown(bytes: Uint8Array): string {
  const used = bytes.subarray(0, bytes.findLastIndex((byte) => byte > 0x20) + 1);
  const text = new TextDecoder().decode(used);
  return unshown.test(text) ? hexOf(used) : text;
}
