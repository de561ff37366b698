// SPDX-License-Identifier: Apache-2.0
// The headers of a track fragment (ISO/IEC 14496-12 §8.8.6), read from bytes that may be cut off, damaged or hostile.
import { type Box, findBox, findInside, readUint32, readUint64 } from './boxes.ts';

/** sample_is_non_sync_sample, in sample flags (§8.8.3.1). */
export const NON_SYNC = 0x10000;

/** Flags of a full box: the low 24 bits after its version. */
export const boxFlags = (bytes: Uint8Array, { body }: Box): number => readUint32(bytes, body) & 0xffffff;

/**
 * Reads the optional fields of a full box, which are present if their flag is set, in the order of the specification. Returns the
 * next field if its flag is set and it is not cut off.
 */
export function optionalFields(bytes: Uint8Array, flags: number, start: number, end: number) {
  let at = start;
  return (flag: number, width: 4 | 8 = 4): number | undefined => {
    if ((flags & flag) === 0 || at + width > end) return undefined;
    at += width;
    return width === 8 ? readUint64(bytes, at - 8) : readUint32(bytes, at - 4);
  };
}

/** `tfhd` (§8.8.7): the track, and the defaults of its samples. */
export function readTrackHeader(bytes: Uint8Array, traf: Box) {
  const tfhd = findInside(bytes, traf, ['tfhd'], 8);
  if (tfhd === undefined) return undefined;
  const take = optionalFields(bytes, boxFlags(bytes, tfhd), tfhd.body + 8, tfhd.end);
  const baseDataOffset = take(0x1, 8);
  take(0x2); // sample_description_index
  return {
    trackId: readUint32(bytes, tfhd.body + 4),
    baseDataOffset,
    duration: take(0x8),
    size: take(0x10),
    flags: take(0x20),
  };
}

/** `tfdt` (§8.8.12): the decode time of the first sample, in ticks of the track. */
export function readDecodeTime(bytes: Uint8Array, traf: Box): number | undefined {
  const tfdt = findInside(bytes, traf, ['tfdt'], 8);
  if (tfdt === undefined) return undefined;
  if (bytes[tfdt.body] !== 1) return readUint32(bytes, tfdt.body + 4);
  return tfdt.end - tfdt.body < 12 ? undefined : readUint64(bytes, tfdt.body + 4);
}

/**
 * Whether a segment begins with a sample that can be decoded without any before it (ISO/IEC 14496-12 §8.8.3.1).
 * @param init its `trex` applies where the fragment states nothing
 * @param segment its first `moof` is read
 */
export function startsWithSync(init: Uint8Array, segment: Uint8Array): boolean {
  const moof = findBox(segment, ['moof']);
  const traf = moof && moof.end <= segment.length ? findInside(segment, moof, ['traf']) : undefined;
  const header = traf && readTrackHeader(segment, traf);
  const trun = traf && findInside(segment, traf, ['trun'], 8);
  if (header === undefined || trun === undefined) return false;
  const flags = runFlags(segment, trun) ?? header.flags ?? trexFlags(init) ?? NON_SYNC;
  return (flags & NON_SYNC) === 0;
}

/** first_sample_flags, otherwise the flags of the first sample (§8.8.8). */
function runFlags(bytes: Uint8Array, trun: Box): number | undefined {
  const flags = boxFlags(bytes, trun);
  const first = trun.body + 8 + (flags & 0x1 ? 4 : 0);
  const own = first + (flags & 0x100 ? 4 : 0) + (flags & 0x200 ? 4 : 0);
  const at = flags & 0x4 ? first : flags & 0x400 ? own : trun.end;
  return at + 4 <= trun.end ? readUint32(bytes, at) : undefined;
}

/** default_sample_flags (§8.8.3). */
function trexFlags(init: Uint8Array): number | undefined {
  const trex = findBox(init, ['moov', 'mvex', 'trex']);
  return trex !== undefined && trex.body + 24 <= Math.min(trex.end, init.length)
    ? readUint32(init, trex.body + 20)
    : undefined;
}
