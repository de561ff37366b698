// SPDX-License-Identifier: Apache-2.0
// Where slots start on the timeline. Durations are added up, so that they are exactly the differences of dates (law 6). The
// origin's dates have jitter; they decide at a new stretch, and when they deviate for long.
import { FLICKS_PER_MILLI, type Millis } from '../../time/units.ts';
import type { Instant } from '../../timeline/programme/span.ts';
import { dateOf, instantOf, millisBetween, movedBy } from './originDates.ts';
import { durationOf, type SegmentList } from './segmentLists.ts';
import { SMALL_STEP } from './tail.ts';

/** Milliseconds. More than jitter; EXTINF values that are rounded add up to this. */
const DEVIATION = 20;
/** Milliseconds. Dates that deviate by more have jumped; they do not become right by and by. */
const LARGEST_DEVIATION = 10_000;
/** The segments before a slot whose dates must deviate as well. */
const WITNESSES = 4;
/** Without dates, the clock at which a segment was read is all there is; it depends on the moment of the poll. */
const SMALL_STEP_UNDATED = 10_000;
/** How far the origin's clock may jump ahead, in milliseconds, more than the time that has passed. */
const LARGEST_JUMP = 24 * 3_600_000;

export type StretchTime = {
  /** The end of the timeline so far. */
  readonly end: Instant;
  readonly shift: number | undefined;
  /** What the origin states. */
  readonly date: Instant | undefined;
  /** The start by the clock, where segments are missing or numbers start again. */
  readonly byClock: Instant | undefined;
  /** Milliseconds since the last reading that added something. */
  readonly elapsed: number;
  /** No later start is possible: what is listed has been made. Undefined for the first entry. */
  readonly latest?: Instant | undefined;
};

/** Milliseconds that a timeline may be ahead of the clock, more than it was when the channel went on air. */
const MAX_AHEAD = 10_000;

/**
 * The latest start that a jump of dates may result in. Further ahead of the clock, players of DASH would wait for the Period.
 * @param listed milliseconds from the start to the end of what is listed
 * @param lag by which the timeline was behind the clock when the channel went on air
 */
export const latestStart = (readAt: Millis, listed: number, lag: number): Instant =>
  instantOf(readAt - listed - lag + MAX_AHEAD);

/** The start of a new stretch: where the timeline ends, or later where time is missing. Time never goes back. */
export function startOfStretch({ end, shift = 0, date, byClock, elapsed, latest }: StretchTime): Instant {
  const stated = date ?? byClock;
  if (stated === undefined) return end;
  const small = date === undefined ? SMALL_STEP_UNDATED : SMALL_STEP;
  const shifted = date === undefined ? stated : movedBy(stated, shift);
  const isPossible = (step: number): boolean => {
    const isTooLate = latest !== undefined && step > millisBetween(end, latest);
    return step > small && step <= elapsed + LARGEST_JUMP && !isTooLate;
  };
  if (Math.abs(millisBetween(end, shifted)) <= small) return end;
  // A clock that was wrong may be right again.
  const step = millisBetween(end, stated);
  if (Math.abs(step) <= small) return step > 0 ? stated : end;
  if (isPossible(step)) return stated;
  // The smaller step is the more likely one: after a correction, the timeline is only as far ahead as what was listed twice.
  const shiftedStep = millisBetween(end, shifted);
  if (isPossible(shiftedStep) && shiftedStep <= Math.abs(step)) return shifted;
  // The channel was idle, and the dates do not tell for how long.
  const clock = latest && movedBy(latest, -MAX_AHEAD);
  const isBehind = clock !== undefined && millisBetween(end, clock) > SMALL_STEP_UNDATED;
  return isBehind && elapsed > SMALL_STEP_UNDATED ? clock : end;
}

/**
 * Flicks to add to the duration of a slot: a millisecond towards the dates, if they deviate throughout.
 * @param index of its first segment in the first rung
 */
export function slewOf(own: SegmentList, index: number, start: Instant, shift: number | undefined): number {
  if (shift === undefined) return 0;
  const signs: number[] = [];
  for (let at = index; at >= Math.max(0, index - WITNESSES); at -= 1) {
    if (own[at]!.stretch !== own[index]!.stretch) break;
    const date = dateOf(own[at]!);
    if (date === undefined) return 0;
    const expected = -durationOf(own, at, index) / FLICKS_PER_MILLI;
    const deviation = millisBetween(start, date) + shift - expected;
    const isDrift = Math.abs(deviation) > DEVIATION && Math.abs(deviation) <= LARGEST_DEVIATION;
    signs.push(isDrift ? Math.sign(deviation) : 0);
  }
  const sign = signs[0]!;
  return signs.length > 1 && signs.every((other) => other === sign) ? sign * FLICKS_PER_MILLI : 0;
}
