// SPDX-License-Identifier: Apache-2.0
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { lawRuns } from '../../../../test/lawRuns.ts';
import { type Millis, millis } from '../../../time/units.ts';
import { createExpectedViewers, HOUR_MS, HOURS_KNOWN } from './expectedViewers.ts';

const WEEK = 7 * 24;
/** A Tuesday. */
const now = millis(Date.parse('2026-12-01T18:20:00Z'));
const present = Math.floor(now / HOUR_MS);
const hourAt = (hour: number): Millis => millis(hour * HOUR_MS);
/** @param from hours after the hour of now */
const programme = (from: number, hours = 1) => ({
  startsAt: hourAt(present + from),
  endsAt: hourAt(present + from + hours),
});
/** @param counted by hours before the hour of now */
const expected = (counted: Readonly<Record<number, number>>, from: number, hours?: number) => {
  const peaks = Object.entries(counted).map(
    ([before, viewers]) => [hourAt(present - Number(before)), viewers] as const,
  );
  return createExpectedViewers(new Map(peaks), now)(programme(from, hours));
};

test('the median and the least of the same hour in the last four weeks', () => {
  const [first, second, third, fourth] = [1, 2, 3, 4].map((weeks) => weeks * WEEK - 2) as [number, ...number[]];
  const weeks = { [first]: 40, [second!]: 10, [third!]: 21, [fourth!]: 30 };
  expect(expected(weeks, 2)).toEqual({ expectedpeak: 26, lowerbound: 10 });
  expect(expected({ ...weeks, [first - 1]: 900, [first + 1]: 900 }, 2)).toEqual({ expectedpeak: 26, lowerbound: 10 });
  expect(expected(weeks, 2 + WEEK), 'the week after').toEqual({ expectedpeak: 26, lowerbound: 10 });
});

test('of several hours, the one with most viewers counts in each week', () => {
  const counted = { [WEEK]: 5, [WEEK - 1]: 7, [2 * WEEK]: 9, [2 * WEEK - 1]: 1 };
  expect(expected(counted, 0, 2)).toEqual({ expectedpeak: 8, lowerbound: 7 });
});

test('weeks in which nothing was counted do not count, and hours without viewers do', () => {
  expect(expected({ 5: 3 }, 2)).toEqual({ expectedpeak: 0, lowerbound: 0 });
  expect(expected({ [WEEK - 2]: 50, [2 * WEEK]: 1 }, 2)).toEqual({ expectedpeak: 25, lowerbound: 0 });
  expect(expected({ [WEEK - 2]: 50 }, 2)).toEqual({ expectedpeak: 50, lowerbound: 50 });
  expect(expected({}, 2)).toBeUndefined();
});

test('if all weeks were the same, the next ones will be', () => {
  fc.assert(
    fc.property(
      fc.array(fc.nat(100_000), { minLength: WEEK, maxLength: WEEK }),
      fc.integer({ min: 0, max: 2 * WEEK }),
      fc.integer({ min: 1, max: 2 * WEEK }),
      (week, from, hours) => {
        const viewersAt = (hour: number): number => week[hour % WEEK]!;
        const past = Array.from({ length: HOURS_KNOWN }, (_, index) => present - 1 - index);
        const peaks = new Map(past.map((hour) => [hourAt(hour), viewersAt(hour)]));
        const most = Math.max(...Array.from({ length: hours }, (_, index) => viewersAt(present + from + index)));
        const found = createExpectedViewers(peaks, now)(programme(from, hours));
        expect(found).toEqual({ expectedpeak: most, lowerbound: most });
      },
    ),
    lawRuns(60),
  );
});
