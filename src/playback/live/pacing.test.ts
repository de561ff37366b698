// SPDX-License-Identifier: Apache-2.0
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isFresh, isIdle, nextReadAt, phaseOf, readInterval, readTimeout, retryDelay } from './pacing.ts';

test('an origin is read every half target duration, but not more often than every half second', () => {
  expect([6000, 2000, 1000, 400].map(readInterval)).toEqual([3000, 1000, 500, 500]);
});

test('the readings of a feed are on a grid of its own, one interval apart', () => {
  fc.assert(
    fc.property(fc.nat(10_000_000), fc.integer({ min: 500, max: 30_000 }), fc.uuid(), (startedAt, interval, life) => {
      const phase = phaseOf(life);
      const second = nextReadAt(startedAt, interval, phase);
      expect(second - startedAt).toBeGreaterThanOrEqual(Math.min(500, interval) - 0.001);
      expect(second - startedAt).toBeLessThanOrEqual(1.5 * interval + 500);
      expect(nextReadAt(second, interval, phase) - second).toBeCloseTo(interval, 3);
      // Timers are late.
      expect(nextReadAt(second + 0.4 * interval, interval, phase) - second).toBeCloseTo(
        interval >= 500 / 0.6 ? interval : 2 * interval,
        3,
      );
    }),
    { examples: [[8_387_117, 500, 'c019e504-61a1-1851-a50e-2546345a5dcc']] },
  );
});

test('the phases of feeds are spread evenly, also if their names are alike', () => {
  const phases = Array.from({ length: 1000 }, (_, index) => phaseOf(`life-${index} node`));
  for (let tenth = 0; tenth < 10; tenth += 1) {
    const count = phases.filter((phase) => Math.floor(phase * 10) === tenth).length;
    expect(count).toBeGreaterThan(60);
    expect(count).toBeLessThan(140);
  }
});

test('after failures, the delay grows to a target duration', () => {
  expect([1, 2, 3, 50].map((failures) => retryDelay(failures, 6000))).toEqual([3000, 6000, 6000, 6000]);
  expect([1, 2].map((failures) => retryDelay(failures, 600))).toEqual([500, 600]);
});

test('a read may take two target durations', () => {
  expect([6000, 100].map(readTimeout)).toEqual([12_000, 1000]);
});

test('a feed is idle a minute after its last use, or after three target durations if they are longer', () => {
  expect([isIdle(60_000, 0, 6000), isIdle(60_001, 0, 6000)]).toEqual([false, true]);
  expect([isIdle(90_000, 0, 30_000), isIdle(90_001, 0, 30_000)]).toEqual([false, true]);
});

test('a log is fresh for one and a half target durations', () => {
  expect([isFresh(0, 2000, 3000), isFresh(0, 2000, 3001)]).toEqual([true, false]);
});
