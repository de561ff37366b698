// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { fromLocalText } from '../format/zonedTime.ts';
import { automaticInterval, comparedDays, previousRange, rangeOf, reportDefaults, reportQuery } from './reportRange.ts';

const range = { start: 1_767_312_000_000, end: 1_767_315_600_000 };

test('queries a range in milliseconds and omits empty parameters', () => {
  expect(reportQuery({ range, interval: '', channel: '', label: '', groupBy: '' })).toEqual({
    ...range,
    interval: 60_000,
  });
  expect(
    reportQuery({ range: previousRange(range), interval: '60000', channel: 'one', label: 'x', groupBy: 'reason' }),
  ).toEqual({
    start: 1_767_225_600_000,
    end: 1_767_229_200_000,
    interval: 60_000,
    channel: 'one',
    by: 'reason',
  });
  expect(reportQuery({ range, interval: '', channel: '', label: 'a,b', groupBy: '' }).label).toEqual(['a', 'b']);
});

test.each([
  [0.25, 30],
  [1, 60],
  [24, 1800],
  [7 * 24, 3 * 3600],
  [365 * 24, 7 * 86_400],
  [5000 * 24, 7 * 86_400],
])('%s hours have rows of %s seconds', (hours, seconds) => {
  expect(automaticInterval({ start: 0, end: hours * 3_600_000 })).toBe(seconds * 1000);
});

test('a range of the address ends now, or has two ends; an invalid one is the last hour', () => {
  const now = Date.parse('2026-03-01T00:00:00Z');
  const hour = { start: now - 3_600_000, end: now };
  expect(rangeOf(reportDefaults, now)).toEqual(hour);
  expect(rangeOf({ ...reportDefaults, range: 'day' }, now)).toEqual({ start: now - 86_400_000, end: now });
  const ends = { from: '2026-02-01T00:00:00.000Z', to: '2026-02-02T00:00:00.000Z' };
  expect(rangeOf({ ...reportDefaults, range: 'custom', ...ends }, now)).toEqual({
    start: Date.parse(ends.from),
    end: Date.parse(ends.to),
  });
  for (const query of [{ range: 'x' }, { range: 'toString' }, { range: 'custom', from: 'x', to: ends.to }])
    expect(rangeOf({ ...reportDefaults, ...query }, now)).toEqual(hour);
});

test('days are those of the console, and a longer range is compared with as many days before it', () => {
  const now = Date.parse('2026-03-12T09:30:00');
  const midnight = fromLocalText('2026-03-12');
  const today = rangeOf({ ...reportDefaults, range: 'today' }, now);
  expect(today).toEqual({ start: midnight, end: now });
  expect(rangeOf({ ...reportDefaults, range: 'yesterday' }, now)).toEqual({
    start: fromLocalText('2026-03-11'),
    end: midnight,
  });
  expect(comparedDays(today)).toBe(1);
  const week = rangeOf({ ...reportDefaults, range: 'week' }, now);
  expect([comparedDays(week), previousRange(week).end]).toEqual([7, week.start]);
});
