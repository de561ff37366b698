// SPDX-License-Identifier: Apache-2.0
import { type Box, findBox, findInside, readUint32 } from './boxes.ts';
import { boxFlags, NON_SYNC, readTrackHeader } from './trackFragment.ts';

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
