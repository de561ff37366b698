// SPDX-License-Identifier: Apache-2.0
// The store of schedules, on both databases: changes are stored once, in order, and can be undone; lengths are placed only in the
// schedule that was read.
import { expect, test } from 'vitest';
import { onEachOpenStore } from '../../../../test/servers/sqlStores.ts';
import type { PlacedEntry, ScheduleBefore, ScheduleChange } from '../../../scheduling/ports.ts';
import { millis } from '../../../time/units.ts';
import { sqlSchedules } from './sqlSchedules.ts';

const of = (id: string, tenant = 'acme') => ({ tenant, id });
const placed = (
  id: string,
  at: number,
  { order = 0, length, isFixed = false }: { order?: number; length?: number; isFixed?: boolean } = {},
): PlacedEntry => ({
  entry: {
    id,
    title: `${id}  "é" \u0000`,
    source: { url: `https://o.example/${id}` },
    ...(isFixed ? { start: new Date(at).toISOString() } : {}),
  },
  at: millis(at),
  order,
  ...(length === undefined ? {} : { length: millis(length) }),
});
const known = ({ entry, ...place }: PlacedEntry) => ({ ...place, id: entry.id, isFixed: entry.start !== undefined });
const nothing: ScheduleBefore = { settings: {}, put: [], moved: [], removed: [] };
const change = (more: Partial<ScheduleChange>): ScheduleChange => ({
  ...{
    settings: {},
    put: [],
    moved: [],
    removed: [],
    before: nothing,
    by: 'ann@example.com',
    at: '2026-12-01T00:00:00.000Z',
  },
  ...more,
});

onEachOpenStore((sql) => {
  const store = sqlSchedules(sql);
  const idsIn = async (id: string, from = 0, to = 1e12) =>
    (await store.entries(of(id), millis(from), millis(to))).map(({ entry }) => entry.id);

  test('a schedule is read back as stored, in order, with the entry before a range', async () => {
    expect([await store.find(of('one')), await store.known(of('one')), await store.unread(of('one'))]).toEqual([
      undefined,
      [],
      0,
    ]);
    const entries = [
      placed('a', 100, { isFixed: true, length: 50 }),
      placed('c', 150, { order: 1 }),
      placed('b', 150),
      placed('d', 300),
    ];
    const settings = { fillerPlaylistId: 'filler', breaks: { every: 600 } };
    expect(await store.change(of('one'), undefined, change({ put: entries, settings }))).toBe(true);
    const written = { createdAt: '2026-12-01T00:00:00.000Z', modifiedAt: '2026-12-01T00:00:00.000Z' };
    expect(await store.find(of('one'))).toEqual({ settings, version: 0, ...written, modifiedBy: 'ann@example.com' });
    const inOrder = [entries[0]!, entries[2]!, entries[1]!, entries[3]!];
    expect(await store.known(of('one'))).toEqual(inOrder.map(known));
    expect(await store.entries(of('one'), millis(0), millis(1000))).toEqual(inOrder);
    expect(await idsIn('one', 300, 301)).toEqual(['c', 'd']);
    expect(await idsIn('one', 150, 300)).toEqual(['a', 'b', 'c']);
    expect((await store.byId(of('one'), ['d', 'a', 'x'])).map(({ entry }) => entry.id).sort()).toEqual(['a', 'd']);
    expect(await store.unread(of('one'))).toBe(3);
    expect(await store.known(of('one', 'globex'))).toEqual([]);
  });

  test('a change replaces, moves and removes entries of its channel alone', async () => {
    const all = [placed('a', 1), placed('b', 2), placed('c', 3)];
    for (const id of ['two', 'other']) await store.change(of(id), undefined, change({ put: all }));
    const moved = [{ ...known(all[1]!), at: millis(9), length: millis(5) }];
    const before = { ...nothing, put: [all[0]!, all[2]!], moved: [known(all[1]!)], removed: ['n'] };
    const put = [{ ...all[0]!, at: millis(4) }, placed('n', 5)];
    expect(await store.change(of('two'), 0, change({ put, moved, removed: ['c'], before }))).toBe(true);
    expect(await idsIn('two')).toEqual(['a', 'n', 'b']);
    expect((await store.known(of('two'))).at(-1)).toEqual(moved[0]);
    expect(await store.before(of('two'), 1)).toEqual(before);
    expect(await store.known(of('other'))).toEqual(all.map(known));
  });

  test('of two changes of one version exactly one is stored, and one of an old version never is', async () => {
    const id = of('three');
    const attempt = (name: string, version?: number) =>
      store.change(id, version, change({ put: [placed(name, 1)], removed: ['x', 'y'] }));
    expect((await Promise.all([attempt('x'), attempt('y')])).sort()).toEqual([false, true]);
    expect(await store.known(id)).toHaveLength(1);
    expect((await Promise.all([attempt('x', 0), attempt('y', 0)])).sort()).toEqual([false, true]);
    expect(await store.known(id)).toHaveLength(1);
    for (let version = 1; version < 60; version += 1) expect(await attempt('x', version)).toBe(true);
    expect([await store.before(id, 10), await store.before(id, 11)]).toEqual([undefined, nothing]);
    expect(await attempt('y', 3)).toBe(false);
    expect((await store.find(id))?.version).toBe(60);
  });

  test('lengths are placed only in the version that was read, and only by the first who measured', async () => {
    const id = of('four');
    await store.change(id, undefined, change({ put: [placed('a', 1), placed('b', 1, { order: 1 })] }));
    const lengths = [
      { ...known(placed('a', 1)), length: millis(10) },
      { ...known(placed('b', 11)), length: millis(10) },
    ];
    const both = await Promise.all([0, 1].map(() => store.place(id, { version: 0, unread: 2 }, lengths)));
    expect(both.sort()).toEqual([false, true]);
    expect([await store.known(id), await store.unread(id), (await store.find(id))?.version]).toEqual([lengths, 0, 0]);
    await store.change(id, 0, change({ put: [placed('c', 2)] }));
    expect(await store.place(id, { version: 0, unread: 1 }, [{ ...known(placed('c', 2)), length: millis(1) }])).toBe(
      false,
    );
    expect(await store.unread(id)).toBe(1);
  });

  test('thousands of entries are one change', async () => {
    const id = of('five');
    const entries = Array.from({ length: 3000 }, (_, index) => placed(`e${index}`, index));
    await store.change(id, undefined, change({ put: entries }));
    const moved = entries.map((one) => ({ ...known(one), at: millis(one.at + 10_000) }));
    await store.change(id, 0, change({ moved, before: { ...nothing, put: entries } }));
    expect(await store.known(id)).toEqual(moved);
    expect((await store.before(id, 1))?.put).toEqual(entries);
    expect(
      await store.byId(
        id,
        entries.map(({ entry }) => entry.id),
      ),
    ).toHaveLength(3000);
    await store.change(id, 1, change({ removed: entries.map(({ entry }) => entry.id) }));
    expect(await store.known(id)).toEqual([]);
  });
});
