// SPDX-License-Identifier: Apache-2.0
// The numbers and the stretches of a rendition's segments: one sequence over all Periods, although `$Number$` starts again in
// each and `$Time$` has none. A segment keeps both as long as it is listed, also if the MPD is written differently: packagers
// change the ids of Periods, their timescale, and availabilityStartTime, while the media continue.
import type { LiveSegment } from '../../../dash/read/live/liveMpd.ts';
import { flicksBetween } from '../../../dash/read/live/liveTimes.ts';
import type { Sliced } from '../../../time/sliced.ts';
import { after } from '../../../timeline/programme/span.ts';

/** `stretch`: of its Period, in which its time is unique. */
export type CountedSegment = LiveSegment & { readonly stretch: string; readonly timescale: number };

type Counted = {
  readonly number: number;
  /** Changes with a Period, and where media times jump within one. */
  readonly stretch: string;
};

type Known<Segment = CountedSegment> = Segment & { readonly counted: Counted };

export type SegmentCounter<Segment> = (listed: readonly Segment[]) => Sliced<readonly Known<Segment>[]>;

/** Seconds. Smaller gaps and overlaps result from rounding. */
const JUMP_SECONDS = 0.1;
export const IN_SLICE = 5000;

export function createSegmentCounter<Segment extends CountedSegment>(): SegmentCounter<Segment> {
  let known: readonly Known<Segment>[] = [];
  return function* (listed) {
    const [first] = listed;
    if (first === undefined) return [];
    yield;
    const base = baseOf(known, listed) ?? nextNumber(known.at(-1), first);
    const offset = base - (known[0]?.counted.number ?? 0);
    const counted: Known<Segment>[] = [];
    for (const [index, segment] of listed.entries()) {
      if (index % IN_SLICE === 0) yield;
      const same = known[index + offset];
      const stretch = same?.counted.stretch ?? stretchOf(segment, counted.at(-1) ?? known.at(-1));
      counted.push({ counted: { number: base + index, stretch }, ...segment });
    }
    known = counted;
    return counted;
  };
}

/** The number of the first listed segment, if the last reading listed some of these segments. */
function baseOf(known: readonly Known[], listed: readonly CountedSegment[]): number | undefined {
  return (
    baseBy(known, listed, ({ stretch, time, timescale }) => `${time}/${timescale} ${stretch}`) ??
    baseByUrl(known, listed) ??
    baseByDate(known, listed)
  );
}

function baseBy(known: readonly Known[], listed: readonly CountedSegment[], nameOf: (one: CountedSegment) => string) {
  const numbers = new Map(known.map((each) => [nameOf(each), each.counted.number]));
  const index = listed.findLastIndex((each) => numbers.has(nameOf(each)));
  const newest = listed[index];
  const number = newest && numbers.get(nameOf(newest));
  return number === undefined ? undefined : number - index;
}

const urlOf = ({ media, time }: CountedSegment): string => `${time} ${media.url.replace(/[?#].*/s, '')}`;

/** An encoder that restarts may use the same URLs again, but it does not list the newest one before. */
function baseByUrl(known: readonly Known[], listed: readonly CountedSegment[]): number | undefined {
  const newest = known.at(-1);
  return newest && baseBy([newest], listed, urlOf);
}

/** Other URLs and times for the same instants. */
function baseByDate(known: readonly Known[], listed: readonly CountedSegment[]): number | undefined {
  let index = listed.length - 1;
  for (const { startsAt, duration, counted } of known.toReversed()) {
    let one = listed[index];
    while (one !== undefined && flicksBetween(startsAt, one.startsAt) > duration / 4) {
      index -= 1;
      one = listed[index];
    }
    if (one === undefined) return undefined;
    if (flicksBetween(startsAt, one.startsAt) >= -duration / 4) return counted.number - index;
  }
  return undefined;
}

/** Segments may have been listed only between two readings. */
function nextNumber(last: Known | undefined, { number, startsAt, duration }: CountedSegment): number {
  if (last === undefined) return number;
  const missed = flicksBetween(after(last.startsAt, last.duration), startsAt) / duration;
  return last.counted.number + 1 + Math.max(0, Math.round(missed));
}

/** The Period of a segment; named after the segment, too, where media times jump in the Period. */
function stretchOf(segment: CountedSegment, before: Known | undefined): string {
  if (before?.stretch !== segment.stretch) return segment.stretch;
  const gap = secondsOf(segment) - secondsOf(before) - before.ticks / before.timescale;
  return Math.abs(gap) < JUMP_SECONDS ? before.counted.stretch : `${segment.stretch}@${segment.time}`;
}

const secondsOf = ({ time, timescale }: CountedSegment): number => Number(time) / timescale;
