// When the samples of anybody's movie fragments are presented (ISO/IEC 14496-12 §8.8). It counts time and nothing else, and
// takes bytes as they come: cut off, damaged, or hostile.
import type { Box } from './boxes.ts';
import { findBox, readBoxes, readUint32, readUint64 } from './boxes.ts';

/** One track in one `moof`; times in ticks of the track, before any edit list. */
export type FragmentTimes = {
  readonly trackId: number;
  /** When the first sample is decoded (`tfdt`). */
  readonly decodeTime: number;
  /** The smallest presentation time of a sample. */
  readonly earliest: number;
  /** The sum of the durations of the samples. */
  readonly duration: number;
  /** How many samples last how long. */
  readonly durations: ReadonlyMap<number, number>;
};

export type FragmentReading = {
  /** Of every `moof` that is whole within the bytes, in order. */
  readonly fragments: readonly FragmentTimes[];
  /** How many bytes from the start show the first `moof` that is cut off; absent when none is. */
  readonly wants?: number;
};

/** @param defaultDurations by track id, from `trex` (mp4/readInit.ts) */
export function readFragmentTimes(
  bytes: Uint8Array,
  defaultDurations: ReadonlyMap<number, number> = new Map(),
): FragmentReading {
  const fragments: FragmentTimes[] = [];
  for (const moof of readBoxes(bytes)) {
    if (moof.type !== 'moof') continue;
    if (moof.end > bytes.length) return { fragments, wants: moof.end };
    for (const traf of readBoxes(bytes, moof.body, moof.end)) {
      if (traf.type !== 'traf' || traf.end > moof.end) continue;
      const times = readTrackFragment(bytes, traf, defaultDurations);
      if (times !== undefined) fragments.push(times);
    }
  }
  return { fragments };
}

/** Undefined when it holds no sample, or does not say when they are decoded. */
function readTrackFragment(
  bytes: Uint8Array,
  traf: Box,
  defaultDurations: ReadonlyMap<number, number>,
): FragmentTimes | undefined {
  const inside = (type: string, least: number): Box | undefined => {
    const box = findBox(bytes, [type], traf.body, traf.end);
    return box !== undefined && box.end <= traf.end && box.end - box.body >= least ? box : undefined;
  };
  const tfhd = inside('tfhd', 8);
  const tfdt = inside('tfdt', 8);
  if (tfhd === undefined || tfdt === undefined) return undefined;
  const isWide = bytes[tfdt.body] === 1;
  if (isWide && tfdt.end - tfdt.body < 12) return undefined;
  const decodeTime = isWide ? readUint64(bytes, tfdt.body + 4) : readUint32(bytes, tfdt.body + 4);
  const trackId = readUint32(bytes, tfhd.body + 4);
  const clock = { now: decodeTime, earliest: Number.POSITIVE_INFINITY, durations: new Map<number, number>() };
  const defaultDuration = tfhdDuration(bytes, tfhd) ?? defaultDurations.get(trackId) ?? 0;
  for (const trun of readBoxes(bytes, traf.body, traf.end)) {
    if (trun.type === 'trun' && trun.end <= traf.end) readRun(bytes, trun, defaultDuration, clock);
  }
  const duration = clock.now - decodeTime;
  if (!Number.isSafeInteger(clock.now) || !Number.isSafeInteger(clock.earliest)) return undefined;
  return { trackId, decodeTime, earliest: clock.earliest, duration, durations: clock.durations };
}

/** default_sample_duration of `tfhd` (§8.8.7). */
function tfhdDuration(bytes: Uint8Array, tfhd: Box): number | undefined {
  const flags = readUint32(bytes, tfhd.body) % 2 ** 24;
  if ((flags & 0x8) === 0) return undefined;
  const at = tfhd.body + 8 + (flags & 0x1 ? 8 : 0) + (flags & 0x2 ? 4 : 0);
  return at + 4 <= tfhd.end ? readUint32(bytes, at) : undefined;
}

type Clock = { now: number; earliest: number; durations: Map<number, number> };

/** The samples of one `trun` (§8.8.8). A count that the box has no room for counts as far as the room goes. */
function readRun(bytes: Uint8Array, trun: Box, defaultDuration: number, clock: Clock): void {
  if (trun.body + 8 > trun.end) return;
  const flags = readUint32(bytes, trun.body) % 2 ** 24;
  const told = readUint32(bytes, trun.body + 4);
  const first = trun.body + 8 + (flags & 0x1 ? 4 : 0) + (flags & 0x4 ? 4 : 0);
  const fields = [0x100, 0x200, 0x400, 0x800].filter((flag) => flags & flag).length;
  const add = (duration: number, count: number): void => {
    clock.durations.set(duration, (clock.durations.get(duration) ?? 0) + count);
    clock.now += duration * count;
  };
  if ((flags & 0x900) === 0) {
    if (told > 0) clock.earliest = Math.min(clock.earliest, clock.now);
    const room = fields === 0 ? told : Math.floor((trun.end - first) / (4 * fields));
    add(defaultDuration, Math.min(told, Math.max(0, room)));
    return;
  }
  for (let i = 0, at = first; i < told && at + 4 * fields <= trun.end; i += 1, at += 4 * fields) {
    const offsetAt = at + 4 * (fields - 1); // the last of the fields
    // Version 0 tells unsigned offsets, but none is ever over half the range: negative ones are written there as well.
    const offset = flags & 0x800 ? readUint32(bytes, offsetAt) | 0 : 0;
    clock.earliest = Math.min(clock.earliest, clock.now + offset);
    add(flags & 0x100 ? readUint32(bytes, at) : defaultDuration, 1);
  }
}
