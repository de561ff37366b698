// The installation's own store of what was counted. Batches are appended as they come, a stretch of 10 s each; longer
// stretches are made of them later (sqlReportCompaction.ts). What is read is always the longer stretches and whatever has not
// been carried into them yet: nothing is missing and nothing counts twice, whoever carries at the same time.
import { setImmediate as breathe } from 'node:timers/promises';
import { sql } from 'kysely';
import { levels } from '../../../reports/catalogue.ts';
import type { Batch, Cell, Measurement, ReportStore, StoreQuery } from '../../../reports/ports.ts';
import { steps, type Tile, tileRange } from '../../../reports/query/cover.ts';
import {
  addMeasurement,
  addRollup,
  emptySum,
  raisePeaks,
  readRollup,
  type Sum,
  writeRollup,
} from '../../../reports/rollup.ts';
import type { Sql } from '../sql.ts';
import { isUniqueViolation } from '../uniqueViolation.ts';
import { type Series, type SeriesNumbers, sqlReportSeries } from './sqlReportSeries.ts';

/** Milliseconds for which stretches are kept, by their length: 10 s, a minute, an hour and a day. */
export type Retention = readonly [seconds: number, minutes: number, hours: number, days: number];

const DAY = 86_400_000;

/** @param days for which stretches of 10 s, of a minute and of an hour are kept; those of a day as long as those of an hour */
export const reportRetention = (days: { seconds?: number; minutes?: number; hours?: number } = {}): Retention => {
  const { seconds = 1, minutes = 30, hours = 750 } = days;
  return [
    seconds * DAY,
    Math.max(seconds, minutes) * DAY,
    Math.max(seconds, minutes, hours) * DAY,
    Math.max(seconds, minutes, hours) * DAY,
  ];
};

type RollupRow = {
  readonly series: number;
  readonly step: number;
  readonly at: number;
  readonly key: string;
  readonly body: string;
};

/** Whoever asks for the last day means the day before their question left. Nothing is let go that may be asked for. */
export const GRACE = 3_600_000;

const ROWS_AT_ONCE = 100;
/** Stretches read before others are let in: SQLite reads in the thread that answers players. */
const READ_AT_ONCE = 4000;
const RANGES_AT_ONCE = 100;

/** Where a measurement is added: its channel's and everybody's, told apart by nothing and by each of its keys. */
function placesOf(system: string, { report, channel, keys }: Measurement): { series: Series; key: string }[] {
  const channels = channel === '' ? [''] : ['', channel];
  const told = [['', ''], ...Object.entries(keys)] as [Series['dimension'], string][];
  return channels.flatMap((one) =>
    told.map(([dimension, key]) => ({ series: { system, report, dimension, channel: one }, key })),
  );
}

/** @param now when a batch came, which is forgotten after a while */
export function sqlReports(store: Sql, keep: Retention, now: () => number = Date.now): ReportStore {
  const { db } = store;
  const numbers = sqlReportSeries(store);

  async function rowsOf({ system, measurements }: Batch): Promise<RollupRow[]> {
    const placed = measurements.map((one) => ({ one, places: placesOf(system, one) }));
    const names = new Map<string, Series>();
    for (const { series } of placed.flatMap(({ places }) => places))
      names.set(Object.values(series).join('\n'), series);
    const numberOf = await numbers.ensure([...names.values()]);
    const sums = new Map<string, { row: Omit<RollupRow, 'body'>; sum: Sum }>();
    for (const { one, places } of placed) {
      for (const { series, key } of places) {
        const row = { series: numberOf(series), step: steps[0], at: one.at, key };
        const name = `${row.series} ${row.at} ${key}`;
        const known = sums.get(name) ?? { row, sum: emptySum() };
        addMeasurement(known.sum, one);
        sums.set(name, known);
      }
    }
    return [...sums.values()].map(({ row, sum }) => ({ ...row, body: writeRollup(sum) }));
  }

  return {
    async add(batch) {
      const rows = await rowsOf(batch);
      const once = db.insertInto('report_batches').values({ id: batch.id, at: now() });
      const inserts = [];
      for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) {
        const values = rows.slice(from, from + ROWS_AT_ONCE).map((row) => ({ ...row, carried: 0 }));
        inserts.push(db.insertInto('report_rollups').values(values));
      }
      try {
        await store.atomically([once, ...inserts]);
      } catch (error) {
        if (!isUniqueViolation(error)) throw error;
      }
    },
    resolution(from, now) {
      const level = steps.findIndex((_, index) => from >= now - keep[index]! - GRACE);
      return steps[level < 0 ? 2 : Math.min(2, level)]!;
    },
    read: (question, most) => readCells(store, numbers, question, most),
  };
}

/** The series that a question is about, and what the rows of each are called: by their own keys, or by its channel. */
async function seriesFor(
  numbers: SeriesNumbers,
  { system, report, channel = '', by }: StoreQuery,
): Promise<Map<number, string | undefined>> {
  if (by === 'channel') {
    const all = await numbers.channels(system, report);
    const asked = channel === '' ? all : all.filter((one) => one.channel === channel);
    return new Map(asked.map((one) => [one.id, one.channel]));
  }
  const id = await numbers.find({ system, report, dimension: by ?? '', channel });
  return new Map(id === undefined ? [] : [[id, undefined]]);
}

/** Pieces of a cover that are each read in a moment. */
function* pieces(tiles: readonly Tile[], series: number): Generator<Tile[]> {
  let piece: Tile[] = [];
  let size = 0;
  for (const tile of tiles) {
    for (let from = tile.from; from < tile.to; ) {
      const room = Math.max(1, Math.floor((READ_AT_ONCE - size) / series));
      const to = Math.min(tile.to, from + room * tile.step);
      piece.push({ ...tile, from, to });
      size += ((to - from) / tile.step) * series;
      from = to;
      if (size >= READ_AT_ONCE || piece.length >= RANGES_AT_ONCE) {
        yield piece;
        piece = [];
        size = 0;
      }
    }
  }
  if (piece.length > 0) yield piece;
}

async function readCells(store: Sql, numbers: SeriesNumbers, question: StoreQuery, most: number): Promise<Cell[]> {
  const { start, end, interval, report } = question;
  const series = await seriesFor(numbers, question);
  if (series.size === 0) return [];
  const cells = new Map<string, { row: number; key: string; sum: Sum }>();
  for (const piece of pieces(tileRange(start, end, interval), series.size)) {
    const stretches = new Map<string, { cell: Sum; amounts: Record<string, number> }>();
    for (const { series: number, step, at, key, body } of await readPiece(store, [...series.keys()], piece)) {
      const row = Math.floor((at - start) / interval);
      const shown = series.get(number) ?? key;
      const name = `${row} ${shown}`;
      const cell = cells.get(name) ?? { row, key: shown, sum: emptySum() };
      cells.set(name, cell);
      const rollup = readRollup(body);
      addRollup(cell.sum, rollup);
      if (step !== steps[0]) continue;
      const stretch = stretches.get(`${at} ${shown}`) ?? { cell: cell.sum, amounts: {} };
      for (const [amount, value] of Object.entries(rollup.amounts)) {
        stretch.amounts[amount] = (stretch.amounts[amount] ?? 0) + value;
      }
      stretches.set(`${at} ${shown}`, stretch);
    }
    for (const { cell, amounts } of stretches.values()) raisePeaks(cell, report, amounts);
    if (cells.size > most) break;
    await breathe();
  }
  if (levels(report).length > 0) await addLevelBefore(store, [...series.keys()], start, cells);
  return [...cells.values()].sort((a, b) => a.row - b.row).map(({ row, key, sum }) => ({ row, key, ...sum }));
}

/** One statement, one state of the store: what is carried meanwhile is seen either before or after, never twice. */
async function readPiece({ db }: Sql, series: readonly number[], piece: readonly Tile[]): Promise<RollupRow[]> {
  const ranges = sql.join(
    piece.map(({ step, from, to }) => sql`(cast(${step} as integer), cast(${from} as bigint), cast(${to} as bigint))`),
  );
  const { rows } = await sql<RollupRow>`
    with ranges(step, low, high) as (values ${ranges})
    select r.seq, r.series, r.step, r.at, r.key, r.body
      from ranges join report_rollups r on r.step = ranges.step and r.at >= ranges.low and r.at < ranges.high
     where r.series in (${sql.join(series)})
    union all
    select r.seq, r.series, r.step, r.at, r.key, r.body
      from report_rollups r cross join ranges
     where r.series in (${sql.join(series)}) and r.carried = 0
       and r.at >= ${piece[0]!.from} and r.at < ${piece.at(-1)!.to}
       and r.step < ranges.step and r.at >= ranges.low and r.at < ranges.high
    order by 4, 1`.execute(db);
  return rows;
}

/** What was said last before the first row. */
async function addLevelBefore(
  { db }: Sql,
  series: readonly number[],
  start: number,
  cells: Map<string, { row: number; key: string; sum: Sum }>,
): Promise<void> {
  let latest: { until: number; body: string } | undefined;
  for (const step of steps) {
    const row = await db
      .selectFrom('report_rollups')
      .select(['at', 'body'])
      .where('series', 'in', series)
      .where('step', '=', step)
      .where('at', '<=', start - step)
      .orderBy('at', 'desc')
      .orderBy('seq', 'desc')
      .limit(1)
      .executeTakeFirst();
    if (row !== undefined && row.at + step > (latest?.until ?? 0)) latest = { until: row.at + step, body: row.body };
  }
  if (latest === undefined) return;
  const sum = emptySum();
  addRollup(sum, readRollup(latest.body));
  cells.set('before', { row: -1, key: '', sum: { ...emptySum(), levels: sum.levels } });
}
