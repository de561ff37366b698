// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { isoText, millis } from '../../../time/units.ts';
import type { OverviewRange } from '../contract/overviewValues.ts';
import { overviewTimes, type Span } from './overviewTimes.ts';

const shown = ({ start, end }: Span) => [start, end].map((time) => isoText(time).slice(0, 19));
const timesAt = (range: OverviewRange, now: string, zone: string) => {
  const times = overviewTimes(range, millis(Date.parse(now)), zone);
  return { range: shown(times.range), before: shown(times.before) };
};

test('days begin at the midnight of the zone, and today is compared with yesterday until the same time of day', () => {
  expect(timesAt('today', '2026-03-12T09:30:04Z', 'Asia/Kolkata')).toEqual({
    range: ['2026-03-11T18:30:00', '2026-03-12T09:30:10'],
    before: ['2026-03-10T18:30:00', '2026-03-11T09:30:10'],
  });
  expect(timesAt('yesterday', '2026-03-12T01:00:00Z', 'America/New_York')).toEqual({
    range: ['2026-03-10T04:00:00', '2026-03-11T04:00:00'],
    before: ['2026-03-09T04:00:00', '2026-03-10T04:00:00'],
  });
  expect(timesAt('last-7-days', '2026-03-12T01:00:00Z', 'UTC').before).toEqual([
    '2026-02-26T01:00:10',
    '2026-03-05T01:00:10',
  ]);
});

test('a day on which the clocks change has 23 or 25 hours', () => {
  // 29 March 2026 and 25 October 2026 in Berlin.
  expect(timesAt('yesterday', '2026-03-30T10:00:00Z', 'Europe/Berlin')).toEqual({
    range: ['2026-03-28T23:00:00', '2026-03-29T22:00:00'],
    before: ['2026-03-27T23:00:00', '2026-03-28T23:00:00'],
  });
  // The day before ended after 23 hours.
  expect(timesAt('today', '2026-03-30T21:59:55Z', 'Europe/Berlin').before).toEqual([
    '2026-03-28T23:00:00',
    '2026-03-29T22:00:00',
  ]);
  expect(timesAt('today', '2026-10-25T22:30:00Z', 'Europe/Berlin').range[0]).toBe('2026-10-24T22:00:00');
});

test('at midnight, a day has just begun', () => {
  expect(timesAt('today', '2026-03-12T00:00:00Z', 'UTC')).toEqual({
    range: ['2026-03-12T00:00:00', '2026-03-12T00:00:10'],
    before: ['2026-03-11T00:00:00', '2026-03-11T00:00:10'],
  });
});
