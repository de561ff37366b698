// SPDX-License-Identifier: Apache-2.0
import { afterEach, beforeEach, expect, test } from 'vitest';
import { formatTick } from '../format/time.ts';
import { selectTimeZone } from '../format/timeZone.ts';
import { dotPath, linePath, nearestIndex, timeTicks, valueTicks } from './chartScale.ts';

beforeEach(() => selectTimeZone('UTC'));
afterEach(() => selectTimeZone(''));

const rounded = (values: readonly number[]) => values.map((value) => Number(value.toFixed(6)));
const labels = (from: string, to: string, most: number) =>
  timeTicks(Date.parse(from), Date.parse(to), most).map(formatTick);

test('value ticks are round, begin at 0 and reach the largest value', () => {
  expect(valueTicks([3, null, 470], 's')).toEqual([0, 100, 200, 300, 400, 500]);
  expect(valueTicks([75], 'breaks')).toEqual([0, 20, 40, 60, 80]);
  expect(rounded(valueTicks([0.93, 1], 'ratio'))).toEqual([0, 0.2, 0.4, 0.6, 0.8, 1]);
  expect(rounded(valueTicks([0.3], 's'))).toEqual([0, 0.1, 0.2, 0.3]);
  for (const max of [0.013, 0.3, 0.7, 1, 1.1, 4, 9.99, 10, 101, 12_345, 5e9]) {
    const ticks = valueTicks([max], 's');
    expect(ticks.length).toBeGreaterThan(1);
    expect(ticks.length).toBeLessThan(8);
    expect(ticks.at(-1)).toBeGreaterThanOrEqual(max - 1e-9);
  }
});

test('counts have ticks at whole numbers; a chart of zeros has a scale', () => {
  expect(valueTicks([0, 1, 2], 'ads')).toEqual([0, 1, 2]);
  expect(valueTicks([0, 0.5, 2], 'viewers')).toEqual([0, 0.5, 1, 1.5, 2]);
  expect(valueTicks([0, null], 'ads')).toEqual([0, 1]);
  expect(rounded(valueTicks([0], 'ratio'))).toEqual([0, 0.2, 0.4, 0.6, 0.8, 1]);
  expect(valueTicks([], 's')).toEqual([0, 1]);
});

test('time ticks are round minutes, hours, days and months', () => {
  expect(labels('2026-03-01T20:01:30Z', '2026-03-01T20:16:00Z', 4)).toEqual(['20:05', '20:10', '20:15']);
  expect(labels('2026-03-01T20:00:00Z', '2026-03-02T08:00:00Z', 5)).toEqual(['21:00', '2 Mar', '03:00', '06:00']);
  expect(labels('2026-03-01T20:00:00Z', '2026-03-05T08:00:00Z', 5)).toEqual(['2 Mar', '3 Mar', '4 Mar', '5 Mar']);
  // Mondays.
  expect(labels('2026-03-01T20:00:00Z', '2026-03-31T00:00:00Z', 5)).toEqual([
    '2 Mar',
    '9 Mar',
    '16 Mar',
    '23 Mar',
    '30 Mar',
  ]);
  expect(labels('2025-11-20T00:00:00Z', '2026-03-05T00:00:00Z', 5)).toEqual(['1 Dec', '1 Jan', '1 Feb', '1 Mar']);
  expect(labels('2024-01-01T00:00:00Z', '2026-01-01T00:00:00Z', 5)).toEqual([
    '1 Jan',
    '1 Jul',
    '1 Jan',
    '1 Jul',
    '1 Jan',
  ]);
  expect(labels('2020-01-02T00:00:00Z', '2023-01-01T00:00:00Z', 2)).toEqual(['1 Jan', '1 Jan', '1 Jan']);
  expect(labels('2026-03-01T20:01:30Z', '2026-03-01T20:01:40Z', 5)).toEqual([]);
});

test('time ticks are round in the selected zone, also after its clocks change', () => {
  selectTimeZone('Asia/Katmandu');
  expect(labels('2026-03-01T18:00:00Z', '2026-03-01T20:00:00Z', 4)).toEqual(['2 Mar', '00:30', '01:00', '01:30']);
  selectTimeZone('Europe/Berlin');
  expect(labels('2026-03-28T12:00:00Z', '2026-03-30T12:00:00Z', 5)).toEqual(['29 Mar', '12:00', '30 Mar', '12:00']);
  // 03:00 follows 01:59, and 02:00 is shown twice.
  expect(labels('2026-03-29T00:00:00Z', '2026-03-29T03:00:00Z', 4)).toEqual(['01:00', '03:00', '04:00', '05:00']);
  expect(labels('2026-10-24T23:00:00Z', '2026-10-25T03:00:00Z', 4)).toEqual([
    '01:00',
    '02:00',
    '02:00',
    '03:00',
    '04:00',
  ]);
  expect(labels('2026-10-24T22:00:00Z', '2026-10-25T23:00:00Z', 5)).toEqual([
    '25 Oct',
    '06:00',
    '12:00',
    '18:00',
    '26 Oct',
  ]);
});

test('the closest row is found', () => {
  expect([-5, 14, 15, 16, 99].map((time) => nearestIndex([0, 10, 20, 30], time))).toEqual([0, 1, 1, 2, 3]);
  expect(nearestIndex([], 5)).toBe(0);
});

test('a line is interrupted where there is no value; dots are lines without a length', () => {
  const points = [[0, 1], [1, 2.26], null, null, [4, 5]] as const;
  expect(linePath(points)).toBe('M0,1L1,2.3M4,5');
  expect(dotPath(points)).toBe('M0,1h0M1,2.3h0M4,5h0');
});
