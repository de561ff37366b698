// SPDX-License-Identifier: Apache-2.0
// A day of viewing, served alternately by two processes that end several times and leave entries in the spool. Every field of
// every report, in rows of 10 s, a minute, seven minutes and an hour, equals an independent count.
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { createFileSpool } from '../../src/adapters/spool/fileSpool.ts';
import { sqlChannels } from '../../src/adapters/sql/channels/sqlChannels.ts';
import { createSecretBox } from '../../src/adapters/sql/secrets/secretBox.ts';
import type { Sql } from '../../src/adapters/sql/sql.ts';
import type { Channel } from '../../src/channels/channel.ts';
import { openPostgres, openSqlite } from '../../src/database.ts';
import { catalogue, type ReportName } from '../../src/platform/reports/rules/catalogue.ts';
import { createCounter } from '../../src/platform/reports/rules/count/counter.ts';
import { createChannelSystems } from '../../src/platform/reports/rules/flush/channelSystems.ts';
import { createReportFlusher } from '../../src/platform/reports/rules/flush/flushReports.ts';
import { makeReport, type ReportQuery, type ReportResult } from '../../src/platform/reports/rules/query/report.ts';
import { sqlReportCompaction } from '../../src/platform/reports/store/sql/sqlReportCompaction.ts';
import { reportRetention, sqlReports } from '../../src/platform/reports/store/sql/sqlReports.ts';
import { sqlViewing } from '../../src/platform/reports/store/sql/sqlViewing.ts';
import { ownSystem, systemKey } from '../../src/platform/systems/rules/system.ts';
import { sqlSystems } from '../../src/platform/systems/store/sqlSystems.ts';
import { millis } from '../../src/time/units.ts';
import { opened, scratchFolder } from '../opened.ts';
import { createDatabase } from '../servers/postgresDatabase.ts';
import { dayOfViewing, type Happening, near } from './dayOfViewing.ts';
import { truthOf } from './truth.ts';

const [SECONDS, MINUTE, HOUR, DAY] = [10_000, 60_000, 3_600_000, 86_400_000];
const midnight = Date.parse('2026-03-02T00:00:00Z');
const day = dayOfViewing(midnight);
const names = (Object.keys(catalogue) as ReportName[]).filter((name) => name !== 'storage');
const system = ownSystem('acme', 'ann@example.com', new Date(midnight).toISOString());

const postgres = await opened(createDatabase());

describe.each([
  ['SQLite', (folder) => openSqlite(folder)],
  ['PostgreSQL', async () => openPostgres(postgres.url)],
] as [string, (folder: string) => Promise<Sql>][])('%s', async (_, openStore) => {
  const folder = scratchFolder();
  const sql = await opened(openStore(folder));
  const store = sqlReports(sql, reportRetention());
  let now = midnight;

  function startProcess() {
    const counter = createCounter();
    const systems = sqlSystems(sql, createSecretBox('a secret for tests'));
    const clock = () => millis(now);
    const flusher = createReportFlusher({
      ...{ counter, systems, now: clock, storeFor: () => store, viewing: sqlViewing(sql) },
      spool: createFileSpool(join(folder, 'reports'), { maxBytes: 1e9, leftAfter: -1 }),
      channelSystems: createChannelSystems({ channels: sqlChannels(sql), systems, now: clock }),
      log: (message, facts) => expect.unreachable(`${message} ${JSON.stringify(facts)}`),
    });
    return { counter, flusher };
  }
  type Process = ReturnType<typeof startProcess>;
  const replay = ({ counter }: Process, one: Happening) => {
    if (one.kind === 'event') counter.record(one.event);
    else {
      counter.served({ tenant: 'acme', id: one.channel }, 'hls', one.ms, false, millis(one.at));
      counter.watched({ id: one.session, tenant: 'acme', channelId: one.channel }, millis(one.at));
    }
  };

  beforeAll(async () => {
    const compactor = sqlReportCompaction(sql, reportRetention());
    await sqlSystems(sql, createSecretBox('a secret for tests')).insert(system);
    const channels = sqlChannels(sql);
    for (const id of ['news', 'movies', 'sport'])
      await channels.insert({ id, tenant: 'acme', state: 'enabled', apiKey: id } as Channel);
    let processes = [startProcess(), startProcess()];
    let turn = 0;
    let nextFlush = midnight;
    const flush = async (isLast: boolean) => {
      for (const { flusher } of processes) await flusher.flush(isLast);
      await processes[0]!.flusher.writeToStores();
    };
    for (const one of day) {
      const at = one.kind === 'poll' ? one.at : one.event.at;
      while (at >= nextFlush) {
        now = nextFlush;
        // Every few minutes instead of seconds; the result is the same.
        await flush(false);
        nextFlush += 17 * MINUTE + 3000;
        if (Math.floor(now / (3 * HOUR)) === Math.floor(nextFlush / (3 * HOUR))) continue;
        // All processes end, and new ones write what is in the spool.
        for (const { flusher } of processes) await flusher.flush(true);
        processes = [startProcess(), startProcess()];
        await compactor.compact(now);
      }
      turn += 1;
      replay(processes[turn % 2]!, one);
    }
    now = midnight + DAY;
    await flush(true);
    expect(await processes[1]!.flusher.writeToStores()).toBe(0);
    await compactor.compact(now + 10 * MINUTE);
  });

  const read = (report: ReportName, rest: Partial<ReportQuery> = {}): Promise<ReportResult> =>
    makeReport(
      systemKey(system),
      { report, start: millis(midnight), end: millis(midnight + DAY), showsPrices: true, ...rest },
      store,
      millis(midnight + DAY),
    );
  const isClose = (found: number, expected: number, name: string): boolean =>
    name.startsWith('latency')
      ? Math.abs(found - expected) <= 0.02 * expected + 1e-6
      : Math.abs(found - expected) <= 1e-6 * Math.max(1, Math.abs(expected)) + 1e-6;

  function expectTrue(
    found: Readonly<Record<string, number | string>>,
    expected: Record<string, number>,
    where: string,
  ) {
    for (const [name, value] of Object.entries(expected)) {
      if (!isClose(found[name] as number, value, name))
        expect([where, name, found[name]]).toEqual([where, name, value]);
    }
  }

  /** Finer intervals cover a shorter range, because the expected values are computed for every row. */
  const cases = [
    { name: '10 s', interval: SECONDS, start: midnight + 9 * HOUR + 20_000, end: midnight + 9 * HOUR + 20 * MINUTE },
    { name: '1 min', interval: MINUTE, start: midnight + 8 * HOUR + 30_000, end: midnight + 10 * HOUR },
    { name: '7 min', interval: 7 * MINUTE, start: midnight, end: midnight + DAY },
    { name: '1 h', interval: HOUR, start: midnight, end: midnight + DAY },
    { name: 'a day of another time zone', interval: 6 * HOUR, start: midnight + 5.5 * HOUR, end: midnight + DAY },
  ];

  test.each(cases)('every field of every report, rows of $name', async ({ interval, start, end }) => {
    const rows = Math.ceil((end - start) / interval);
    const truths = Array.from({ length: rows }, (_row, row) => {
      const from = start + row * interval;
      const to = Math.min(end, from + interval);
      return truthOf(near(day, from, to), { from, to });
    });
    const whole = truthOf(day, { from: start, to: end });
    for (const report of names) {
      const result = await read(report, { start: millis(start), end: millis(end), interval });
      expect([result.interval, result.rows.length]).toEqual([interval, rows]);
      result.rows.forEach((row, index) => {
        expect(row.time).toBe(new Date(start + index * interval).toISOString());
        expectTrue(row as never, truths[index]![report]!, `${report} ${row.time}`);
      });
      expectTrue(result.totals, whole[report]!, `${report} in total`);
      // Not all values are zero.
      if (end - start === DAY) expect(Object.values(result.totals).some((value) => value > 0)).toBe(true);
    }
  });

  test('reports of one channel, as a filter and grouped by channel', async () => {
    for (const report of names) {
      const result = await read(report, { interval: 6 * HOUR, by: 'channel' });
      expect(result.rows).toHaveLength(12);
      for (const row of result.rows) {
        const from = Date.parse(row.time);
        const to = from + 6 * HOUR;
        const truth = truthOf(near(day, from, to), { from, to, channel: row.key as string });
        expectTrue(row as never, truth[report]!, `${report} ${row.key}`);
      }
      const alone = await read(report, { interval: 6 * HOUR, channels: ['movies'] });
      expectTrue(
        alone.totals,
        truthOf(day, { from: midnight, to: midnight + DAY, channel: 'movies' })[report]!,
        report,
      );
    }
  });

  test('the values of each dimension are counted correctly', async () => {
    const count = (match: (event: Extract<Happening, { kind: 'event' }>['event']) => string | undefined) => {
      const counts: Record<string, number> = {};
      for (const one of day) {
        const key = one.kind === 'event' ? match(one.event) : undefined;
        if (key !== undefined) counts[key] = (counts[key] ?? 0) + 1;
      }
      return counts;
    };
    const found = async (report: ReportName, by: ReportQuery['by'] & {}, field: string) =>
      Object.fromEntries((await read(report, { by, interval: DAY })).rows.map((row) => [row.key, row[field]]));
    expect(await found('skips', 'reason', 'total')).toEqual(
      count((event) => (event.type === 'adSkipped' ? event.reason : undefined)),
    );
    expect(await found('skips', 'creative', 'total')).toEqual(
      count((event) => (event.type === 'adSkipped' ? event.creative : undefined)),
    );
    expect(await found('ads', 'creative', 'decided')).toEqual(
      count((event) => (event.type === 'adDecided' ? event.creative : undefined)),
    );
    expect(await found('ad-requests', 'adServer', 'sent')).toEqual(
      count((event) => (event.type === 'adRequest' ? event.adServer : undefined)),
    );
    expect(await found('demand-funnel', 'reason', 'adsNotChosen')).toMatchObject(
      count((event) => (event.type === 'adSkipped' ? event.reason : undefined)),
    );
    expect(await found('ad-sources', 'source', 'chosen')).toEqual(
      count((event) => (event.type === 'adDecided' ? event.source : undefined)),
    );
    expect(await found('beacons', 'host', 'sent')).toEqual(
      count((event) => (event.type === 'beacon' && event.step === 'sent' ? event.host : undefined)),
    );
  });
});
