// SPDX-License-Identifier: Apache-2.0
// The dates that an origin states, and distances between instants. Instants may be months apart, so distances are
// milliseconds, with a fraction, and not flicks.
import { FLICKS_PER_MILLI, flicks, type Millis, millis } from '../../time/units.ts';
import type { Instant } from '../../timeline/programme/span.ts';
import type { OriginSegment } from '../origin.ts';

/** The start of the year 10000: later dates have no usual text form. */
const LAST_DATE = 253_402_300_800_000;

/** @returns undefined if the segment has no date, or one that is no date between 1970 and 9999 */
export function dateOf({ startsAt }: OriginSegment): Instant | undefined {
  if (startsAt === undefined) return undefined;
  const { millis: whole, rest } = startsAt;
  if (!Number.isSafeInteger(whole) || whole < 0 || whole >= LAST_DATE) return undefined;
  return Number.isSafeInteger(rest) && rest >= 0 && rest < FLICKS_PER_MILLI
    ? startsAt
    : { millis: whole, rest: flicks(0) };
}

export const roundedDate = (date: Instant): Millis => millis(date.millis + Math.round(date.rest / FLICKS_PER_MILLI));

export const instantOf = (at: number): Instant => ({ millis: millis(Math.round(at)), rest: flicks(0) });

export const movedBy = (instant: Instant, ms: number): Instant => ({
  millis: millis(instant.millis + Math.round(ms)),
  rest: instant.rest,
});

/** Milliseconds from one instant to another, with a fraction. */
export const millisBetween = (from: Instant, to: Instant): number =>
  to.millis - from.millis + (to.rest - from.rest) / FLICKS_PER_MILLI;
