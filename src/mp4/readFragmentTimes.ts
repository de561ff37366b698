// SPDX-License-Identifier: Apache-2.0
// The presentation times of movie fragments from any packager (ISO/IEC 14496-12 §8.8). The bytes may be cut off, damaged
// or hostile. Samples are counted, not listed, so that a hostile sample count costs neither time nor memory.
import { type Box, readBoxes, readUint32 } from './boxes.ts';
import { boxFlags, readDecodeTime, readTrackHeader } from './trackFragment.ts';

/** One track in one `moof`. Times in ticks of the track, before any edit list. */
export type FragmentTimes = {
  readonly trackId: number;
  /** The decode time of the first sample (`tfdt`). */
  readonly decodeTime: number;
  /** The smallest presentation time of a sample. */
  readonly earliest: number;
  readonly duration: number;
  readonly durations: ReadonlyMap<number, number>;
};

/**
 * @param defaultDurations by track id, from `trex` (mp4/readInit.ts)
 * @returns the times of each track in every `moof` that is complete within the bytes, in order. `bytesNeeded`: how many bytes
 * from the start are needed to read the first `moof` that is cut off; absent if none is
 */
export function readFragmentTimes(
  bytes: Uint8Array,
  defaultDurations: ReadonlyMap<number, number> = new Map(),
): { readonly fragments: readonly FragmentTimes[]; readonly bytesNeeded?: number } {
  const fragments: FragmentTimes[] = [];
  for (const moof of readBoxes(bytes)) {
    if (moof.type !== 'moof') continue;
    if (moof.end > bytes.length) return { fragments, bytesNeeded: moof.end };
    for (const traf of readBoxes(bytes, moof.body, moof.end)) {
      if (traf.type !== 'traf' || traf.end > moof.end) continue;
      const times = readTimes(bytes, traf, defaultDurations);
      if (times !== undefined) fragments.push(times);
    }
  }
  return { fragments };
}

/** @returns undefined if it has no sample or no decode time */
function readTimes(
  bytes: Uint8Array,
  traf: Box,
  defaultDurations: ReadonlyMap<number, number>,
): FragmentTimes | undefined {
  const header = readTrackHeader(bytes, traf);
  const decodeTime = readDecodeTime(bytes, traf);
  if (header === undefined || decodeTime === undefined) return undefined;
  const { trackId } = header;
  const clock = { now: decodeTime, earliest: Number.POSITIVE_INFINITY, durations: new Map<number, number>() };
  const defaultDuration = header.duration ?? defaultDurations.get(trackId) ?? 0;
  for (const trun of readBoxes(bytes, traf.body, traf.end)) {
    if (trun.type === 'trun' && trun.end <= traf.end) readRun(bytes, trun, defaultDuration, clock);
  }
  const duration = clock.now - decodeTime;
  if (!Number.isSafeInteger(clock.now) || !Number.isSafeInteger(clock.earliest)) return undefined;
  return { trackId, decodeTime, earliest: clock.earliest, duration, durations: clock.durations };
}

type Clock = { now: number; earliest: number; durations: Map<number, number> };

/** The samples of one `trun` (§8.8.8). If its count exceeds its size, the samples within its size count. */
function readRun(bytes: Uint8Array, trun: Box, defaultDuration: number, clock: Clock): void {
  if (trun.body + 8 > trun.end) return;
  const flags = boxFlags(bytes, trun);
  const declared = readUint32(bytes, trun.body + 4);
  const first = trun.body + 8 + (flags & 0x1 ? 4 : 0) + (flags & 0x4 ? 4 : 0);
  const fields = [0x100, 0x200, 0x400, 0x800].filter((flag) => flags & flag).length;
  const add = (duration: number, count: number): void => {
    clock.durations.set(duration, (clock.durations.get(duration) ?? 0) + count);
    clock.now += duration * count;
  };
  if ((flags & 0x900) === 0) {
    if (declared > 0) clock.earliest = Math.min(clock.earliest, clock.now);
    const present = fields === 0 ? declared : Math.floor((trun.end - first) / (4 * fields));
    add(defaultDuration, Math.min(declared, Math.max(0, present)));
    return;
  }
  for (let i = 0, at = first; i < declared && at + 4 * fields <= trun.end; i += 1, at += 4 * fields) {
    const offsetAt = at + 4 * (fields - 1); // the last of the fields
    // Offsets are unsigned in version 0, but some packagers write negative ones there. None exceeds half the range.
    const offset = flags & 0x800 ? readUint32(bytes, offsetAt) | 0 : 0;
    clock.earliest = Math.min(clock.earliest, clock.now + offset);
    add(flags & 0x100 ? readUint32(bytes, at) : defaultDuration, 1);
  }
}
