// SPDX-License-Identifier: Apache-2.0
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addCounts, type Bins, binOf, percentile, valueOfBin } from './bins.ts';

const binsOf = (values: readonly number[]): Bins => {
  const bins: Record<number, number> = {};
  for (const value of values) bins[binOf(value)] = (bins[binOf(value)] ?? 0) + 1;
  return bins;
};
/** Nearest rank, from the values themselves. */
function exactPercentile(values: readonly number[], percent: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1)]!;
}
const latency = fc.oneof(
  fc.double({ min: 0.01, max: 5, noNaN: true }),
  fc.double({ min: 1, max: 100_000, noNaN: true }),
  fc.integer({ min: 1, max: 3000 }),
);

test('percentiles are within 2 % of the exact value, also for merged histograms', () => {
  fc.assert(
    fc.property(
      fc.array(latency, { minLength: 1, maxLength: 300 }),
      fc.nat(300),
      fc.constantFrom(50, 95, 99, 100),
      (values, cut, percent) => {
        const whole: Record<number, number> = {};
        addCounts(whole, binsOf(values.slice(0, cut)));
        addCounts(whole, binsOf(values.slice(cut)));
        expect(whole).toEqual(binsOf(values));
        const expected = exactPercentile(values, percent);
        expect(Math.abs(percentile(whole, percent) - expected)).toBeLessThanOrEqual(0.02 * expected);
      },
    ),
  );
});

test('every value is within 2 % of the value of its bin, and bins are in ascending order', () => {
  fc.assert(
    fc.property(latency, (value) => {
      expect(Math.abs(valueOfBin(binOf(value)) / value - 1)).toBeLessThanOrEqual(0.02);
    }),
  );
  for (let bin = 1; bin < 600; bin += 1) {
    expect(binOf(valueOfBin(bin))).toBe(bin);
    expect(valueOfBin(bin)).toBeGreaterThan(valueOfBin(bin - 1));
  }
});

test('an empty histogram has percentile 0, and extreme values are counted in the first or last bin', () => {
  expect(percentile({}, 99)).toBe(0);
  expect([binOf(0), binOf(0.01), binOf(1e300), binOf(Number.POSITIVE_INFINITY)]).toEqual([0, 0, 600, 600]);
});
