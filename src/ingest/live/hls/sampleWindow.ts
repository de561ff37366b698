// SPDX-License-Identifier: Apache-2.0
// Which segments of a live origin are measured: the newest that all renditions have.
import { isNonEmpty, type NonEmpty } from '../../../invariant.ts';
import type { OriginSegment } from '../../../live/origin.ts';
import { firstNumber, lastNumber, numberAt } from '../../../time/row.ts';
import type { Sliced } from '../../../time/sliced.ts';
import { FLICKS_PER_MILLI } from '../../../time/units.ts';
import { type PlacedSegment, startsPart } from '../../import/hlsParts.ts';

export type SampleList = {
  readonly timed: readonly OriginSegment[];
  /** The same segments. */
  readonly placed: readonly PlacedSegment[];
};

/** Segments `from` to `to` (exclusive) of a list. */
type SegmentRun = { readonly from: number; readonly to: number };

/** When each segment of a playlist starts, and the last one ends: milliseconds on the clock of the first playlist. */
type WindowTimes = readonly number[];

const SAMPLES = [3, 2, 1];
/** Segments after which a sample is looked for: the newest. */
const MAX_TRIED = 600;
/** Each is compared with the segments of all playlists. */
const TRIED_IN_SLICE = 8;
/** Segments whose times are computed at once. */
const IN_SLICE = 5000;

const lengthOf = ({ duration }: OriginSegment): number => duration / FLICKS_PER_MILLI;

/** The times of segments by their dates; undefined if a segment has none. */
export function* datedTimes({ timed }: SampleList): Sliced<WindowTimes | undefined> {
  const times: number[] = [];
  for (const { startsAt } of timed) {
    if (times.length % IN_SLICE === IN_SLICE - 1) yield;
    if (startsAt === undefined) return undefined;
    times.push(startsAt.millis + startsAt.rest / FLICKS_PER_MILLI);
  }
  const last = timed.at(-1);
  if (last === undefined) return undefined;
  times.push(lastNumber(times) + lengthOf(last));
  return times;
}

function* countedTimes({ timed }: SampleList, index = 0, at = 0): Sliced<WindowTimes> {
  const times = [0];
  for (const segment of timed) {
    if (times.length % IN_SLICE === 0) yield;
    times.push(lastNumber(times) + lengthOf(segment));
  }
  const shift = at - numberAt(times, index);
  return times.map((time) => time + shift);
}

const overlap = (a: WindowTimes, b: WindowTimes): boolean =>
  firstNumber(a) < lastNumber(b) && firstNumber(b) < lastNumber(a);

type TimedList<List extends SampleList> = { readonly list: List; readonly times: WindowTimes };

/**
 * By dates if all playlists have them, else by number, else from the end: RFC 8216 does not require that renditions have
 * the same numbers (§6.3.4).
 * @param playlists each with a segment
 */
export function* windowTimes<List extends SampleList>(
  playlists: NonEmpty<List>,
): Sliced<{ readonly lists: NonEmpty<TimedList<List>>; readonly by: 'date' | 'number' | 'end' }> {
  const [first, ...others] = playlists;
  const dated: TimedList<List>[] = [];
  for (const list of playlists) {
    const times = yield* datedTimes(list);
    if (times === undefined || !overlap(times, dated[0]?.times ?? times)) break;
    dated.push({ list, times });
  }
  if (dated.length === playlists.length && isNonEmpty(dated)) return { lists: dated, by: 'date' };
  const own = yield* countedTimes(first);
  const timeOf = new Map(first.timed.map(({ number }, index) => [number, numberAt(own, index)]));
  const common: ({ readonly index: number; readonly at: number } | undefined)[] = [];
  for (const { timed } of others) {
    yield;
    const index = timed.findLastIndex(({ number }) => timeOf.has(number));
    const at = timeOf.get(timed[index]?.number ?? Number.NaN);
    common.push(at === undefined ? undefined : { index, at });
  }
  const newestOf = ({ timed }: SampleList): number => timed.at(-1)?.number ?? Number.NaN;
  const isNumbered =
    common.every((each) => each !== undefined) &&
    others.every((each) => Math.abs(newestOf(each) - newestOf(first)) <= 1);
  const lists: [TimedList<List>, ...TimedList<List>[]] = [{ list: first, times: own }];
  for (const [at, list] of others.entries()) {
    const fixed = (isNumbered ? common[at] : undefined) ?? { index: list.timed.length, at: lastNumber(own) };
    lists.push({ list, times: yield* countedTimes(list, fixed.index, fixed.at) });
  }
  return { lists, by: isNumbered ? 'number' : 'end' };
}

/** Whether segments form one track: no discontinuity, no other initialization section or key, and none missing. */
function isContinuous({ placed, timed }: SampleList, { from, to }: SegmentRun): boolean {
  if (to <= from || timed.slice(from, to).some(({ isGap }) => isGap)) return false;
  return placed.slice(from, to).every((segment, index, own) => {
    const before = own[index - 1];
    return before === undefined || !startsPart(before, segment);
  });
}

/** The newest segments whose middle is within a time; undefined if they do not fill it. */
function runWithin(times: WindowTimes, start: number, end: number): SegmentRun | undefined {
  const middleBefore = (index: number): number => (numberAt(times, index - 1) + numberAt(times, index)) / 2;
  let to = times.length - 1;
  while (to > 0 && middleBefore(to) >= end) to -= 1;
  let from = to;
  while (from > 0 && middleBefore(from) >= start) from -= 1;
  if (to === from) return undefined;
  const slack = Math.max(...times.slice(from, to).map((time, index) => numberAt(times, from + index + 1) - time)) / 2;
  return numberAt(times, from) <= start + slack && numberAt(times, to) >= end - slack ? { from, to } : undefined;
}

/** The newest one to three segments that all playlists have, by playlist, or the playlist that fits least. */
export function* sampleWindow<List extends SampleList>(lists: NonEmpty<TimedList<List>>) {
  const [first, ...others] = lists;
  const { length } = first.list.timed;
  let furthest = 0;
  for (const count of SAMPLES) {
    for (let to = length; to >= count && to > length - MAX_TRIED; to -= 1) {
      if (to % TRIED_IN_SLICE === 0) yield;
      const own: SegmentRun = { from: to - count, to };
      if (!isContinuous(first.list, own)) continue;
      const runs: [SegmentRun, ...SegmentRun[]] = [own];
      for (const { list, times } of others) {
        const run = runWithin(times, numberAt(first.times, own.from), numberAt(first.times, own.to));
        if (run === undefined || !isContinuous(list, run)) break;
        runs.push(run);
      }
      if (runs.length === lists.length) return runs;
      furthest = Math.max(furthest, runs.length);
    }
  }
  return { misfit: (lists[furthest] ?? first).list };
}

/** The newest text within the sample, or the newest text. @param own the dates of the playlist that `run` is of */
export function* sampleText(playlist: SampleList, own: WindowTimes | undefined, { from, to }: SegmentRun) {
  const times = own && (yield* datedTimes(playlist));
  const within = own && times && runWithin(times, numberAt(own, from), numberAt(own, to));
  if (within !== undefined && isContinuous(playlist, within)) return within;
  const { length } = playlist.timed;
  for (const count of SAMPLES) {
    for (let end = length; end >= count; end -= 1) {
      if (end % IN_SLICE === 0) yield;
      if (isContinuous(playlist, { from: end - count, to: end })) return { from: end - count, to: end };
    }
  }
  return undefined;
}
