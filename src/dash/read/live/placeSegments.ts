// SPDX-License-Identifier: Apache-2.0
// The segments of a Representation on the wall clock, from their media times. Media times that are out of range are not used:
// segments of a tick would cost a node its CPU time, and times of other centuries have no place on the timeline.
import type { Sliced } from '../../../time/sliced.ts';
import { type Flicks, flicks, ticksToFlicks } from '../../../time/units.ts';
import type { MediaRef } from '../../../timeline/asset/asset.ts';
import { after, type Instant } from '../../../timeline/programme/span.ts';
import { MpdFault } from '../../mpdFault.ts';
import type { EarlierSegments, LiveSegment } from './liveMpd.ts';
import type { TimelineRun } from './liveTimeline.ts';
import { afterTicks, ticksBetween } from './liveTimes.ts';

export type SegmentPlace = {
  /** For messages: `Period "p7"`. */
  readonly where: string;
  /** The line of the element that states the times. */
  readonly line: number;
  readonly start: Instant;
  readonly end: Instant | undefined;
  /** Segments that end before are left out. */
  readonly since: Instant | undefined;
  /** The duration of the newest segments. Older segments get only a number and a time. */
  readonly newest: Flicks | undefined;
  readonly timescale: number;
  readonly presentationTimeOffset: bigint;
  readonly warn: (warning: string) => void;
};

/** Seconds. The segments at a marker may be shorter, but not all segments. */
export const SHORTEST_SECONDS = 0.1;
const MAX_SHORT = 1000;
const SEGMENTS_IN_SLICE = 2000;
/** Longer ones are not used. */
const LONGEST_SECONDS = 3600;
const MAX_SECONDS = 7 * 86_400;
/** Segments after the end of a Period: at its edge, packagers list one or two. */
const MAX_LATE = 2;
/** A hundred years: availabilityStartTime or the media may count from 1970. */
const FURTHEST_SECONDS = 100 * 365 * 86_400;

/** At an edge that Periods share, a segment belongs to the one that its midpoint is in. @throws MpdFault */
export function* placeSegments(
  runs: readonly TimelineRun[],
  place: SegmentPlace,
  mediaOf: (number: number, time: bigint) => MediaRef | undefined,
): Sliced<{ readonly segments: LiveSegment[]; readonly earlier?: EarlierSegments }> {
  const usable = yield* usableRuns(runs, place);
  const { start, end, since, newest, timescale, presentationTimeOffset } = place;
  const until = end && ticksBetween(start, end, timescale);
  const from = since && presentationTimeOffset + ticksBetween(start, since, timescale);
  const recent = newest === undefined ? undefined : recentFrom(usable, place, newest);
  let earlier: EarlierSegments | undefined;
  const segments: LiveSegment[] = [];
  let [outside, late, seen] = [0, 0, 0];
  for (const { time: first, number, ticks, count } of usable) {
    const duration: Flicks = ticksToFlicks(ticks, timescale);
    const skip = (before: bigint | undefined): number =>
      before === undefined ? 0 : Math.min(count, Math.max(0, Number((before - first) / BigInt(ticks))));
    const skipped = Math.max(skip(from), skip(recent));
    const inPeriod = skipped - skip(presentationTimeOffset + BigInt(Math.floor((ticks - 1) / 2)));
    if (recent !== undefined && inPeriod > 0) {
      const at = first + BigInt(ticks) * BigInt(skipped - inPeriod) - presentationTimeOffset;
      earlier = {
        startsAt: earlier?.startsAt ?? afterTicks(start, at, timescale),
        count: (earlier?.count ?? 0) + inPeriod,
        duration: flicks((earlier?.duration ?? 0) + duration * inPeriod),
      };
    }
    if (skipped > 0 && ++seen % SEGMENTS_IN_SLICE === 0) yield;
    for (let index = skipped; index < count; index += 1) {
      if (++seen % SEGMENTS_IN_SLICE === 0) yield;
      const time = first + BigInt(ticks) * BigInt(index);
      const middle = 2n * (time - presentationTimeOffset) + BigInt(ticks);
      if (middle < 0n || (until !== undefined && middle >= 2n * until)) {
        outside += 1;
        if (middle >= 0n) late += 1;
        continue;
      }
      const media = mediaOf(number + index, time);
      if (media === undefined) continue;
      const startsAt = afterTicks(start, time - presentationTimeOffset, timescale);
      segments.push({ number: number + index, time, ticks, startsAt, duration, media });
    }
  }
  if (outside > 0 && segments.length === 0) place.warn(outsideText(place));
  else if (late > MAX_LATE) place.warn(lateText(place, late));
  return { segments, ...(earlier && { earlier }) };
}

/** The time from which on segments are among the newest, in ticks. */
function recentFrom(runs: readonly TimelineRun[], place: SegmentPlace, newest: Flicks): bigint | undefined {
  const { start, end, timescale, presentationTimeOffset } = place;
  const last = runs.at(-1);
  if (last === undefined) return undefined;
  const listed = last.time + BigInt(last.ticks) * BigInt(last.count);
  const until = end && presentationTimeOffset + ticksBetween(start, end, timescale);
  const edge = until !== undefined && until < listed ? until : listed;
  return edge - ticksBetween(start, after(start, newest), timescale);
}

const lateText = ({ line, where }: SegmentPlace, late: number): string =>
  `line ${line}: ${late} segments of ${where} are after its end, and left out; check Period@duration and MPD@mediaPresentationDuration`;

const outsideText = ({ line, where }: SegmentPlace): string =>
  `line ${line}: all segments of ${where} are outside of it; check presentationTimeOffset, timescale and Period@start`;

/** @throws MpdFault if there is none */
function* usableRuns(runs: readonly TimelineRun[], place: SegmentPlace): Sliced<readonly TimelineRun[]> {
  const { where, line, timescale, presentationTimeOffset, warn } = place;
  const short = runs.reduce((sum, { ticks, count }) => (ticks < SHORTEST_SECONDS * timescale ? sum + count : sum), 0);
  if (short > MAX_SHORT) {
    const problem = `${where} lists ${short} segments that are shorter than ${SHORTEST_SECONDS} s`;
    throw new MpdFault(line, 'SEGMENT_TIME', `${problem}; check S@d and the timescale of ${timescale}`);
  }
  let fault: MpdFault | undefined;
  const usable: TimelineRun[] = [];
  for (const [index, run] of runs.entries()) {
    if (index % SEGMENTS_IN_SLICE === SEGMENTS_IN_SLICE - 1) yield;
    const { time, ticks, count, line: own = line } = run;
    const length = ticks / timescale;
    const isLong = length > LONGEST_SECONDS;
    const first = Number(time - presentationTimeOffset);
    const seconds = Math.max(Math.abs(first + ticks * count), Math.abs(first)) / timescale;
    const isFar = seconds > FURTHEST_SECONDS;
    if (!isLong && !isFar) {
      usable.push(run);
      continue;
    }
    const problem =
      isLong && !isFar
        ? `a segment of ${where} lasts ${Math.round(length)} s; check the timescale of ${timescale}`
        : `the segments of ${where} are more than 100 years from its start; check S@t, presentationTimeOffset and timescale`;
    const found = new MpdFault(own, 'SEGMENT_TIME', problem);
    const isUsed = !isFar && length <= MAX_SECONDS;
    warn(isUsed ? found.message : `${found.message}; it is left out`);
    if (isUsed) usable.push(run);
    else fault ??= found;
  }
  if (usable.length === 0 && fault !== undefined) throw fault;
  return usable;
}
