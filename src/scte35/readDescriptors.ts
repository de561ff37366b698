// SPDX-License-Identifier: Apache-2.0
// Reads the segmentation descriptors of a message (ANSI/SCTE 35 §10). Other descriptors state nothing about breaks.
import { createBitReader } from '../mp4/bitReader.ts';
import { hexOf } from '../mp4/readCodec.ts';
import type { Segmentation, SpliceSection } from './spliceSection.ts';

const SEGMENTATION = 0x02;
/** "CUEI": a descriptor with another identifier belongs to someone else (§10.2). */
const CUEI = 0x43554549;

/** @param bytes of the loop, without its length */
export function readDescriptors(bytes: Uint8Array): Pick<SpliceSection, 'segmentations' | 'warnings'> {
  const segmentations: Segmentation[] = [];
  const warnings: string[] = [];
  for (const { tag, length, content } of items(bytes)) {
    if (content.length < length) warnings.push('a descriptor is cut off');
    if (content.length < 4 || tag !== SEGMENTATION || createBitReader(content).bits(32) !== CUEI) continue;
    const segmentation = readSegmentation(content);
    if (segmentation === undefined) warnings.push('a segmentation descriptor is too short; it is ignored');
    else segmentations.push(segmentation);
  }
  return { segmentations, warnings };
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
  const head = createBitReader(bytes, 4);
  const eventId = head.bits(32);
  const isCancelled = head.bit() === 1;
  head.bits(7);
  if (isCancelled && !head.isPastEnd()) return { eventId, isCancelled, typeId: 0, upids: [], segmentsExpected: 0 };
  const isWhole = head.bit() === 1;
  const hasDuration = head.bit() === 1;
  head.bits(6); // delivery restrictions
  // Everything after the header of 10 bytes is a whole number of bytes; a component has 6.
  const reader = createBitReader(bytes, isWhole ? 10 : 11 + 6 * head.bits(8));
  const duration = hasDuration ? reader.bits(40) : undefined;
  const [upidType, upidLength] = [reader.bits(8), reader.bits(8)];
  const at = reader.byte();
  const rest = createBitReader(bytes, at + upidLength);
  const typeId = rest.bits(8);
  if (rest.isPastEnd()) return undefined;
  rest.bits(8); // segment_num
  return {
    eventId,
    isCancelled,
    typeId,
    ...(duration === undefined ? {} : { duration }),
    upids: readUpids(upidType, bytes.subarray(at, at + upidLength)),
    segmentsExpected: rest.bits(8),
  };
}

// segmentation_upid() (ANSI/SCTE 35 §10.3.3.1, table 22).

/** User defined, ISCI, Ad-ID, TID, ADI, ADS information, URI and SCR: characters. */
const textual = new Set([0x01, 0x02, 0x03, 0x07, 0x09, 0x0e, 0x0f, 0x11]);
const EIDR = 0x0a;
const MPU = 0x0c;
const MID = 0x0d;
const UUID = 0x10;

/** @returns several for MID, which is a list of UPIDs; none when the length is 0 */
export function readUpids(type: number, bytes: Uint8Array): string[] {
  if (bytes.length === 0) return [];
  if (type === MID)
    return [...items(bytes)].flatMap(({ tag, content }) => (tag === MID ? [] : readUpids(tag, content)));
  // The identifier of its format precedes an MPU.
  if (type === MPU && bytes.length >= 4)
    return [isPrintable(bytes.subarray(4)) ? shown(bytes.subarray(4)) : hexOf(bytes.subarray(4))];
  return [textOf(type, bytes)];
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

const isPrintable = (bytes: Uint8Array): boolean => bytes.every((byte) => byte >= 0x20 && byte < 0x7f);
/** Controls, also those of the direction of writing, and bytes that are no text would change what is printed around them. */
const unshown = /[\p{Cc}\u200e\u200f\u2028-\u202e\u2066-\u2069\ufffd]/u;

/** The text without padding, with which some senders fill fixed lengths; hexadecimal digits if it cannot be shown. */
export function shown(bytes: Uint8Array): string {
  const used = bytes.subarray(0, bytes.findLastIndex((byte) => byte > 0x20) + 1);
  const text = new TextDecoder().decode(used);
  return unshown.test(text) ? hexOf(used) : text;
}
