// SPDX-License-Identifier: Apache-2.0
// Which segments of a live origin are measured: the newest that all renditions have.
import type { OriginSegment } from '../../../live/origin.ts';
import type { Sliced } from '../../../time/sliced.ts';
import { FLICKS_PER_MILLI } from '../../../time/units.ts';
import { type PlacedSegment, startsPart } from '../../import/hlsParts.ts';

/** The segments of a playlist that have a duration. */
export type SampleList = {
  readonly timed: readonly OriginSegment[];
  /** The same segments. */
  readonly placed: readonly PlacedSegment[];
};

/** Segments `from` to `to` (exclusive) of a list. */
export type SegmentRun = { readonly from: number; readonly to: number };

/** When each segment of a playlist starts, and the last one ends: milliseconds on the clock of the first playlist. */
export type WindowTimes = readonly number[];

const SAMPLES = [3, 2, 1];
/** Segments after which a sample is looked for: the newest. */
const MAX_TRIED = 600;
/** Each is compared with the segments of all playlists. */
const TRIED_IN_SLICE = 8;

const lengthOf = ({ duration }: OriginSegment): number => duration / FLICKS_PER_MILLI;

function datedTimes({ timed }: SampleList): WindowTimes | undefined {
  const times: number[] = [];
  for (const { startsAt } of timed) {
    if (startsAt === undefined) return undefined;
    times.push(startsAt.millis + startsAt.rest / FLICKS_PER_MILLI);
  }
  const last = timed.at(-1);
  return last === undefined ? undefined : [...times, times.at(-1)! + lengthOf(last)];
}

/** Times from durations alone, with segment `index` at `at`. */
function countedTimes({ timed }: SampleList, index = 0, at = 0): WindowTimes {
  const times = [0];
  for (const segment of timed) times.push(times.at(-1)! + lengthOf(segment));
  const shift = at - times[index]!;
  return times.map((time) => time + shift);
}

const overlap = (a: WindowTimes, b: WindowTimes): boolean => a[0]! < b.at(-1)! && b[0]! < a.at(-1)!;

/**
 * By dates if all playlists have them, else by number, else from the end: RFC 8216 does not require that renditions have
 * the same numbers (§6.3.4).
 * @param playlists not empty, each with a segment
 */
export function windowTimes(playlists: readonly SampleList[]): {
  readonly times: readonly WindowTimes[];
  readonly by: 'date' | 'number' | 'end';
} {
  const [first, ...others] = playlists;
  const dated = playlists.map(datedTimes);
  const isDated = dated.every((times) => times !== undefined && overlap(times, dated[0]!));
  if (isDated) return { times: dated as WindowTimes[], by: 'date' };
  const own = countedTimes(first!);
  const lastOf = ({ timed }: SampleList): number => timed.at(-1)!.number;
  const common = others.map((other) => {
    const numbers = new Map(first!.timed.map(({ number }, index) => [number, index]));
    const index = other.timed.findLastIndex(({ number }) => numbers.has(number));
    return index < 0 ? undefined : { index, at: own[numbers.get(other.timed[index]!.number)!]! };
  });
  const isNumbered =
    common.every((each) => each !== undefined) && others.every((each) => Math.abs(lastOf(each) - lastOf(first!)) <= 1);
  const times = others.map((other, at) =>
    isNumbered
      ? countedTimes(other, common[at]!.index, common[at]!.at)
      : countedTimes(other, other.timed.length, own.at(-1)!),
  );
  return { times: [own, ...times], by: isNumbered ? 'number' : 'end' };
}

/** Whether segments form one track: no discontinuity, no other initialization section or key, and none missing. */
function isContinuous({ placed, timed }: SampleList, { from, to }: SegmentRun): boolean {
  for (let index = from; index < to; index += 1) {
    if (timed[index]!.isGap) return false;
    if (index > from && startsPart(placed[index - 1]!, placed[index]!)) return false;
  }
  return to > from;
}

/** The newest segments whose middle is within a time; undefined if they do not fill it. */
function runWithin(times: WindowTimes, start: number, end: number): SegmentRun | undefined {
  const middleBefore = (index: number): number => (times[index - 1]! + times[index]!) / 2;
  let to = times.length - 1;
  while (to > 0 && middleBefore(to) >= end) to -= 1;
  let from = to;
  while (from > 0 && middleBefore(from) >= start) from -= 1;
  if (to === from) return undefined;
  const slack = Math.max(...times.slice(from, to).map((time, index) => times[from + index + 1]! - time)) / 2;
  return times[from]! <= start + slack && times[to]! >= end - slack ? { from, to } : undefined;
}

/**
 * The newest segments that all playlists have, one to three of the first.
 * @returns by playlist; the index of the playlist that fits least, if there are none
 */
export function* sampleWindow(
  playlists: readonly SampleList[],
  times: readonly WindowTimes[],
): Sliced<readonly SegmentRun[] | { readonly misfit: number }> {
  const first = playlists[0]!;
  const { length } = first.timed;
  let furthest = 0;
  for (const count of SAMPLES) {
    for (let to = length; to >= count && to > length - MAX_TRIED; to -= 1) {
      if (to % TRIED_IN_SLICE === 0) yield;
      const own: SegmentRun = { from: to - count, to };
      if (!isContinuous(first, own)) continue;
      const runs: SegmentRun[] = [own];
      for (let at = 1; at < playlists.length; at += 1) {
        const run = runWithin(times[at]!, times[0]![own.from]!, times[0]![own.to]!);
        if (run === undefined || !isContinuous(playlists[at]!, run)) break;
        runs.push(run);
      }
      if (runs.length === playlists.length) return runs;
      furthest = Math.max(furthest, runs.length);
    }
  }
  return { misfit: furthest };
}

/** The newest text within the sample, or the newest text. */
export function sampleText(playlist: SampleList, first: SampleList, { from, to }: SegmentRun): SegmentRun | undefined {
  const [times, own] = [datedTimes(playlist), datedTimes(first)];
  const within = times && own && runWithin(times, own[from]!, own[to]!);
  if (within !== undefined && isContinuous(playlist, within)) return within;
  const { length } = playlist.timed;
  for (const count of SAMPLES) {
    for (let end = length; end >= count; end -= 1) {
      if (isContinuous(playlist, { from: end - count, to: end })) return { from: end - count, to: end };
    }
  }
  return undefined;
}
