// SPDX-License-Identifier: Apache-2.0
// The as-run log in both databases, and what records it.
import { beforeEach, expect, test } from 'vitest';
import { assets } from '../../../../test/laws/shared/syntheticSchedule.ts';
import { type SyntheticChannel, syntheticChannel } from '../../../../test/laws/syntheticChannel.ts';
import { onEachOpenStore } from '../../../../test/servers/sqlStores.ts';
import { type AsRunRow, asRunOf } from '../../../scheduling/asRun.ts';
import { type Millis, millis } from '../../../time/units.ts';
import type { LifeOnAir } from '../rules/ports.ts';
import { createAsRun } from '../rules/recordAsRun.ts';
import { sqlAsRun } from './sqlAsRun.ts';

const START = Date.parse('2026-03-01T00:00:00Z');
const at = (seconds: number): Millis => millis(START + seconds * 1000);
const channel = { tenant: 'acme', id: 'c' };
const all = { offset: 0, limit: 1000 };
const slate = (from: number, to: number): AsRunRow => {
  return { id: `l-0-${from}`, from: at(from), to: at(to), kind: 'slate', differences: ['Slate.'] };
};

onEachOpenStore((sql) => {
  const store = sqlAsRun(sql);
  beforeEach(async () => void (await sql.db.deleteFrom('as_run').execute()));
  const listed = async (from: number, to: number, page = all) =>
    store.list(channel, { from: at(from), to: at(to) }, page);

  test('rows are read by range and page, and stored once', async () => {
    expect(await store.storedUntil(channel)).toBeUndefined();
    const rows = Array.from({ length: 250 }, (_, index) => slate(index * 10, index * 10 + 10));
    await store.add(channel, rows);
    await store.add(channel, [{ ...slate(0, 10), differences: [] }]);
    await store.add({ tenant: 'globex', id: 'c' }, [slate(0, 9000)]);
    expect(await store.storedUntil(channel)).toBe(at(2500));
    expect(await listed(-10, 9999)).toEqual({ total: 250, items: rows });
    expect(await listed(15, 30)).toEqual({ total: 2, items: rows.slice(1, 3) });
    expect(await listed(0, 500, { offset: 49, limit: 5 })).toEqual({ total: 50, items: rows.slice(49, 50) });
    expect((await listed(2500, 9999)).total).toBe(0);
  });

  test('rows are removed by age', async () => {
    await store.add(
      channel,
      Array.from({ length: 1500 }, (_, index) => slate(index, index + 1)),
    );
    expect(await store.removeBefore(at(1400))).toBe(true);
    expect(await store.removeBefore(at(1400))).toBe(false);
    expect((await listed(0, 9999)).items[0]?.from).toBe(at(1400));
  });

  /** Nodes that record a channel. @param fields of the life */
  function onAir(life: SyntheticChannel) {
    let now = at(0);
    let fields: Partial<LifeOnAir> = {};
    const logged: unknown[] = [];
    let loads = 0;
    const node = (isAway = false) =>
      createAsRun({
        store: isAway ? { ...store, add: () => Promise.reject(new Error('the database is away')) } : store,
        load: async () => {
          loads += 1;
          return { ...life, ...fields };
        },
        versions: async () => [{ channel, version: '1' }],
        markersOf: async () => 'cue',
        now: () => now,
        log: (...line) => logged.push(line),
      });
    const goTo = (seconds: number, more: Partial<LifeOnAir> = {}) => {
      now = at(seconds);
      fields = { ...fields, ...more };
    };
    return { node, goTo, logged, loads: () => loads };
  }
  const items = assets.slice(0, 3).map((asset) => ({ asset, cuePoints: [] }));
  const playlist = syntheticChannel(items, START);

  test('nodes that are restarted, fail and record at once store what one would', async () => {
    const { node, goTo, logged, loads } = onAir(playlist);
    const first = node();
    goTo(100);
    await first.recordAll();
    expect([(await listed(0, 9999)).total, loads()]).toEqual([1, 1]);
    goTo(400);
    await first.recordAll();
    expect(loads(), 'nothing has ended').toBe(1);
    goTo(900);
    await node(true).recordAll();
    expect(logged).toHaveLength(1);
    expect(await node(true).recordAsRun(channel)).toBe(false);
    goTo(2000);
    await Promise.all([first.recordAll(), node().recordAll(), node().recordAsRun(channel)]);
    goTo(2600);
    await node().recordAll();
    const { items: rows } = await listed(0, 9999);
    expect(rows).toEqual(asRunOf(playlist, at(0), at(2600)).slice(0, -1));
  });

  test('what is on air when a channel is switched off ends then, and the time until it is on again has no rows', async () => {
    const { node, goTo } = onAir(playlist);
    goTo(100, { offSince: at(95) });
    for (const one of [node(), node()]) expect(await one.recordAsRun(channel)).toBe(true);
    goTo(300, { offSince: undefined, onSince: at(200) });
    goTo(600);
    await node().recordAll();
    const { items: rows } = await listed(0, 9999);
    expect(rows.map(({ from, to }) => [from, to])).toEqual([
      [at(0), at(80)],
      [at(80), at(95)],
      [at(200), at(470)],
      [at(470), at(558)],
    ]);
    expect(rows[1]?.differences).toEqual(['Ended when the channel was switched off or started anew.']);
    expect(rows[2]).toMatchObject({ asset: { in: 120, out: 390 } });
  });

  test('a life begins when it was put on air, and what is on air ends with it', async () => {
    const { node, goTo } = onAir({ ...playlist, airing: { ...playlist.airing, beganAt: at(30) } });
    goTo(100);
    const { onAir: current, ended } = await node().unstored(channel);
    expect([ended[0]?.from, current?.from, current?.to]).toEqual([at(30), at(80), at(100)]);
    expect(await node().recordAsRun(channel, at(90))).toBe(true);
    expect((await listed(0, 9999)).items.map(({ from, to }) => [from, to])).toEqual([
      [at(30), at(80)],
      [at(80), at(90)],
    ]);
  });
});
