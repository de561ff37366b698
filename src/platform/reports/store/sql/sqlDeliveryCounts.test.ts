// SPDX-License-Identifier: Apache-2.0
// Reports count each delivery once, with any number of processes, and wherever one of them is killed.

import { sql as raw } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { searchStores } from '../../../../../test/search/searchStores.ts';
import { seededRandom } from '../../../../../test/seededRandom.ts';
import { onEachOpenStore } from '../../../../../test/servers/sqlStores.ts';
import { sqlDeliveries } from '../../../../adapters/sql/tracking/sqlDeliveries.ts';
import { type Millis, millis } from '../../../../time/units.ts';
import type { Mark } from '../../../../tracking/deliveries/ports.ts';
import { ownSystem, systemKey } from '../../../systems/rules/system.ts';
import { countDeliveries } from '../../rules/flush/countDeliveries.ts';
import { createStoreWriter } from '../../rules/flush/flushReports.ts';
import type { ReportStore } from '../../rules/ports.ts';
import { sqlDeliveryCounts } from './sqlDeliveryCounts.ts';
import { reportRetention, sqlReports } from './sqlReports.ts';
import { sqlViewing } from './sqlViewing.ts';

const search = searchStores();
const start = millis(1_767_225_600_000);
const system = ownSystem('acme', 'ann@example.com', new Date(start).toISOString());
const SEGMENT = 2000;
const PRICE = 2_345_678;

const mark = (
  viewer: number,
  segments: number[],
  { count = 5, kind = 'pictures' as Mark['kind'], at = 0 } = {},
): Mark => ({
  sessionId: `viewer-${viewer}`,
  adId: '1-2-0',
  segments,
  kind,
  at: millis(start + 1000 + at),
  ends: Array.from({ length: count }, (_, index) => SEGMENT * (index + 1)),
  counted: {
    tenant: 'acme',
    channelId: 'c',
    startsAt: start,
    duration: (count * SEGMENT) / 1000,
    creativeId: `creative-${count}`,
    source: 'partner',
    price: { micros: PRICE, currency: 'EUR' },
  },
});

/** The expected totals of the marks of all viewers, computed independently. */
function truthOf(marks: readonly Mark[]): Record<string, number> {
  const viewers = new Map<string, { count: number; pictures: Set<number>; sound: Set<number> }>();
  for (const { sessionId, kind, segments, ends } of marks) {
    const known = viewers.get(sessionId) ?? { count: ends.length, pictures: new Set(), sound: new Set() };
    for (const segment of segments) known[kind].add(segment);
    viewers.set(sessionId, known);
  }
  const truth = { started: 0, midpoint: 0, completed: 0, deliveredMs: 0, revenueEUR: 0 };
  for (const { count, pictures, sound } of viewers.values()) {
    const requested = pictures.size > 0 ? pictures : sound;
    let played = 0;
    while (requested.has(played)) played += 1;
    truth.started += played > 0 ? 1 : 0;
    truth.revenueEUR += played > 0 ? PRICE : 0;
    truth.midpoint += played * 2 > count ? 1 : 0;
    truth.completed += played === count ? 1 : 0;
    truth.deliveredMs += requested.size * SEGMENT;
  }
  return truth;
}

class Killed extends Error {}

/** A store that is unavailable until the end of its outage. */
function outageOf(store: ReportStore) {
  let isUnavailable = true;
  const add: ReportStore['add'] = (batch) =>
    isUnavailable ? Promise.reject(new Error('unavailable')) : store.add(batch);
  const end = () => {
    isUnavailable = false;
  };
  return { store: { ...store, add }, end };
}

onEachOpenStore((sql) => {
  const own = sqlReports(sql, reportRetention());
  beforeEach(async () => {
    const tables = ['deliveries', 'delivery_counts', 'report_rollups', 'report_batches'] as const;
    for (const table of tables) await sql.db.deleteFrom(table).execute();
  });

  const lost: number[] = [];
  type Options = { store?: ReportStore; dies?: () => boolean; maxBytes?: number };
  /** Simulates a process. `dies` decides at each step whether it is killed. */
  function startProcess({ store = own, dies = () => false, maxBytes = 1e6 }: Options = {}) {
    const live =
      <Args extends unknown[], Result>(work: (...args: Args) => Promise<Result>) =>
      async (...args: Args): Promise<Result> => {
        if (dies()) throw new Killed();
        const result = await work(...args);
        if (dies()) throw new Killed();
        return result;
      };
    const now = () => millis(start + 60_000);
    const all = sqlDeliveryCounts(sql, { now, maxBytes, leftAfter: -1, onLost: (entries) => void lost.push(entries) });
    const { uncounted, count, put, remove, list, read } = all;
    const bring = createStoreWriter({
      now,
      viewing: sqlViewing(sql),
      log: () => {},
      spool: { list: live(list), read: live(read), put: live(put), remove: live(remove) },
      channelSystems: { find: async () => [system] },
      systems: { find: async () => ({ ...system, version: 0 }) },
      storeFor: () => ({ ...store, add: live(store.add) }),
    });
    return async (): Promise<number> => {
      await countDeliveries({ uncounted: live(uncounted), count: live(count) }, now);
      return bring();
    };
  }

  async function reported(store = own): Promise<Record<string, number>> {
    const range = { start, end: millis(start + 600_000) as Millis, interval: 600_000 };
    const of = async (report: 'ads' | 'breaks' | 'ad-sources') =>
      (await store.read({ system: systemKey(system), report, ...range }, 10))[0]?.amounts ?? {};
    const [{ started = 0, midpoint = 0, completed = 0 }, { deliveredMs = 0 }] = [await of('ads'), await of('breaks')];
    const { revenueEUR = 0, ...ofSource } = await of('ad-sources');
    expect([ofSource.started ?? 0, ofSource.completed ?? 0, ofSource.deliveredMs ?? 0]).toEqual([
      started,
      completed,
      deliveredMs,
    ]);
    return { started, midpoint, completed, deliveredMs, revenueEUR };
  }

  test('each segment and each event counts once, with three processes that are killed at random', async () => {
    const random = seededRandom(3);
    const [store, other] = [sqlDeliveries(sql), sqlDeliveries(sql)];
    const dies = () => random() < 0.06;
    const made: Mark[] = [];
    const isKilled = async (work: () => Promise<unknown>): Promise<boolean> => {
      const error = await work().then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
      if (error !== undefined) expect(error).toBeInstanceOf(Killed);
      return error !== undefined;
    };
    let kills = 0;
    let processes = [1, 2, 3].map(() => startProcess({ dies }));
    for (let round = 0; round < 60; round += 1) {
      const marks = Array.from({ length: 12 }, () => {
        const viewer = Math.floor(random() * 30);
        const count = viewer % 3 === 0 ? 70 : 5;
        const kind = viewer % 4 === 0 && random() < 0.6 ? 'sound' : 'pictures';
        const from = Math.floor(random() * count);
        const length = Math.min(count - from, count > 5 ? 20 : 2);
        const segments = Array.from({ length }, (_one, index) => from + index);
        return mark(viewer, segments, { count, kind, at: round * 100 });
      });
      made.push(...marks);
      const counting = processes.map(isKilled);
      await Promise.all(marks.map((one, index) => (index % 2 ? store : other).mark(one)));
      const ended = await Promise.all(counting);
      kills += ended.filter(Boolean).length;
      processes = processes.map((process, index) => (ended[index] ? startProcess({ dies }) : process));
    }
    expect(kills).toBeGreaterThan(20);
    // A count that lost against another process is repeated in the next run.
    const last = startProcess();
    expect(await last()).toBe(0);
    const truth = truthOf(made);
    expect(truth.completed).toBeGreaterThan(3);
    expect(await reported()).toEqual(truth);
    await last();
    expect(await reported()).toEqual(truth);
  });

  test('counts reach a search domain once, also after an outage', async () => {
    const [store, domain] = [sqlDeliveries(sql), search.open()];
    const marks = [mark(1, [0, 1, 2, 3, 4]), mark(2, [0])];
    for (const one of marks) await store.mark(one);
    const outage = outageOf(domain);
    const run = startProcess({ store: outage.store });
    expect(await run()).toBe(1);
    outage.end();
    expect(await run()).toBe(0);
    await search.server().refresh();
    expect(await reported(domain)).toEqual(truthOf(marks));
    await run();
    await search.server().refresh();
    expect(await reported(domain)).toEqual(truthOf(marks));
  });

  test('uncounted deliveries are kept, and those that reports do not count are removed', async () => {
    const store = sqlDeliveries(sql);
    const { counted: _counted, ...uncountable } = mark(2, [0]);
    await store.mark(mark(1, [0]));
    await store.mark(uncountable);
    expect(await store.forget(millis(start + 600_000), millis(start + 600_000))).toBe(1);
    expect(await store.ofSession('viewer-1')).toHaveLength(1);
    await startProcess()();
    expect(await reported()).toMatchObject({ started: 1 });
    expect(await store.forget(millis(start + 600_000), millis(start + 600_000))).toBe(1);
  });

  test('counts that wait for unavailable report stores are limited: the oldest are removed', async () => {
    const store = sqlDeliveries(sql);
    const outage = outageOf(own);
    const run = startProcess({ store: outage.store, maxBytes: 2500 });
    for (const viewer of [1, 2, 3, 4, 5, 6]) {
      await store.mark(mark(viewer, [0]));
      await run();
    }
    const removed = lost.reduce((sum, entries) => sum + entries, 0);
    expect(removed).toBeGreaterThan(0);
    expect(removed).toBeLessThan(6);
    outage.end();
    await run();
    expect((await reported()).started).toBe(6 - lost.splice(0).reduce((sum, entries) => sum + entries, 0));
  });

  test('uncounted rows are found by their index', async () => {
    const plan = raw`${raw.raw(sql.kind === 'sqlite' ? 'explain query plan' : 'explain')} select * from deliveries
      where counted is not null and (pictures <> pictures_counted or sound <> sound_counted) order by last_at limit 500`;
    if (sql.kind === 'postgres') {
      const many = Array.from({ length: 2000 }, (_one, viewer) => mark(viewer, [0], { at: viewer }));
      await Promise.all(many.map(sqlDeliveries(sql).mark));
      await startProcess()();
      await raw`analyze deliveries`.execute(sql.db);
    }
    expect(JSON.stringify((await plan.execute(sql.db)).rows)).toContain('deliveries_uncounted');
  });
});
