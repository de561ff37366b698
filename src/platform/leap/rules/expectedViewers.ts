// SPDX-License-Identifier: Apache-2.0
// How many viewers a programme will have, from the viewers in the same hours (UTC) of the last weeks.
import type { Millis } from '../../../time/units.ts';

export const HOUR_MS = 3_600_000;
const WEEK = 7 * 24;
const WEEKS = 4;
/** Hours of the past that count. */
export const HOURS_KNOWN = WEEKS * WEEK;

export type ExpectedViewers = { readonly expectedpeak: number; readonly lowerbound: number };
type Times = { readonly startsAt: Millis; readonly endsAt: Millis };

const hourOf = (at: number): number => Math.floor(at / HOUR_MS);

/**
 * A week in which nothing was counted is no week without viewers: the channel was not there, or its counts are gone.
 * @param peaks the most viewers at a time, by the start of their hour; hours without viewers are absent
 * @returns the median and the least of the weekly peaks of a programme of the future; undefined if nothing was counted
 */
export function createExpectedViewers(
  peaks: ReadonlyMap<Millis, number>,
  now: Millis,
): (programme: Times) => ExpectedViewers | undefined {
  const present = hourOf(now);
  const byHour = new Map([...peaks].map(([at, viewers]) => [hourOf(at), viewers]));
  const counted = new Set([...byHour.keys()].map((hour) => Math.floor((present - 1 - hour) / WEEK)));
  const weeks = Array.from({ length: WEEKS }, (_, week) => week).filter((week) => counted.has(week));
  return ({ startsAt, endsAt }) => {
    const first = hourOf(startsAt);
    const last = Math.min(hourOf(endsAt - 1), first + WEEK - 1);
    /** The most in its hours, each as it was last, or so many weeks before. */
    function peakOf(weeksBefore: number): number {
      let peak = 0;
      for (let hour = first; hour <= last; hour += 1) {
        const passed = Math.floor((hour - present) / WEEK) + 1 + weeksBefore;
        peak = Math.max(peak, byHour.get(hour - passed * WEEK) ?? 0);
      }
      return peak;
    }
    const sorted = weeks.map(peakOf).sort((a, b) => a - b);
    const middle = (sorted.length - 1) / 2;
    const [lowerbound, low, high] = [sorted[0], sorted[Math.floor(middle)], sorted[Math.ceil(middle)]];
    if (lowerbound === undefined || low === undefined || high === undefined) return undefined;
    return { expectedpeak: Math.ceil((low + high) / 2), lowerbound };
  };
}
