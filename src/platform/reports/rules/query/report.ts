// SPDX-License-Identifier: Apache-2.0
// Computes a report: every row of a range, including zeros, and the totals of the range.
import { AppError } from '../../../../errors.ts';
import { REPORT_INTERVAL_MS } from '../../../../time/reportInterval.ts';
import type { Millis } from '../../../../time/units.ts';
import { percentile } from '../bins.ts';
import { catalogue, type Dimension, type Formula } from '../catalogue.ts';
import type { Cell, ReportStore, StoreQuery } from '../ports.ts';
import { currencyIn, type ShownField } from '../reportFields.ts';

const MAX_ROWS = 11_000;
const DEFAULT_ROWS = 300;

type ReportRange = Pick<StoreQuery, 'start' | 'end' | 'interval'>;

export type ReportQuery = Omit<StoreQuery, 'system' | 'interval'> & {
  /** Milliseconds. Default: the length that results in at most 300 rows. */
  readonly interval?: number;
  /** Whether fields of money are included. */
  readonly showsPrices?: boolean;
};

type ReportRow = { readonly time: string; readonly key?: string } & Readonly<Record<string, number | string>>;

export type ReportResult = ReportRange & {
  readonly fields: readonly ShownField[];
  readonly rows: readonly ReportRow[];
  readonly totals: Readonly<Record<string, number>>;
};

/** Milliseconds. Breaks count when they air, which is minutes after they are decided. */
const MAX_AHEAD = 24 * 3_600_000;

const ceil = (value: number, step: number): number => Math.ceil(value / step) * step;

/** Rounds the range and the row length up to the resolution that the store has. */
function fitRange({ start, end, interval }: ReportQuery, store: ReportStore, now: Millis): ReportRange {
  const resolution = store.resolution(start, now);
  const from = start - (start % resolution);
  const to = ceil(end, resolution);
  const length = ceil(interval ?? (to - from) / DEFAULT_ROWS, resolution);
  const rows = Math.ceil((to - from) / length);
  if (rows <= MAX_ROWS) return { start: from as Millis, end: to as Millis, interval: length };
  const least = ceil((to - from) / MAX_ROWS, resolution);
  throw new AppError(
    'VALIDATION_ERROR',
    `A report must have at most ${MAX_ROWS} rows; got ${rows}. Use an interval of at least ${least} ms or a shorter range.`,
  );
}

function valueIn(formula: Formula, cell: Cell | undefined, intervals: number): number {
  if (cell === undefined) return 0;
  const { amounts, peaks, levels, bins } = cell;
  switch (formula.kind) {
    case 'sum':
      return (amounts[formula.of] ?? 0) / formula.per;
    case 'average':
      return intervals === 0 ? 0 : (amounts[formula.of] ?? 0) / intervals;
    case 'peak':
      return peaks[formula.of] ?? 0;
    case 'level':
      return levels[formula.of] ?? 0;
    case 'ratio': {
      const whole = amounts[formula.to] ?? 0;
      return whole === 0 ? 0 : (amounts[formula.of] ?? 0) / whole;
    }
    case 'difference':
      return Math.max(0, (amounts[formula.of] ?? 0) - (amounts[formula.less] ?? 0)) / formula.per;
    case 'percentile':
      return percentile(bins, formula.percent);
    case 'money':
      return 0;
  }
}

/** Amounts of money are in millionths for a thousand (ads/record/offer.ts). */
const MONEY = 1e9;

/** The fields of a report. A field of money becomes one for each currency that was counted. */
function fieldsOf({ report, showsPrices }: ReportQuery, amounts: Cell['amounts'] = {}): ShownField[] {
  const counted = Object.keys(amounts).filter((name) => amounts[name] !== 0);
  return catalogue[report].fields.flatMap((field): ShownField[] => {
    const { formula } = field;
    if (formula.kind !== 'money') return [field];
    if (showsPrices !== true) return [];
    const found = counted.flatMap((name) => currencyIn(name, formula) ?? []).sort();
    return found.map((unit) => {
      const name = `${formula.of}${unit}`;
      return { ...field, name, unit, formula: { kind: 'sum', of: name, per: MONEY } };
    });
  });
}

/** Rounds to six decimals, to remove the rounding errors of binary fractions. */
export const rounded = (value: number): number => Math.round(value * 1e6) / 1e6;

const valuesOf = (fields: readonly ShownField[], cell: Cell | undefined, intervals: number): Record<string, number> =>
  Object.fromEntries(fields.map(({ name, formula }) => [name, rounded(valueIn(formula, cell, intervals))]));

/** A level keeps its value until the next measurement. */
function holdLevels(cells: readonly Cell[], rows: number): (Cell | undefined)[] {
  let last = cells.find(({ row }) => row < 0);
  const byRow = new Map(cells.map((cell) => [cell.row, cell]));
  return Array.from({ length: rows }, (_, row) => {
    const cell = byRow.get(row);
    if (cell !== undefined) last = { ...cell, levels: { ...last?.levels, ...cell.levels } };
    return last;
  });
}

/** @param system from systemKey @throws {AppError} VALIDATION_ERROR if there would be too many rows */
export async function makeReport(
  system: string,
  query: ReportQuery,
  store: ReportStore,
  now: Millis,
): Promise<ReportResult> {
  const range = fitRange(query, store, now);
  const { start, end, interval } = range;
  const { by, showsPrices: _, ...selection } = query;
  // A range may end in ten thousand years; nothing is counted that far ahead.
  const known = Math.max(start + REPORT_INTERVAL_MS, Math.min(end, ceil(now + MAX_AHEAD, REPORT_INTERVAL_MS)));
  const whole: StoreQuery = { ...selection, system, start, end: known as Millis, interval: end - start };
  const [cells, totals] = await Promise.all([
    store.read({ ...whole, interval, ...(by === undefined ? {} : { by }) }, MAX_ROWS),
    store.read(whole, 2),
  ]);
  const fields = fieldsOf(query, totals[0]?.amounts);
  const count = Math.ceil((end - start) / interval);
  const keys = by === undefined ? [''] : [...new Set(cells.map(({ key }) => key))].sort();
  if (by !== undefined && (count * Math.max(1, keys.length) > MAX_ROWS || cells.length > MAX_ROWS))
    throw tooManyKeys(keys.length, count, by);
  const begun = (from: number, to: number) => Math.max(0, Math.ceil((Math.min(to, now) - from) / REPORT_INTERVAL_MS));
  const found = new Map(cells.map((cell) => [`${cell.row} ${cell.key}`, cell]));
  const isLevel = fields.some(({ formula }) => formula.kind === 'level');
  const held = isLevel ? holdLevels(cells, count) : [];
  /** Every key has a row for every interval. */
  const rowsOf = (row: number): ReportRow[] => {
    const from = start + row * interval;
    const time = new Date(from).toISOString();
    const intervals = begun(from, Math.min(from + interval, end));
    return keys.map((key) => {
      const values = valuesOf(fields, isLevel ? held[row] : found.get(`${row} ${key}`), intervals);
      return by === undefined ? { time, ...values } : { time, key, ...values };
    });
  };
  return {
    ...range,
    fields,
    rows: Array.from({ length: count }, (_, row) => rowsOf(row)).flat(),
    totals: valuesOf(fields, isLevel ? holdLevels(totals, 1)[0] : totals[0], begun(start, end)),
  };
}

function tooManyKeys(keys: number, rows: number, by: Dimension): AppError {
  const most = Math.max(1, Math.floor(MAX_ROWS / keys));
  return new AppError(
    'VALIDATION_ERROR',
    `A report must have at most ${MAX_ROWS} rows; got ${rows} for each of at least ${keys} values of ${by}. Use a longer interval or a shorter range, with at most ${most} rows per value.`,
  );
}
