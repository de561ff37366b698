// SPDX-License-Identifier: Apache-2.0
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { lawRuns } from '../../test/lawRuns.ts';
import { type BreakSource, cuePointsOf, MAX_BREAKS } from './breakRules.ts';
import { type BreakRule, isBreakRule } from './schedule.ts';

const everyFour = Array.from({ length: 1801 }, (_, i) => i * 4);
const film: BreakSource = { duration: 7200, cutPoints: everyFour };
const minutes = (rule: BreakRule, source: Partial<BreakSource> = {}) =>
  cuePointsOf(rule, { ...film, ...source }).map(({ spliceTime }) => spliceTime / 60);

describe('breaks at regular distances', () => {
  test('have the limits of their rule', () => {
    const cues = cuePointsOf({ every: 3600, maxDuration: 60, maxAds: 3, maxPerHour: 2 }, film);
    expect(cues).toEqual([{ spliceTime: 3600, maxDuration: 60, maxAds: 3 }]);
  });

  test('start after firstAfter, never at the start, and end before the last part', () => {
    expect(minutes({ every: 1800 })).toEqual([30, 60, 90]);
    expect(minutes({ every: 1800, firstAfter: 300 })).toEqual([5, 35, 65, 95]);
    expect(minutes({ every: 1800, firstAfter: 0 })).toEqual([30, 60, 90]);
    expect(minutes({ every: 1800, notInLast: 1800 })).toEqual([30, 60, 90]);
    expect(minutes({ every: 1800, notInLast: 1801 })).toEqual([30, 60]);
    expect(minutes({ every: 1800, notInLast: 10_000 })).toEqual([]);
  });

  test('are at cut points, each at its own, and not far from where they should be', () => {
    expect(minutes({ every: 1799, notInLast: 60 })).toEqual([1800, 3596, 5396].map((at) => at / 60));
    expect(minutes({ every: 120 }, { cutPoints: [0, 1740, 1860, 7200] })).toEqual([29, 31]);
    expect(minutes({ every: 600 }, { cutPoints: [0, 890, 910, 7200] })).toEqual([890 / 60]);
    expect(minutes({ every: 600 }, { cutPoints: [0, 7200] })).toEqual([]);
    expect(minutes({ every: 3000 }, { cutPoints: [] })).toEqual([50, 100]);
  });

  test('prefer the start of a chapter nearby', () => {
    expect(minutes({ every: 1800 }, { chapters: [0, 1682, 3722, 5282, 7200] })).toEqual([28, 60, 88]);
    expect(minutes({ every: 240 }, { chapters: [300, 540], duration: 600 })).toEqual([5, 9]);
  });

  test('are as many in an hour as allowed', () => {
    expect(minutes({ every: 600, maxPerHour: 2 })).toEqual([10, 20, 70, 80]);
    // Where cut points put the fourth break less than an hour after the first, it is at the next one.
    const cutPoints = [0, 1203, 2400, 3600, 4798, 4804, 7200];
    expect(
      cuePointsOf({ every: 1200, maxPerHour: 3 }, { duration: 7200, cutPoints }).map(({ spliceTime }) => spliceTime),
    ).toEqual([1203, 2400, 3600, 4804]);
    expect(minutes({ every: 600, maxPerHour: 0 })).toEqual([]);
  });

  test.each([0, -5, Number.NaN])('of %d seconds are none', (every) => expect(minutes({ every })).toEqual([]));

  test('of milliseconds are limited', () => {
    const cutPoints = Array.from({ length: 500_000 }, (_, i) => i * 2);
    expect(cuePointsOf({ every: 0.001 }, { duration: 1e6, cutPoints }).length).toBeLessThanOrEqual(MAX_BREAKS);
    expect(cuePointsOf({ every: 0.001, maxPerHour: 1 }, { duration: 1e6, cutPoints: [] }).length).toBeLessThanOrEqual(
      1,
    );
  });
});

test('breaks ascend within their limits, at cut points, as many in an hour as allowed', () => {
  const seconds = (max: number) => fc.double({ min: 0, max, noNaN: true });
  const points = fc.uniqueArray(seconds(20_000), { maxLength: 300 }).map((list) => list.sort((a, b) => a - b));
  const rules = fc.record<BreakRule, 'every'>(
    {
      every: seconds(4000).map((each) => each + 1),
      firstAfter: seconds(4000),
      notInLast: seconds(4000),
      maxPerHour: fc.integer({ min: 1, max: 6 }),
    },
    { requiredKeys: ['every'] },
  );
  fc.assert(
    fc.property(rules, points, points, seconds(20_000), (rule, cutPoints, chapters, duration) => {
      const found = cuePointsOf(rule, { duration, cutPoints, chapters }).map(({ spliceTime }) => spliceTime);
      const { every, notInLast = 0, maxPerHour } = rule;
      for (const [i, at] of found.entries()) {
        expect(at).toBeGreaterThan(1);
        if (i > 0) expect(at - found[i - 1]!).toBeGreaterThan(rule.every / 2 - 1e-6);
        expect(at).toBeLessThanOrEqual(duration - Math.max(1, notInLast));
        if (cutPoints.length > 0) expect(cutPoints).toContain(at);
        if (maxPerHour !== undefined && i >= maxPerHour)
          expect(at - found[i - maxPerHour]!).toBeGreaterThan(3600 - 1e-6);
      }
      expect(found.length).toBeLessThanOrEqual(duration / every + 2);
    }),
    lawRuns(500),
  );
});

test('a list of cue points is no rule', () => {
  expect([isBreakRule([]), isBreakRule('markers'), isBreakRule({ every: 600 })]).toEqual([false, false, true]);
});
