// SPDX-License-Identifier: Apache-2.0
// The store of what operators order by hand, on both databases.

import { beforeEach, expect, test } from 'vitest';
import { onEachOpenStore } from '../../../../test/servers/sqlStores.ts';
import { insertedOf } from '../../../../test/stores/records.ts';
import { type InsertedBreak, markedChange } from '../../../channels/inserted/breakOrder.ts';
import { millis } from '../../../time/units.ts';
import { sqlBreakOrders } from './sqlBreakOrders.ts';
import { sqlChannels } from './sqlChannels.ts';

const NOW = 1_772_366_400_000;
const news = { tenant: 'acme', id: 'news' };
const breakOf = (id: string, changed: Partial<InsertedBreak> = {}): InsertedBreak =>
  insertedOf(millis(NOW), millis(NOW), { id, request: '{"duration":30}', ...changed });
const idsOf = (orders: readonly { readonly id: string }[]) => orders.map(({ id }) => id).sort();

onEachOpenStore((sql) => {
  const store = sqlBreakOrders(sql);
  beforeEach(() => sql.db.deleteFrom('break_orders').execute());

  test('stores an order once, also when it is inserted several times at once', async () => {
    const outcomes = await Promise.all([1, 2, 3].map((n) => store.insert(breakOf('a', { request: `${n}` }), 10)));
    expect(outcomes.map(({ outcome }) => outcome).sort()).toEqual(['inserted', 'known', 'known']);
    const [stored] = outcomes.filter(({ outcome }) => outcome === 'inserted');
    for (const one of outcomes) expect(one).toMatchObject({ order: stored && 'order' in stored ? stored.order : {} });
    expect(await store.find(news, 'a')).toEqual(stored && 'order' in stored ? stored.order : undefined);
  });

  test('keeps channels and tenants apart', async () => {
    await store.insert(breakOf('a'), 10);
    await store.insert(breakOf('a', { tenant: 'other', request: 'other' }), 10);
    await store.insert(breakOf('a', { channelId: 'sport', request: 'sport' }), 10);
    expect((await store.find(news, 'a'))?.request).toBe('{"duration":30}');
    expect((await store.find({ tenant: 'other', id: 'news' }, 'a'))?.request).toBe('other');
    expect((await store.list({ tenant: 'acme', id: 'sport' }, millis(0), millis(8e15))).length).toBe(1);
    expect(await store.find({ tenant: 'other', id: 'sport' }, 'a')).toBeUndefined();
  });

  test('accepts a limited number of orders that are not over', async () => {
    await store.insert(breakOf('over', { startsAt: millis(NOW - 60_000) }), 1);
    expect((await store.insert(breakOf('a'), 1)).outcome).toBe('inserted');
    expect((await store.insert(breakOf('b'), 1)).outcome).toBe('full');
    expect((await store.insert(breakOf('a'), 1)).outcome).toBe('known');
    expect((await store.insert(breakOf('b', { channelId: 'sport' }), 1)).outcome).toBe('inserted');
  });

  test('replaces only the revision that was read', async () => {
    const one = breakOf('a');
    await store.insert(one, 10);
    const ended = { ...one, endedAt: millis(NOW + 5000), revision: 1 };
    expect(await store.replace(ended)).toBe(true);
    expect(await store.replace({ ...one, cancelledAt: millis(NOW), revision: 1 })).toBe(false);
    expect(await store.find(news, 'a')).toEqual(ended);
    expect(await store.replace({ ...ended, id: 'b', revision: 2 })).toBe(false);
  });

  test('lists the breaks of a time range', async () => {
    await store.insert(breakOf('past', { startsAt: millis(NOW - 90_000) }), 10);
    await store.insert(breakOf('reaches', { startsAt: millis(NOW - 10_000) }), 10);
    await store.insert(breakOf('open', { startsAt: millis(NOW - 80_000), kind: 'blackout', duration: undefined! }), 10);
    await store.insert(breakOf('later', { startsAt: millis(NOW + 10_000) }), 10);
    await store.insert(breakOf('gone', { cancelledAt: millis(NOW + 5000) }), 10);
    const listed = await store.list(news, millis(NOW), millis(NOW + 10_000));
    expect(listed.map(({ id }) => id)).toEqual(['open', 'reaches']);
    expect((await store.list(news, millis(0), millis(8e15))).length).toBe(4);
  });

  test('returns the orders of all channels that are not over', async () => {
    const common = { channelId: 'news', createdAt: millis(NOW), action: 'end' as const };
    await store.insert(markedChange({ ...common, tenant: 'acme', life: 'l1', breakId: '7', startsAt: millis(NOW) }), 9);
    await store.insert(breakOf('a'), 9);
    await store.insert(breakOf('cancelled', { cancelledAt: millis(NOW + 1) }), 9);
    await store.insert(breakOf('open', { tenant: 'other', kind: 'blackout', duration: undefined! }), 9);
    expect(idsOf(await store.current(millis(NOW - 1)))).toEqual(['a', 'cancelled', 'l1 7 end', 'open']);
    expect(idsOf(await store.current(millis(NOW + 40_000)))).toEqual(['open']);
    expect(await store.find(news, 'l1 7 end')).toBeUndefined();
    expect(idsOf(await store.list(news, millis(0), millis(8e15)))).toEqual(['a']);
  });

  test('removes orders some time after they are over, and with their channel', async () => {
    await store.insert(breakOf('a'), 9);
    await store.insert(breakOf('open', { kind: 'blackout', duration: undefined! }), 9);
    await store.removeBefore(millis(NOW + 40_000));
    expect(idsOf(await store.current(millis(0)))).toEqual(['open']);
    await sqlChannels(sql).remove('acme', 'news');
    expect(await store.current(millis(0))).toEqual([]);
  });
});
