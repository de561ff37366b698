// SPDX-License-Identifier: Apache-2.0
// The report store of a search domain keeps the contract of all report stores, and returns the same reports as the embedded one.
// Runs against the fake server, or against a real domain (SEARCH_URL).

import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { reportStoreContract } from '../../../../../test/search/reportStoreContract.ts';
import { noon, searchStores, watching } from '../../../../../test/search/searchStores.ts';
import { seededRandom } from '../../../../../test/seededRandom.ts';
import { openSqlite } from '../../../../database.ts';
import { millis } from '../../../../time/units.ts';
import { reportDimensions } from '../../contract/reportValues.ts';
import { binOf } from '../../rules/bins.ts';
import { catalogue, type ReportName } from '../../rules/catalogue.ts';
import type { Measurement, ReportStore, StoreQuery } from '../../rules/ports.ts';
import { makeReport } from '../../rules/query/report.ts';
import { reportRetention, sqlReports } from '../sql/sqlReports.ts';

const [MINUTE, HOUR] = [60_000, 3_600_000];
const isReal = process.env.SEARCH_URL !== undefined;
const { open, server, settings, sumOf } = searchStores();

const ofViewers = (system: string, start: number, end: number, interval: number): StoreQuery => ({
  system,
  report: 'viewers',
  start: millis(start),
  end: millis(end),
  interval,
});

describe('the contract', () => {
  let store: ReportStore;
  beforeAll(() => {
    store = open();
  });
  reportStoreContract({
    noon,
    store: () => ({
      ...store,
      add: async (batch) => {
        await store.add(batch);
        await server().refresh();
      },
    }),
  });
});

test('reads more than one page of rows, across midnight', async () => {
  const store = open();
  const system = randomUUID();
  const from = noon + 11 * HOUR;
  const measurements = Array.from({ length: 6000 }, (_, index) => watching(from + index * 10_000, 1 + (index % 3)));
  await store.add({ id: system, system, measurements });
  await server().refresh();
  const question = ofViewers(system, from, from + 60_000_000, 10_000);
  const cells = await store.read(question, 11_000);
  expect(cells.map(({ row, amounts: { watching: viewers } }) => [row, viewers])).toEqual(
    measurements.map(({ amounts }, row) => [row, amounts.watching]),
  );
  expect((await store.read(question, 100)).length).toBeGreaterThan(100);
});

describe('peaks', () => {
  const from = Date.parse('2026-01-05T00:00:00Z');
  const peaksOf = async (store: ReportStore, system: string, start: number, end: number, rest: object = {}) => {
    await server().refresh();
    const cells = await store.read({ ...ofViewers(system, start, end, end - start), ...rest }, 1000);
    return cells.map(({ key, peaks }) => [key, peaks.watching]);
  };

  test('of weeks are read with few queries', async () => {
    const [store, system] = [open(), randomUUID()];
    const hours = 24 * 7;
    const measurements = Array.from({ length: hours }, (_, hour) => [
      watching(from + hour * HOUR + 50_000, 1 + ((hour * 7) % 101)),
      { ...watching(from + hour * HOUR + 50_000, 2), channel: 'two' },
    ]).flat();
    await store.add({ id: system, system, measurements });
    const end = from + hours * HOUR;
    const before = server().searches();
    expect(await peaksOf(store, system, from, end)).toEqual([['', 103]]);
    if (!isReal) expect(server().searches() - before).toBeLessThan(5);
    expect(await peaksOf(store, system, from, end, { by: 'channel' })).toEqual([
      ['one', 101],
      ['two', 2],
    ]);
    expect(await peaksOf(store, system, from + 60_000, end, { channels: ['two'], interval: 5 * HOUR })).toHaveLength(
      34,
    );
    // Late counts of another process are included.
    await open(settings()).add({ id: `${system}/late`, system, measurements: [watching(from + 50_000, 500)] });
    expect(await peaksOf(store, system, from + 10_000, end)).toEqual([['', 503]]);
    expect(await peaksOf(store, system, from + 60_000, end)).toEqual([['', 103]]);
  });

  test('of an hour to which several processes write include all of them', async () => {
    const system = randomUUID();
    const stores = [open(), open(settings()), open(settings())];
    const measurements = [watching(from, 1), watching(from + HOUR, 2)];
    const write = (store: ReportStore, number: number) =>
      Promise.all([0, 1, 2, 3].map((batch) => store.add({ id: `${system}/${number}/${batch}`, system, measurements })));
    await Promise.all(stores.map(write));
    expect(await peaksOf(stores[0]!, system, from, from + HOUR)).toEqual([['', 12]]);
    expect(await peaksOf(stores[1]!, system, from, from + 2 * HOUR)).toEqual([['', 24]]);
  });
});

test('a missing index is empty', async () => {
  expect(await sumOf(open(), 'unknown', noon, noon + HOUR)).toBe(0);
});

test('the reports of random measurements equal those of the embedded store, in all intervals, grouped and not', async () => {
  const system = randomUUID();
  const start = noon - 3 * HOUR - 20_000;
  const random = seededRandom(7);
  const roll = (sides: number): number => Math.floor(random() * sides);
  const pick = <Item>(items: readonly Item[]): Item => items[roll(items.length)]!;
  function randomMeasurement(): Measurement {
    const [at, channel] = [millis(start + 10_000 * roll(3 * 360)), pick(['one', 'two', 'three'])];
    const bins = Object.fromEntries(Array.from({ length: 3 }, () => [binOf(1 + roll(5000)), 1 + roll(9)]));
    const of = (report: ReportName, keys: Measurement['keys'], amounts: Measurement['amounts']) => {
      return { report, channel, at, keys, amounts };
    };
    return pick<() => Measurement>([
      () => of('viewers', {}, { watching: 1 + roll(50) }),
      () => of('viewers', {}, { sessionsStarted: 1 }),
      () => ({ ...of('requests', {}, { hls: roll(90), dash: roll(30), errors: roll(2) }), bins }),
      () => of('breaks', {}, { breaks: 1, offeredMs: roll(60_000), filledMs: roll(9000), slateMs: roll(900) }),
      () => ({
        ...of('ad-requests', { adServer: pick(['ads.one:443', 'ads.two']) }, { sent: 1, answered: roll(2) }),
        bins,
      }),
      () => of('ads', { creative: pick(['red', 'blue']) }, { decided: 1, started: roll(2) }),
      () => of('skips', { creative: pick(['red', 'blue']), reason: 'BREAK_FULL' }, { total: 1, BREAK_FULL: 1 }),
      () =>
        of('ad-sources', { source: pick(['partner', 'exchange']) }, { sent: 1, chosen: roll(2), chosenMs: roll(9000) }),
      () =>
        of('ad-sources', { source: 'exchange' }, { priced: 1, [`revenue${pick(['EUR', 'USD'])}`]: roll(9_000_000) }),
      () => of('demand-funnel', {}, { opportunities: 1, chosen: roll(3), started: roll(2) }),
      () => of('demand-funnel', { source: 'partner', reason: pick(['NO_BID', 'BREAK_FULL']) }, { adsNotChosen: 1 }),
      () => of('beacons', { host: pick(['b.one', 'b.two']) }, { sent: 3, retried: roll(2) }),
      () => of('creatives', {}, { waiting: roll(4) }),
    ])();
  }

  const sql = await openSqlite(':memory:');
  const stores = [sqlReports(sql, reportRetention()), open()];
  for (let batch = 0; batch < 8; batch += 1) {
    const measurements = Array.from({ length: 60 }, randomMeasurement);
    await Promise.all(stores.map((store) => store.add({ id: `${system}/${batch}`, system, measurements })));
  }
  await server().refresh();
  const range = { start: millis(start), end: millis(start + 3 * HOUR) };
  let filled = 0;
  for (const report of Object.keys(catalogue) as ReportName[])
    for (const interval of [10_000, MINUTE, 7 * MINUTE, HOUR])
      for (const by of [undefined, ...reportDimensions[report]])
        for (const channels of interval === MINUTE && report !== 'storage'
          ? [undefined, ['two'], ['one', 'two']]
          : [undefined]) {
          const query = {
            report,
            ...range,
            interval,
            showsPrices: true,
            ...(by ? { by } : {}),
            ...(channels ? { channels } : {}),
          };
          const results = await Promise.all(stores.map((store) => makeReport(system, query, store, millis(noon))));
          const [ours, theirs] = results.map(({ totals, rows }) => [
            totals,
            rows.map((row) => JSON.stringify(row)).sort(),
          ]);
          expect(theirs, `${report} ${interval} ${by} ${channels}`).toEqual(ours);
          filled += Object.values(results[0]!.totals).filter((value) => value > 0).length;
        }
  expect(filled).toBeGreaterThan(300);
  await sql.close();
});
