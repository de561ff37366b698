// SPDX-License-Identifier: Apache-2.0
// A year of fifty channels: reports of any range and grouping read few rows, through indexes.
import type { CompiledQuery, QueryResult } from 'kysely';
import { beforeAll, expect, test, vi } from 'vitest';
import { openSqlite } from '../../src/database.ts';
import { makeReport } from '../../src/platform/reports/rules/query/report.ts';
import { reportRetention, sqlReports } from '../../src/platform/reports/store/sql/sqlReports.ts';
import { millis } from '../../src/time/units.ts';
import { opened, scratchFolder } from '../opened.ts';

const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000];
const CHANNELS = 50;
const end = Date.parse('2026-03-02T00:00:00Z');
const start = end - 365 * DAY;

const folder = scratchFolder();
const sql = await opened(openSqlite(folder));
beforeAll(async () => {
  const db = sql.sqlite!;
  // Compacted data of a year: 60 requests per hour and channel, in 40 bins.
  const bins = Object.fromEntries(Array.from({ length: 40 }, (_, bin) => [100 + bin, 1]));
  const body = (times: number) =>
    JSON.stringify({
      a: { hls: 60 * times, dash: 0, errors: times },
      b: Object.fromEntries(Object.entries(bins).map(([bin, count]) => [bin, count * times])),
    });
  const series = db.prepare(
    "insert into report_series (system, report, dimension, channel) values ('s', 'requests', '', ?) returning id",
  );
  const fill = db.prepare(`
    with recursive intervals(at) as (select @from union all select at + @step from intervals where at + @step < @to)
    insert into report_rollups (series, step, at, key, carried, body)
    select @series, @step, at, '', 1, @body from intervals`);
  db.transaction(() => {
    for (let channel = 0; channel <= CHANNELS; channel += 1) {
      const { id } = series.get(channel === 0 ? '' : `channel${channel}`) as { id: number };
      const share = channel === 0 ? CHANNELS : 1;
      fill.run({ series: id, step: HOUR, from: start, to: end, body: body(share) });
      fill.run({ series: id, step: DAY, from: start, to: end, body: body(24 * share) });
      if (channel > 1) continue;
      fill.run({ series: id, step: MINUTE, from: end - 30 * DAY, to: end, body: body(share / 60) });
    }
  })();
});

/** The query plan of SQLite. */
function planOf({ sql: text, parameters }: CompiledQuery): string[] {
  const plan = sql.sqlite!.prepare(`explain query plan ${text}`).all(...parameters) as { detail: string }[];
  return plan.map(({ detail }) => detail);
}

/** `reads`: the maximum number of rows that are read for the rows and the totals of the report. */
test.each([
  { name: 'a year by the hour', from: start, interval: HOUR, reads: 9200 },
  { name: 'a year by the day', from: start, interval: DAY, reads: 740 },
  {
    name: 'a year by weeks that do not begin at midnight UTC, by channel',
    from: start + 5 * HOUR,
    interval: 7 * DAY,
    by: 'channel',
    reads: 80_000,
  },
  { name: 'a year by channel', from: start, interval: 365 * DAY, by: 'channel', reads: 19_000 },
  {
    name: 'half a year of one channel by the hour',
    from: start + 182 * DAY,
    interval: HOUR,
    channels: ['channel7'],
    reads: 4600,
  },
  { name: 'four weeks by 50 minutes', from: end - 28 * DAY, interval: 50 * MINUTE, reads: 41_000 },
  { name: 'a week by the minute', from: end - 7 * DAY, interval: MINUTE, reads: 10_200 },
] as const)('$name', async ({ from, interval, reads, ...rest }) => {
  const store = sqlReports(sql, reportRetention());
  const query = { report: 'requests', start: millis(from), end: millis(end), interval, ...rest } as const;
  const queries = vi.spyOn(sql.db.getExecutor(), 'executeQuery');
  const { rows, totals, interval: length } = await makeReport('s', query, store, millis(end));
  const results = (await Promise.all(queries.mock.results.map(({ value }) => value))) as QueryResult<unknown>[];
  const statements = queries.mock.calls.map(([query]) => query as CompiledQuery);
  queries.mockRestore();
  const hours = (end - from) / HOUR;
  const channels = 'channels' in rest ? 1 : CHANNELS;
  expect(totals).toMatchObject({ hlsManifests: 60 * hours * channels, errors: hours * channels });
  expect(rows.reduce((sum, row) => sum + (row.hlsManifests as number), 0)).toBe(totals.hlsManifests);
  expect(length).toBe(interval);
  // Row counts and indexes do not depend on the speed of the machine.
  expect(results.reduce((sum, { rows: some }) => sum + some.length, 0)).toBeLessThanOrEqual(reads);
  for (const step of statements.flatMap(planOf)) expect(step).not.toMatch(/^SCAN (r|report_\w+)\b/);
});
