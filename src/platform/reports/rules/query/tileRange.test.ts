// SPDX-License-Identifier: Apache-2.0
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { steps, tileRange } from './tileRange.ts';

const [SECONDS, MINUTE, HOUR, DAY] = steps;
const range = fc
  .record({
    unit: fc.constantFrom(...steps),
    start: fc.integer({ min: 1, max: 5_000_000 }),
    rows: fc.integer({ min: 1, max: 400 }),
    interval: fc.integer({ min: 1, max: 300 }),
    less: fc.nat(299),
  })
  .map(({ unit, start, rows, interval, less }) => ({
    start: start * unit,
    interval: interval * unit,
    end: start * unit + Math.max(1, rows * interval - (less % interval)) * unit,
  }));

test('tiles cover the range, and no stored interval crosses the border of two rows', () => {
  fc.assert(
    fc.property(range, ({ start, end, interval }) => {
      let at = start;
      for (const { step, from, to } of tileRange(start, end, interval)) {
        expect(from).toBe(at);
        expect([from % step, to % step]).toEqual([0, 0]);
        // Rows begin where a stored interval begins.
        const first = start + Math.ceil((from + 1 - start) / interval) * interval;
        for (let border = first; border < to; border += interval) expect(border % step).toBe(0);
        at = to;
      }
      expect(at).toBe(end);
    }),
  );
});

test('no resolution is used that is finer than the range requires', () => {
  fc.assert(
    fc.property(range, ({ start, end, interval }) => {
      const finest = [...steps].reverse().find((step) => [start, end, interval].every((time) => time % step === 0))!;
      for (const { step } of tileRange(start, end, interval)) expect(step).toBeGreaterThanOrEqual(finest);
    }),
  );
});

test('a year by weeks that do not begin at midnight UTC is read from days, and from hours at the borders of weeks', () => {
  const tiles = tileRange(5 * HOUR, 5 * HOUR + 364 * DAY, 7 * DAY);
  const intervals = (step: number) =>
    tiles.filter((tile) => tile.step === step).reduce((sum, { from, to }) => sum + (to - from) / step, 0);
  expect([intervals(DAY), intervals(HOUR), intervals(MINUTE), intervals(SECONDS)]).toEqual([52 * 6, 52 * 24, 0, 0]);
  expect(tileRange(0, 365 * DAY, DAY)).toEqual([{ step: DAY, from: 0, to: 365 * DAY }]);
});
