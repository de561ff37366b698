import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addBins, type Bins, binOf, percentile, valueOfBin } from './bins.ts';

const binsOf = (values: readonly number[]): Bins => {
  const bins: Record<number, number> = {};
  for (const value of values) bins[binOf(value)] = (bins[binOf(value)] ?? 0) + 1;
  return bins;
};
/** Nearest rank, from the values themselves. */
function exactly(values: readonly number[], percent: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1)]!;
}
const latency = fc.oneof(
  fc.double({ min: 0.01, max: 5, noNaN: true }),
  fc.double({ min: 1, max: 100_000, noNaN: true }),
  fc.integer({ min: 1, max: 3000 }),
);

test('percentiles of any values are within 2 %, also when the histogram was added up from several', () => {
  fc.assert(
    fc.property(
      fc.array(latency, { minLength: 1, maxLength: 300 }),
      fc.nat(300),
      fc.constantFrom(50, 95, 99, 100),
      (values, cut, percent) => {
        const whole: Record<number, number> = {};
        addBins(whole, binsOf(values.slice(0, cut)));
        addBins(whole, binsOf(values.slice(cut)));
        expect(whole).toEqual(binsOf(values));
        const wanted = exactly(values, percent);
        expect(Math.abs(percentile(whole, percent) - wanted)).toBeLessThanOrEqual(0.02 * wanted);
      },
    ),
  );
});

test('every value stands within 2 % of the value of its bin; a bin follows a bin', () => {
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

test('nothing has no percentile; the odd ends are counted somewhere', () => {
  expect(percentile({}, 99)).toBe(0);
  expect([binOf(0), binOf(0.01), binOf(1e300), binOf(Number.POSITIVE_INFINITY)]).toEqual([0, 0, 600, 600]);
});
