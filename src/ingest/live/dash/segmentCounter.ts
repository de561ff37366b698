// SPDX-License-Identifier: Apache-2.0
// The numbers of a rendition's segments: one sequence over all Periods, although `$Number$` starts again in each and `$Time$`
// has none.
import { flicksBetween } from '../../../dash/read/live/liveTimes.ts';
import type { Flicks } from '../../../time/units.ts';
import { after, type Instant } from '../../../timeline/programme/span.ts';

export type CountedSegment = {
  readonly stretch: string;
  /** Unique in the stretch. */
  readonly time: bigint;
  readonly number: number;
  readonly startsAt: Instant;
  readonly duration: Flicks;
};

/** @returns numbers for the segments that a reading lists, in order; a segment keeps its number as long as it is listed */
export type SegmentCounter = (listed: readonly CountedSegment[]) => number[];

export function createSegmentCounter(): SegmentCounter {
  let known = new Map<string, number>();
  let last: { readonly number: number; readonly end: Instant } | undefined;
  return (listed) => {
    const [first] = listed;
    if (first === undefined) return [];
    const names = listed.map(({ stretch, time }) => `${time} ${stretch}`);
    const shared = names.findLastIndex((name) => known.has(name));
    const base =
      shared >= 0
        ? known.get(names[shared]!)! - shared
        : last === undefined
          ? first.number
          : last.number + 1 + missed(last.end, first);
    const numbers = names.map((_, index) => base + index);
    known = new Map(names.map((name, index) => [name, numbers[index]!]));
    const final = listed.at(-1)!;
    last = { number: numbers.at(-1)!, end: after(final.startsAt, final.duration) };
    return numbers;
  };
}

/** How many segments were listed only between two readings. */
function missed(end: Instant, { startsAt, duration }: CountedSegment): number {
  return Math.max(0, Math.round(flicksBetween(end, startsAt) / duration));
}
