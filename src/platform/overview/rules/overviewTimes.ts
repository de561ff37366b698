// SPDX-License-Identifier: Apache-2.0
// The times that an overview compares. Days begin at midnight in a time zone, and have 23 or 25 hours when its clocks change.
import { REPORT_INTERVAL_MS } from '../../../time/reportInterval.ts';
import { type Millis, millis } from '../../../time/units.ts';
import { DAY_MS, offsetIn } from '../../../time/zone.ts';
import type { OverviewRange } from '../contract/overviewValues.ts';

export type Span = { readonly start: Millis; readonly end: Millis };

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** What was watched is known this long after it was. */
const REPORT_DELAY_MS = 30_000;

const earlier = ({ start, end }: Span, ms: number): Span => ({ start: millis(start - ms), end: millis(end - ms) });
const spanOf = (start: number, end: number): Span => ({ start: millis(start), end: millis(end) });

/** The midnight at or before an instant. */
function dayStart(at: number, timeZone: string): number {
  const offset = offsetIn(timeZone, at) ?? 0;
  const midnight = at + offset - ((((at + offset) % DAY_MS) + DAY_MS) % DAY_MS);
  // The clocks may have changed since midnight.
  return midnight - (offsetIn(timeZone, midnight - offset) ?? offset);
}

export type OverviewTimes = Readonly<
  Record<'range' | 'before' | 'hour' | 'hourBefore' | 'hourYesterday' | 'minute' | 'minuteYesterday', Span>
>;

function rangeOf(range: OverviewRange, end: number, timeZone: string): Pick<OverviewTimes, 'range' | 'before'> {
  if (range === 'last-7-days') {
    const week = spanOf(end - 7 * DAY_MS, end);
    return { range: week, before: earlier(week, 7 * DAY_MS) };
  }
  const today = dayStart(end - 1, timeZone);
  const yesterday = dayStart(today - 1, timeZone);
  if (range === 'yesterday') {
    return { range: spanOf(yesterday, today), before: spanOf(dayStart(yesterday - 1, timeZone), yesterday) };
  }
  return { range: spanOf(today, end), before: spanOf(yesterday, Math.min(today, yesterday + end - today)) };
}

/** @param timeZone an IANA name that isTimeZone accepts */
export function overviewTimes(range: OverviewRange, now: Millis, timeZone: string): OverviewTimes {
  const end = now - (now % REPORT_INTERVAL_MS) + REPORT_INTERVAL_MS;
  const hour = spanOf(end - HOUR_MS, end);
  const minute = earlier(spanOf(end - MINUTE_MS, end), REPORT_DELAY_MS);
  return {
    ...rangeOf(range, end, timeZone),
    hour,
    hourBefore: earlier(hour, HOUR_MS),
    hourYesterday: earlier(hour, DAY_MS),
    minute,
    minuteYesterday: earlier(minute, DAY_MS),
  };
}
