// What was counted in a stretch of time, and how two of them become one. Pure: it knows sums, peaks, levels and bins; it
// refuses to know tables and time zones.
import { addBins, type Bins } from './bins.ts';
import { levels, peaked, type ReportName } from './catalogue.ts';
import type { Measurement } from './ports.ts';

export type Rollup = {
  readonly amounts: Readonly<Record<string, number>>;
  readonly peaks: Readonly<Record<string, number>>;
  readonly levels: Readonly<Record<string, number>>;
  readonly bins: Bins;
};

/** One that is being added to. */
export type Sum = {
  amounts: Record<string, number>;
  peaks: Record<string, number>;
  levels: Record<string, number>;
  bins: Record<number, number>;
};

export const emptySum = (): Sum => ({ amounts: {}, peaks: {}, levels: {}, bins: {} });

function addAmounts(total: Record<string, number>, amounts: Readonly<Record<string, number>>): void {
  for (const name in amounts) total[name] = (total[name] ?? 0) + amounts[name]!;
}

/** What comes later: sums add up, the greater peak stays, the later level is right. */
export function addRollup(sum: Sum, later: Rollup): void {
  addAmounts(sum.amounts, later.amounts);
  for (const [name, peak] of Object.entries(later.peaks)) sum.peaks[name] = Math.max(sum.peaks[name] ?? 0, peak);
  Object.assign(sum.levels, later.levels);
  addBins(sum.bins, later.bins);
}

/** A measurement added to what was measured in the same stretch: levels are told apart, peaks are not known yet. */
export function addMeasurement(sum: Sum, { report, amounts, bins }: Measurement): void {
  const isLevel = new Set(levels(report));
  for (const [name, amount] of Object.entries(amounts)) {
    if (isLevel.has(name)) sum.levels[name] = amount;
    else sum.amounts[name] = (sum.amounts[name] ?? 0) + amount;
  }
  if (bins) addBins(sum.bins, bins);
}

/** Raises the peaks to the amounts of one whole stretch of 10 s. */
export function raisePeaks(sum: Sum, report: ReportName, stretch: Readonly<Record<string, number>>): void {
  for (const name of peaked(report)) {
    const amount = stretch[name];
    if (amount !== undefined) sum.peaks[name] = Math.max(sum.peaks[name] ?? 0, amount);
  }
}

type Written = { a?: object; p?: object; l?: object; b?: object };

const orNothing = (name: keyof Written, value: object): Written =>
  Object.keys(value).length === 0 ? {} : { [name]: value };

export const writeRollup = ({ amounts, peaks, levels, bins }: Rollup): string =>
  JSON.stringify({
    ...orNothing('a', amounts),
    ...orNothing('p', peaks),
    ...orNothing('l', levels),
    ...orNothing('b', bins),
  });

export function readRollup(text: string): Rollup {
  const { a = {}, p = {}, l = {}, b = {} } = JSON.parse(text) as Written;
  return { amounts: a, peaks: p, levels: l, bins: b } as Rollup;
}
