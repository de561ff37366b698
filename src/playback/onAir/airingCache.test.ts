// Two processes share one store: a lookup in one finds what the other has just stored.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { sqlAirings } from '../../adapters/sql/channels/sqlAirings.ts';
import { sqlAssets } from '../../adapters/sql/channels/sqlAssets.ts';
import { sqlChannels } from '../../adapters/sql/channels/sqlChannels.ts';
import { openSqlite, type Sql } from '../../adapters/sql/sql.ts';
import { systemTimers } from '../../adapters/systemClock.ts';
import type { Channel } from '../../channels/channel.ts';
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
    ...{ timers: systemTimers, log: expect.unreachable, offAirReason: () => 'it is being prepared' },
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
