// SPDX-License-Identifier: Apache-2.0
// The installation's own report store. Batches are appended as counts of 10 s intervals; sqlReportCompaction.ts rolls
// them up into longer intervals. A read combines longer intervals with all rows that are not part of them yet, so it
// neither misses nor doubles a count, even during a compaction. What is counted is left to src/platform/reports.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql } from 'kysely';
import { inChunks } from '../../../../adapters/inChunks.ts';
import type { Sql } from '../../../../adapters/sql/sql.ts';
import { isStoredOnce } from '../../../../adapters/sql/uniqueViolation.ts';
import { addCounts } from '../../rules/bins.ts';
import { levels } from '../../rules/catalogue.ts';
import type { Batch, Cell, Measurement, ReportStore, StoreQuery } from '../../rules/ports.ts';
import { steps, type Tile, tileRange } from '../../rules/query/tileRange.ts';
import {
  addMeasurement,
  addRollup,
  emptyRollup,
  type MutableRollup,
  raisePeaks,
  readRollup,
  writeRollup,
} from '../../rules/rollup.ts';
import { type Series, type SeriesNumbers, sqlReportSeries } from './sqlReportSeries.ts';

const [SECONDS, MINUTE, HOUR, DAY] = steps;

/** For how many milliseconds intervals of each length are kept. */
export type Retention = Readonly<Record<(typeof steps)[number], number>>;

/** From days for intervals of 10 s, a minute and an hour; those of a day are kept as long as those of an hour. */
export function reportRetention({
  REPORT_DAYS_FINE: seconds = 1,
  REPORT_DAYS_MINUTE: minutes = 30,
  REPORT_DAYS_HOUR: hours = 750,
} = {}): Retention {
  const longest = Math.max(seconds, minutes, hours) * DAY;
  return { [SECONDS]: seconds * DAY, [MINUTE]: Math.max(seconds, minutes) * DAY, [HOUR]: longest, [DAY]: longest };
}

type RollupRow = Readonly<Record<'series' | 'step' | 'at', number> & Record<'key' | 'body', string>>;

/** Rows outlive their retention by this, so that a request for the last day still finds the whole day. */
export const GRACE = 3_600_000;

const ROWS_PER_STATEMENT = 100;
/** Intervals per query: SQLite reads in the thread that serves viewers, so other work gets a turn between queries. */
const MAX_INTERVALS_PER_QUERY = 4000;
const MAX_RANGES_PER_QUERY = 100;

/** The series of a measurement: of its channel and of all channels, ungrouped and grouped by each of its keys. */
function placesOf(system: string, { report, channel, keys }: Measurement): { series: Series; key: string }[] {
  const channels = channel === '' ? [''] : ['', channel];
  const dimensions = [['', ''], ...Object.entries(keys)] as [Series['dimension'], string][];
  return channels.flatMap((one) =>
    dimensions.map(([dimension, key]) => ({ series: { system, report, dimension, channel: one }, key })),
  );
}

/** @param now the time of a batch, whose id is removed after a while */
export function sqlReports(store: Sql, keep: Retention, now: () => number = Date.now): ReportStore {
  const { db } = store;
  const numbers = sqlReportSeries(store);

  async function rowsOf({ system, measurements }: Batch): Promise<RollupRow[]> {
    const placed = measurements.flatMap((one) => placesOf(system, one).map((place) => ({ ...place, one })));
    const numberOf = await numbers.ensure(placed.map(({ series }) => series));
    const sums = new Map<string, { row: Omit<RollupRow, 'body'>; sum: MutableRollup }>();
    for (const { series, key, one } of placed) {
      const row = { series: numberOf(series), step: SECONDS, at: one.at, key };
      const name = `${row.series} ${row.at} ${key}`;
      const known = sums.get(name) ?? { row, sum: emptyRollup() };
      addMeasurement(known.sum, one);
      sums.set(name, known);
    }
    return [...sums.values()].map(({ row, sum }) => ({ ...row, body: writeRollup(sum) }));
  }

  return {
    async add(batch) {
      const rows = await rowsOf(batch);
      const once = db.insertInto('report_batches').values({ id: batch.id, at: now() });
      const inserts = inChunks(rows, ROWS_PER_STATEMENT).map((some) =>
        db.insertInto('report_rollups').values(some.map((row) => ({ ...row, carried: 0 }))),
      );
      await isStoredOnce(store.atomically([once, ...inserts]));
    },
    resolution(from, now) {
      return [SECONDS, MINUTE].find((step) => from >= now - keep[step] - GRACE) ?? HOUR;
    },
    read: (question, most) => readCells(store, numbers, question, most),
  };
}

/** The series of a query, each with the name of its rows if that is not their key. */
async function seriesFor(
  numbers: SeriesNumbers,
  { system, report, channels, by }: StoreQuery,
): Promise<Map<number, string | undefined>> {
  if (by === 'channel') {
    const all = await numbers.channels(system, report);
    const only = channels && new Set(channels);
    const selected = only === undefined ? all : all.filter((one) => only.has(one.channel));
    return new Map(selected.map((one) => [one.id, one.channel]));
  }
  const ids = await numbers.findAll({ system, report, dimension: by ?? '' }, channels ?? ['']);
  return new Map(ids.map((id) => [id, undefined]));
}

/** Splits a cover into pieces that one query each reads fast. */
function* pieces(tiles: readonly Tile[], series: number): Generator<Tile[]> {
  let piece: Tile[] = [];
  let size = 0;
  for (const tile of tiles) {
    for (let from = tile.from; from < tile.to; ) {
      const count = Math.max(1, Math.floor((MAX_INTERVALS_PER_QUERY - size) / series));
      const to = Math.min(tile.to, from + count * tile.step);
      piece.push({ ...tile, from, to });
      size += ((to - from) / tile.step) * series;
      from = to;
      if (size >= MAX_INTERVALS_PER_QUERY || piece.length >= MAX_RANGES_PER_QUERY) {
        yield piece;
        piece = [];
        size = 0;
      }
    }
  }
  if (piece.length > 0) yield piece;
}

type SummedCell = { readonly row: number; readonly key: string; readonly sum: MutableRollup };

async function readCells(store: Sql, numbers: SeriesNumbers, question: StoreQuery, most: number): Promise<Cell[]> {
  const { start, end, interval, report } = question;
  const series = await seriesFor(numbers, question);
  if (series.size === 0) return [];
  const cells = new Map<string, SummedCell>();
  for (const piece of pieces(tileRange(start, end, interval), series.size)) {
    const intervals = new Map<string, { cell: MutableRollup; amounts: Record<string, number> }>();
    for (const { series: number, step, at, key, body } of await readPiece(store, [...series.keys()], piece)) {
      const row = Math.floor((at - start) / interval);
      const shown = series.get(number) ?? key;
      const name = `${row} ${shown}`;
      const cell = cells.get(name) ?? { row, key: shown, sum: emptyRollup() };
      cells.set(name, cell);
      const rollup = readRollup(body);
      addRollup(cell.sum, rollup);
      if (step !== SECONDS) continue;
      const total = intervals.get(`${at} ${shown}`) ?? { cell: cell.sum, amounts: {} };
      addCounts(total.amounts, rollup.amounts);
      intervals.set(`${at} ${shown}`, total);
    }
    for (const { cell, amounts } of intervals.values()) raisePeaks(cell, report, amounts);
    if (cells.size > most) break;
    await nextTurn();
  }
  if (levels[report].length > 0) await addLevelBefore(store, [...series.keys()], start, cells);
  return [...cells.values()].sort((a, b) => a.row - b.row).map(({ row, key, sum }) => ({ row, key, ...sum }));
}

/** One statement, hence one snapshot: rows that are rolled up meanwhile are seen once, before or after. */
async function readPiece({ db }: Sql, series: readonly number[], piece: readonly Tile[]): Promise<RollupRow[]> {
  const ranges = sql.join(
    piece.map(({ step, from, to }) => sql`(cast(${step} as integer), cast(${from} as bigint), cast(${to} as bigint))`),
  );
  const from = Math.min(...piece.map((tile) => tile.from));
  const to = Math.max(...piece.map((tile) => tile.to));
  const { rows } = await sql<RollupRow>`
    with ranges(step, low, high) as (values ${ranges})
    select r.seq, r.series, r.step, r.at, r.key, r.body
      from ranges join report_rollups r on r.step = ranges.step and r.at >= ranges.low and r.at < ranges.high
     where r.series in (${sql.join(series)})
    union all
    select r.seq, r.series, r.step, r.at, r.key, r.body
      from report_rollups r cross join ranges
     where r.series in (${sql.join(series)}) and r.carried = 0
       and r.at >= ${from} and r.at < ${to}
       and r.step < ranges.step and r.at >= ranges.low and r.at < ranges.high
    order by 4, 1`.execute(db);
  return rows;
}

/** The last level before the first row. */
async function addLevelBefore(
  { db }: Sql,
  series: readonly number[],
  start: number,
  cells: Map<string, SummedCell>,
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
  const { levels: held } = readRollup(latest.body);
  cells.set('before', { row: -1, key: '', sum: { ...emptyRollup(), levels: { ...held } } });
}
