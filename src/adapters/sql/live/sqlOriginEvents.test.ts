// SPDX-License-Identifier: Apache-2.0
// The store of changes of live origins, on both databases.
import { beforeEach, expect, test } from 'vitest';
import { onEachOpenStore } from '../../../../test/servers/sqlStores.ts';
import { liveFeedOf } from '../../../../test/stores/records.ts';
import type { OriginEvent } from '../../../live/originHealth.ts';
import { millis } from '../../../time/units.ts';
import { sqlChannels } from '../channels/sqlChannels.ts';
import { sqlLiveFeeds } from './sqlLiveFeeds.ts';
import { sqlOriginEvents } from './sqlOriginEvents.ts';

const NOW = 1_772_366_400_000;
const news = { tenant: 'acme', id: 'news' };
const all = { from: millis(0), to: millis(8.64e15) };
const page = { offset: 0, limit: 100 };
const ok = (second: number, changed: Partial<OriginEvent> = {}): OriginEvent => ({
  at: millis(NOW + second * 1000),
  origin: 'hls',
  state: 'ok',
  onAir: 'source',
  url: 'https://o.test/\0\ud800"',
  ...changed,
});
const slate = (second: number, reason = 'gone'): OriginEvent => ({
  at: millis(NOW + second * 1000),
  origin: 'hls',
  state: 'failing',
  onAir: 'slate',
  reason,
});

onEachOpenStore((sql) => {
  const store = sqlOriginEvents(sql);
  const secondsOf = async (range = all, one = page) => {
    const { total, items } = await store.list(news, range, one);
    return { total, seconds: items.map(({ at }) => (at - NOW) / 1000) };
  };
  beforeEach(async () => {
    await sql.db.deleteFrom('origin_events').execute();
    await sql.db.deleteFrom('live_feeds').execute();
    const feeds = sqlLiveFeeds(sql);
    for (const feed of [
      liveFeedOf('news', 'h'),
      liveFeedOf('news', 'd', 'dash'),
      liveFeedOf('news', 'g', 'hls', 'globex'),
    ])
      await feeds.begin(feed);
  });

  test('stores changes only, for each format of each channel', async () => {
    for (const event of [ok(0), ok(1), slate(2), slate(3, 'another reason'), ok(4), ok(5, { url: 'https://b.test/' })])
      await store.record('h', event);
    await store.record('d', ok(6, { origin: 'dash' }));
    await store.record('g', ok(7));
    expect(await secondsOf()).toEqual({ total: 5, seconds: [6, 5, 4, 2, 0] });
    const { items } = await store.list(news, all, page);
    expect(items.at(-1)).toEqual(ok(0));
    expect(items[3]).toEqual(slate(2));
  });

  test('stores what several processes notice at the same time once', async () => {
    await store.record('h', ok(0));
    await Promise.all([1, 2, 3].map((second) => store.record('h', slate(second))));
    expect((await secondsOf()).total).toBe(2);
  });

  test('lists a time range in pages', async () => {
    for (const second of [0, 10, 20, 30]) await store.record('h', second % 20 === 0 ? ok(second) : slate(second));
    const range = { from: millis(NOW + 10_000), to: millis(NOW + 30_000) };
    expect(await secondsOf(range)).toEqual({ total: 2, seconds: [20, 10] });
    expect(await secondsOf(all, { offset: 1, limit: 2 })).toEqual({ total: 4, seconds: [20, 10] });
  });

  test('stores nothing for a feed that has ended, and removes events with their channel', async () => {
    await store.record('unknown', ok(0));
    expect((await secondsOf()).total).toBe(0);
    await store.record('h', ok(0));
    await sqlChannels(sql).remove('acme', 'news');
    expect((await secondsOf()).total).toBe(0);
    await store.record('h', slate(1));
    expect((await secondsOf()).total).toBe(0);
  });

  test('removes old events, except the newest of each format', async () => {
    for (const event of [ok(0), slate(1), ok(2)]) await store.record('h', event);
    await store.record('d', ok(0, { origin: 'dash' }));
    await store.removeBefore(millis(NOW + 10_000));
    expect((await secondsOf()).seconds).toEqual([2, 0]);
    await store.record('h', slate(20));
    await store.removeBefore(millis(NOW + 10_000));
    expect((await secondsOf()).seconds).toEqual([20, 0]);
  });
});
