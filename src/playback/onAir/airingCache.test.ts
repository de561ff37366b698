// SPDX-License-Identifier: Apache-2.0
// Two processes share one store: a lookup in one finds what the other has just stored.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { airingOf, edited, type SyntheticChannel, syntheticChannel } from '../../../test/laws/syntheticChannel.ts';
import { twoSecondAsset } from '../../../test/laws/syntheticTitle.ts';
import { sqlAirings } from '../../adapters/sql/channels/sqlAirings.ts';
import { sqlAssets } from '../../adapters/sql/channels/sqlAssets.ts';
import { sqlChannels } from '../../adapters/sql/channels/sqlChannels.ts';
import type { Sql } from '../../adapters/sql/sql.ts';
import { systemTimers } from '../../adapters/systemClock.ts';
import type { Channel } from '../../channels/channel.ts';
import { openSqlite } from '../../database.ts';
import { createScheduleSource } from '../../planning/scheduleSource.ts';
import { createAiringCache } from './airingCache.ts';

let sql: Sql;
beforeEach(async () => {
  sql = await openSqlite(':memory:');
});
afterEach(() => sql.close());

function openCache() {
  const channels = sqlChannels(sql);
  let reads = 0;
  const cache = createAiringCache({
    channels: {
      ...channels,
      enabled: () => {
        reads += 1;
        return channels.enabled();
      },
    },
    source: createScheduleSource({ airings: sqlAirings(sql), assets: sqlAssets(sql), findMedia: () => undefined }),
    findMedia: () => undefined,
    timers: systemTimers,
    log: expect.unreachable,
    offAirReason: () => 'it is being prepared',
  });
  return { ...cache, reads: () => reads };
}

const of = (id: string) => ({ tenant: 'acme', id });
const enable = (id: string) => sqlChannels(sql).insert({ id, tenant: 'acme', state: 'enabled', apiKey: id } as Channel);

test('a lookup finds a channel stored a moment ago, also directly after another read', async () => {
  const cache = openCache();
  expect(await cache.refreshOnMiss()).toBe(false);
  await enable('one');
  expect(await cache.refreshOnMiss()).toBe(true);
  expect(cache.find(of('one'))?.reason?.()).toBeTypeOf('string');
});

test('a read that started before a channel was stored does not count for a later lookup', async () => {
  const cache = openCache();
  for (const id of ['one', 'two', 'three']) {
    const underWay = cache.refreshOnMiss();
    const stored = enable(id).then(() => cache.refreshOnMiss());
    await Promise.all([underWay, stored]);
    expect(cache.find(of(id))?.reason?.()).toBeTypeOf('string');
  }
});

test('lookups of unknown channels share reads of the store', async () => {
  const cache = openCache();
  for (let round = 0; round < 3; round += 1) {
    const results = Array.from({ length: 500 }, () => cache.refreshOnMiss());
    expect(new Set(await Promise.all(results))).toEqual(new Set([false]));
  }
  expect(cache.reads()).toBe(3);
});

test('plannings that end at the same time share reads of the store', async () => {
  const cache = openCache();
  await enable('a');
  await Promise.all(Array.from({ length: 500 }, cache.refresh));
  expect(cache.reads()).toBe(2);
  const first = cache.refresh();
  await enable('b');
  await cache.refresh();
  await first;
  expect(cache.find(of('b'))).toBeDefined();
});

test('the programme and what is memoized for it are kept until its revision or life changes', async () => {
  const item = (name: string) => {
    const asset = twoSecondAsset(name, 2);
    return { asset, cuePoints: [] };
  };
  const first = syntheticChannel([item('a')], 0);
  const channel = { ...airingOf(first, 60).channel, ...of('one') };
  let version = 0;
  let loaded = airingOf(first, 60);
  const cache = createAiringCache({
    channels: { ...sqlChannels(sql), enabled: async () => [{ ...channel, version, name: `change ${version}` }] },
    source: { versions: async () => [], load: async () => loaded },
    findMedia: () => undefined,
    timers: systemTimers,
    log: expect.unreachable,
    offAirReason: () => 'it is being prepared',
  });
  const load = async (onAir: SyntheticChannel, life: string) => {
    loaded = { ...airingOf(onAir, 60), life };
    version += 1;
    await cache.refresh();
    return cache.find(of('one'))!.airing!;
  };
  const before = await load(first, 'l');
  const unchanged = await load(syntheticChannel([item('a')], 0), 'l');
  expect(unchanged.channel.name).toBe('change 2');
  expect(unchanged.programme).toBe(before.programme);
  const changed = await load(edited(first, [item('b')], 60_000), 'l');
  expect(changed.programme).toBe(loaded.programme);
  expect(changed.placements).toBe(before.placements);
  const restarted = await load(edited(first, [item('b')], 60_000), 'other');
  expect(restarted.programme).toBe(loaded.programme);
  expect(restarted.placements).not.toBe(before.placements);
});
