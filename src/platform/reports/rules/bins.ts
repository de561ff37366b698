// SPDX-License-Identifier: Apache-2.0
// A mergeable histogram of positive numbers: each bin is 4 % wider than the one before, so every value is within 2 % of
// the value that represents its bin.

/** The number of values in each bin, by bin number. */
export type Bins = Readonly<Record<number, number>>;

const GROWTH = 1.04;
const LOG_GROWTH = Math.log(GROWTH);
/** Smaller values count as this one. */
const MIN_VALUE = 0.01;
export const LAST_BIN = 600;

/** @param value in any unit, at least 0. @returns the number of its bin, from 0 to 600 */
export const binOf = (value: number): number =>
  value <= MIN_VALUE ? 0 : Math.min(LAST_BIN, Math.ceil(Math.log(value / MIN_VALUE) / LOG_GROWTH));

/** The value whose relative distance to both borders of the bin is the same. */
export const valueOfBin = (bin: number): number =>
  bin === 0 ? MIN_VALUE : (2 * MIN_VALUE * GROWTH ** bin) / (GROWTH + 1);

/** Adds counts by bin, or by any other name. */
export function addCounts(total: Record<number, number>, counts: Readonly<Record<number, number>>): void {
  for (const name in counts) total[name] = (total[name] ?? 0) + (counts[name] ?? 0);
}

/**
 * The nearest-rank percentile: the smallest value that at least `percent` of 100 values do not exceed, within 2 %.
 * @param percent more than 0, at most 100. @returns 0 if the histogram is empty
 */
export function percentile(bins: Bins, percent: number): number {
  const total = Object.values(bins).reduce((sum, count) => sum + count, 0);
  let remaining = Math.max(1, Math.ceil((total * percent) / 100));
  // Keys that are array indices are enumerated in ascending order (ECMA-262 §10.1.11.1).
  for (const [bin, count] of Object.entries(bins)) {
    remaining -= count;
    if (remaining <= 0) return valueOfBin(Number(bin));
  }
  return 0;
}
