// A histogram that can be added to another: counts in bins whose borders grow by 4 %, so that every value of a bin is
// within 2 % of the value that stands for it. It knows positive numbers; it refuses to know what they measure.

/** How many values fell into each bin, by the bin's number. */
export type Bins = Readonly<Record<number, number>>;

const GROWTH = 1.04;
const PER_BIN = Math.log(GROWTH);
/** What is smaller is counted as this. */
const LEAST = 0.01;
export const LAST_BIN = 600;

/** @param value in any unit, at least 0. @returns the number of its bin, from 0 to 600 */
export const binOf = (value: number): number =>
  value <= LEAST ? 0 : Math.min(LAST_BIN, Math.ceil(Math.log(value / LEAST) / PER_BIN));

/** The value that is as far, in proportion, from the lower border of the bin as from the upper. */
export const valueOfBin = (bin: number): number => (bin === 0 ? LEAST : (2 * LEAST * GROWTH ** bin) / (GROWTH + 1));

export function addBins(total: Record<number, number>, bins: Bins): void {
  for (const bin in bins) total[bin] = (total[bin] ?? 0) + bins[bin]!;
}

/**
 * The nearest-rank percentile: the least value that so many of a hundred values do not exceed, within 2 %.
 * @param percent more than 0, at most 100. @returns 0 when there is no value
 */
export function percentile(bins: Bins, percent: number): number {
  let total = 0;
  for (const bin in bins) total += bins[bin]!;
  let missing = Math.max(1, Math.ceil((total * percent) / 100));
  // Names that are whole numbers come in their order (ECMA-262 §10.1.11.1).
  for (const bin in bins) {
    missing -= bins[bin]!;
    if (missing <= 0) return valueOfBin(Number(bin));
  }
  return 0;
}
