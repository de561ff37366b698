// SPDX-License-Identifier: Apache-2.0
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { framesToSeconds, snapFrameRate } from './frameRate.ts';
import { isoText, type Millis } from './units.ts';

test.each([
  [23.976, 24000, 1001],
  [23.98, 24000, 1001],
  [23.976023976, 24000, 1001],
  [24, 24, 1],
  [25, 25, 1],
  [25.001, 25, 1],
  [29.97, 30000, 1001],
  [29.97, 30000, 1001],
  [30, 30, 1],
  [50, 50, 1],
  [59.94, 60000, 1001],
  [60, 60, 1],
  [119.88, 120000, 1001],
  [12.5, 25, 2],
  [14.985, 15000, 1001],
  [9.9, 99, 10],
  [1, 1, 1],
])('snaps %f to %i/%i', (decimal, n, d) => {
  expect(snapFrameRate(decimal)).toEqual({ n, d });
});

test.each([0, -25, 0.5, 90_000, Number.NaN, Number.POSITIVE_INFINITY])('rejects %f', (decimal) => {
  expect(snapFrameRate(decimal)).toBeUndefined();
});

test('frames last n/d of a second', () => {
  expect(framesToSeconds(60, { n: 30_000, d: 1001 })).toBe(2.002);
});

test('writes what toISOString writes', () => {
  const instant = fc.integer({ min: -8.64e15, max: 8.64e15 });
  const recent = fc.integer({ min: 0, max: 4e12 });
  const fraction = fc.double({ min: 0, max: 4e12, noNaN: true });
  fc.assert(
    fc.property(fc.oneof(recent, instant, fraction), (at) => {
      expect(isoText(at as Millis)).toBe(new Date(at).toISOString());
      expect(isoText(at as Millis)).toBe(new Date(at).toISOString());
    }),
  );
});
