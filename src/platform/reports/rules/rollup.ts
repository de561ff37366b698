// SPDX-License-Identifier: Apache-2.0
// The counts of a time range, and how the counts of two ranges are combined.
import { addBins, type Bins } from './bins.ts';
import { levels, peaked, type ReportName } from './catalogue.ts';
import type { Measurement } from './ports.ts';

export type Rollup = {
  readonly amounts: Readonly<Record<string, number>>;
  readonly peaks: Readonly<Record<string, number>>;
  readonly levels: Readonly<Record<string, number>>;
  readonly bins: Bins;
};

/** A rollup under construction. */
export type MutableRollup = {
  amounts: Record<string, number>;
  peaks: Record<string, number>;
  levels: Record<string, number>;
  bins: Record<number, number>;
};

export const emptyRollup = (): MutableRollup => ({ amounts: {}, peaks: {}, levels: {}, bins: {} });

function addAmounts(total: Record<string, number>, amounts: Readonly<Record<string, number>>): void {
  for (const name in amounts) total[name] = (total[name] ?? 0) + amounts[name]!;
}

/** Adds a later rollup: amounts are added, the greater peak and the later level are kept. */
export function addRollup(sum: MutableRollup, later: Rollup): void {
  addAmounts(sum.amounts, later.amounts);
  for (const [name, peak] of Object.entries(later.peaks)) sum.peaks[name] = Math.max(sum.peaks[name] ?? 0, peak);
  Object.assign(sum.levels, later.levels);
  addBins(sum.bins, later.bins);
}

/** Adds a measurement of the same report interval. Peaks are only known once the interval is complete (raisePeaks). */
export function addMeasurement(sum: MutableRollup, { report, amounts, bins }: Measurement): void {
  const asLevels = levels(report);
  for (const name in amounts) {
    const amount = amounts[name]!;
    if (asLevels.includes(name)) sum.levels[name] = amount;
    else sum.amounts[name] = (sum.amounts[name] ?? 0) + amount;
  }
  if (bins) addBins(sum.bins, bins);
}

/** Raises the peaks to the amounts of one complete report interval. */
export function raisePeaks(
  sum: MutableRollup,
  report: ReportName,
  intervalAmounts: Readonly<Record<string, number>>,
): void {
  for (const name of peaked(report)) {
    const amount = intervalAmounts[name];
    if (amount !== undefined) sum.peaks[name] = Math.max(sum.peaks[name] ?? 0, amount);
  }
}

type StoredRollup = { a?: object; p?: object; l?: object; b?: object };

const unlessEmpty = (name: keyof StoredRollup, value: object): StoredRollup =>
  Object.keys(value).length === 0 ? {} : { [name]: value };

export const writeRollup = ({ amounts, peaks, levels, bins }: Rollup): string =>
  JSON.stringify({
    ...unlessEmpty('a', amounts),
    ...unlessEmpty('p', peaks),
    ...unlessEmpty('l', levels),
    ...unlessEmpty('b', bins),
  });

export function readRollup(text: string): Rollup {
  const { a = {}, p = {}, l = {}, b = {} } = JSON.parse(text) as StoredRollup;
  return { amounts: a, peaks: p, levels: l, bins: b } as Rollup;
}
