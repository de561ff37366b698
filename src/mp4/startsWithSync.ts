// Whether a segment begins with a sample that is decoded without any before it (ISO/IEC 14496-12 §8.8.3.1).
import { findBox, readBoxes, readUint32 } from './boxes.ts';

const NON_SYNC = 0x10000; // sample_is_non_sync_sample

/**
 * @param init what `trex` says counts where the fragment says nothing
 * @param segment its first `moof` is looked at
 */
export function startsWithSync(init: Uint8Array, segment: Uint8Array): boolean {
  const moof = findBox(segment, ['moof']);
  const traf = moof && moof.end <= segment.length ? findBox(segment, ['traf'], moof.body, moof.end) : undefined;
  if (traf === undefined) return false;
  const boxes = readBoxes(segment, traf.body, traf.end).filter(({ end }) => end <= traf.end);
  const [tfhd, trun] = ['tfhd', 'trun'].map((wanted) => boxes.find(({ type }) => type === wanted));
  if (tfhd === undefined || trun === undefined) return false;
  const flags =
    runFlags(segment, trun.body, trun.end) ?? headerFlags(segment, tfhd.body, tfhd.end) ?? trexFlags(init) ?? NON_SYNC;
  return (flags & NON_SYNC) === 0;
}

/** first_sample_flags, else the first sample's own (§8.8.8). */
function runFlags(bytes: Uint8Array, body: number, end: number): number | undefined {
  const flags = readUint32(bytes, body);
  const first = body + 8 + (flags & 0x1 ? 4 : 0);
  const own = first + (flags & 0x100 ? 4 : 0) + (flags & 0x200 ? 4 : 0);
  const at = flags & 0x4 ? first : flags & 0x400 ? own : end;
  return at + 4 <= end ? readUint32(bytes, at) : undefined;
}

/** default_sample_flags (§8.8.7). */
function headerFlags(bytes: Uint8Array, body: number, end: number): number | undefined {
  const flags = readUint32(bytes, body);
  if ((flags & 0x20) === 0) return undefined;
  const before = [0x2, 0x8, 0x10].filter((flag) => flags & flag).length * 4 + (flags & 0x1 ? 8 : 0);
  return body + 8 + before + 4 <= end ? readUint32(bytes, body + 8 + before) : undefined;
}

/** default_sample_flags (§8.8.3). */
function trexFlags(init: Uint8Array): number | undefined {
  const trex = findBox(init, ['moov', 'mvex', 'trex']);
  return trex !== undefined && trex.body + 24 <= Math.min(trex.end, init.length)
    ? readUint32(init, trex.body + 20)
    : undefined;
}
