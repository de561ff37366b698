// A report: every row of a range, zeros included, and the totals of the whole range. It knows how fields are made of what
// was measured; it refuses to know where that is kept, and how an answer is written.
import { AppError } from '../../errors.ts';
import type { Millis } from '../../time/units.ts';
import { percentile } from '../bins.ts';
import { catalogue, type Dimension, type Field, type Formula, type ReportName } from '../catalogue.ts';
import { REPORT_INTERVAL_MS } from '../event.ts';
import type { Cell, ReportStore, StoreQuery } from '../ports.ts';

/** More than this nobody reads, and charts cannot show. */
export const MAX_ROWS = 11_000;
const USUAL_ROWS = 300;

export type ReportRange = { readonly start: Millis; readonly end: Millis; readonly interval: number };

export type ReportQuery = {
  readonly report: ReportName;
  readonly start: Millis;
  readonly end: Millis;
  /** Milliseconds; as many as give 300 rows when it is not said. */
  readonly interval?: number;
  readonly channel?: string;
  readonly by?: Dimension;
};

export type ReportRow = { readonly time: string; readonly key?: string } & Readonly<Record<string, number | string>>;

export type ReportResult = ReportRange & {
  readonly fields: readonly Field[];
  readonly rows: readonly ReportRow[];
  readonly totals: Readonly<Record<string, number>>;
};

/** Milliseconds: breaks count where they air, which is minutes after they are decided. */
const AHEAD = 24 * 3_600_000;

const ceil = (value: number, step: number): number => Math.ceil(value / step) * step;

/**
 * The range as the store can answer it: from the beginning of a stretch to the end of one, rows as long as asked for,
 * rounded up.
 * @throws {AppError} VALIDATION_ERROR when there would be too many rows
 */
export function fitRange({ start, end, interval }: ReportQuery, store: ReportStore, now: Millis): ReportRange {
  const resolution = store.resolution(start, now);
  const from = start - (start % resolution);
  const to = ceil(end, resolution);
  const length = ceil(interval ?? (to - from) / USUAL_ROWS, resolution);
  const rows = Math.ceil((to - from) / length);
  if (rows <= MAX_ROWS) return { start: from as Millis, end: to as Millis, interval: length };
  const least = ceil((to - from) / MAX_ROWS, resolution);
  throw new AppError(
    'VALIDATION_ERROR',
    `${rows} rows are more than the ${MAX_ROWS} that one report has: ask for an interval of at least ${least} ms, or for a shorter range.`,
  );
}

function valueIn(formula: Formula, cell: Cell | undefined, stretches: number): number {
  if (cell === undefined) return 0;
  const { amounts, peaks, levels, bins } = cell;
  switch (formula.kind) {
    case 'sum':
      return (amounts[formula.of] ?? 0) / (formula.per ?? 1);
    case 'average':
      return stretches === 0 ? 0 : (amounts[formula.of] ?? 0) / stretches;
    case 'peak':
      return peaks[formula.of] ?? 0;
    case 'level':
      return levels[formula.of] ?? 0;
    case 'ratio': {
      const whole = amounts[formula.to] ?? 0;
      return whole === 0 ? 0 : (amounts[formula.of] ?? 0) / whole;
    }
    case 'percentile':
      return percentile(bins, formula.percent);
  }
}

/** Six decimals: what is behind them is the rounding of binary fractions. */
const rounded = (value: number): number => Math.round(value * 1e6) / 1e6;

const valuesOf = (fields: readonly Field[], cell: Cell | undefined, stretches: number): Record<string, number> =>
  Object.fromEntries(fields.map(({ name, formula }) => [name, rounded(valueIn(formula, cell, stretches))]));

/** Levels stay as they are until they are said anew. */
function holdLevels(cells: readonly Cell[], rows: number): (Cell | undefined)[] {
  const held = new Array<Cell | undefined>(rows);
  let last: Cell | undefined = cells.find(({ row }) => row < 0);
  const byRow = new Map(cells.map((cell) => [cell.row, cell]));
  for (let row = 0; row < rows; row += 1) {
    const cell = byRow.get(row);
    if (cell !== undefined) last = { ...cell, levels: { ...last?.levels, ...cell.levels } };
    held[row] = cell === undefined ? last : last;
  }
  return held;
}

/**
 * @param system as systemKey.ts names it
 * @throws {AppError} VALIDATION_ERROR for more rows than a report has
 */
export async function makeReport(
  system: string,
  asked: ReportQuery,
  store: ReportStore,
  now: Millis,
): Promise<ReportResult> {
  const range = fitRange(asked, store, now);
  const { start, end, interval } = range;
  const { fields } = catalogue[asked.report];
  const { channel, by, report } = asked;
  // Of the time to come nothing is looked for beyond what may be counted ahead: a range may end in ten thousand years.
  const known = Math.max(start + REPORT_INTERVAL_MS, Math.min(end, ceil(now + AHEAD, REPORT_INTERVAL_MS))) as Millis;
  const question: StoreQuery = {
    ...{ system, report, start, end: known, interval },
    ...(channel === undefined ? {} : { channel }),
  };
  const [cells, whole] = await Promise.all([
    store.read(by === undefined ? question : { ...question, by }, MAX_ROWS),
    store.read({ ...question, interval: end - start }, 2),
  ]);
  const count = Math.ceil((end - start) / interval);
  const begun = (from: number, to: number) => Math.max(0, Math.ceil((Math.min(to, now) - from) / REPORT_INTERVAL_MS));
  const rowAt = (row: number) => {
    const from = start + row * interval;
    return { time: new Date(from).toISOString(), stretches: begun(from, Math.min(from + interval, end)) };
  };
  const isLevel = fields.some(({ formula }) => formula.kind === 'level');
  const total = isLevel ? holdLevels(whole, 1)[0] : whole[0];
  return {
    ...range,
    fields,
    rows: by === undefined ? plainRows() : keyedRows(),
    totals: valuesOf(fields, total, begun(start, end)),
  };

  function plainRows(): ReportRow[] {
    const byRow = isLevel ? holdLevels(cells, count) : new Array<Cell | undefined>(count);
    if (!isLevel) for (const cell of cells) byRow[cell.row] = cell;
    return Array.from({ length: count }, (_, row) => {
      const { time, stretches } = rowAt(row);
      return { time, ...valuesOf(fields, byRow[row], stretches) };
    });
  }

  /** Every key has a row in every bucket. */
  function keyedRows(): ReportRow[] {
    const found = new Map(cells.map((cell) => [`${cell.row} ${cell.key}`, cell]));
    const keys = [...new Set(cells.map(({ key }) => key))].sort();
    const rows = count * Math.max(1, keys.length);
    if (rows > MAX_ROWS || cells.length > MAX_ROWS) throw tooManyKeys(keys.length, count, by!);
    return Array.from({ length: count }, (_, row) => {
      const { time, stretches } = rowAt(row);
      return keys.map((key) => ({ time, key, ...valuesOf(fields, found.get(`${row} ${key}`), stretches) }));
    }).flat();
  }
}

function tooManyKeys(keys: number, rows: number, by: Dimension): AppError {
  const most = Math.max(1, Math.floor(MAX_ROWS / keys));
  return new AppError(
    'VALIDATION_ERROR',
    `${rows} rows for each ${by}, of which there are at least ${keys}, are more than the ${MAX_ROWS} rows that one report has: ask for a longer interval or a shorter range, ${most} rows at most.`,
  );
}
