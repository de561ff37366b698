// SPDX-License-Identifier: Apache-2.0
// The counts of a time range, and how the counts of two ranges are combined.
import { addCounts } from './bins.ts';
import { levels, peaked, type ReportName } from './catalogue.ts';
import type { Cell, Measurement, Rollup } from './ports.ts';

type Amounts = Record<string, number>;

/** A rollup under construction. */
export type MutableRollup = { amounts: Amounts; peaks: Amounts; levels: Amounts; bins: Record<number, number> };

export const emptyRollup = (): MutableRollup => ({ amounts: {}, peaks: {}, levels: {}, bins: {} });

/** Keeps the greater of two peaks. */
export function keepGreater(peaks: Amounts, others: Readonly<Amounts>): void {
  for (const [name, peak] of Object.entries(others)) peaks[name] = Math.max(peaks[name] ?? 0, peak);
}

/** Adds a later rollup: amounts are added, the greater peak and the later level are kept. */
export function addRollup(sum: MutableRollup, later: Rollup): void {
  addCounts(sum.amounts, later.amounts);
  keepGreater(sum.peaks, later.peaks);
  Object.assign(sum.levels, later.levels);
  addCounts(sum.bins, later.bins);
}

/** Adds each cell to the sum with its key. */
export function addCells(
  sums: Map<string, MutableRollup>,
  cells: readonly Cell[],
  keyOf = ({ key }: Cell) => key,
): void {
  for (const cell of cells) {
    const key = keyOf(cell);
    const sum = sums.get(key) ?? emptyRollup();
    addRollup(sum, cell);
    sums.set(key, sum);
  }
}

/** Adds a measurement of the same report interval. Peaks are only known once the interval is complete (raisePeaks). */
export function addMeasurement(sum: MutableRollup, { report, amounts, bins = {} }: Measurement): void {
  for (const [name, amount] of Object.entries(amounts)) {
    if (levels[report].includes(name)) sum.levels[name] = amount;
    else sum.amounts[name] = (sum.amounts[name] ?? 0) + amount;
  }
  addCounts(sum.bins, bins);
}

/** Raises the peaks to the amounts of one complete report interval. */
export function raisePeaks(sum: MutableRollup, report: ReportName, intervalAmounts: Readonly<Amounts>): void {
  for (const name of peaked[report]) {
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
