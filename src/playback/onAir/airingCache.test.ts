// Two processes of one store: what one has put on air, the other knows when somebody asks for it.
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
  let looks = 0;
  const cache = createAiringCache({
    channels: {
      ...channels,
      enabled: () => {
        looks += 1;
        return channels.enabled();
      },
    },
    source: createScheduleSource({ airings: sqlAirings(sql), assets: sqlAssets(sql), findMedia: () => undefined }),
    findMedia: () => undefined,
    ...{ timers: systemTimers, log: expect.unreachable, offAirReason: () => 'it is being prepared' },
  });
  return { ...cache, looks: () => looks };
}

const of = (id: string) => ({ tenant: 'acme', id });
const enable = (id: string) => sqlChannels(sql).insert({ id, tenant: 'acme', state: 'enabled', apiKey: id } as Channel);

test('whoever asks for what was stored a moment ago is told of it, also right after somebody looked', async () => {
  const cache = openCache();
  expect(await cache.refreshOnMiss()).toBe(false);
  await enable('one');
  expect(await cache.refreshOnMiss()).toBe(true);
  expect(cache.find(of('one'))?.reason?.()).toBeTypeOf('string');
});

test('a look that was under way when it was stored is not taken for an answer', async () => {
  const cache = openCache();
  for (const id of ['one', 'two', 'three']) {
    const under = cache.refreshOnMiss();
    const stored = enable(id).then(() => cache.refreshOnMiss());
    await Promise.all([under, stored]);
    expect(cache.find(of(id))?.reason?.()).toBeTypeOf('string');
  }
});

test('those who ask for what is not there make it look now and then', async () => {
  const cache = openCache();
  for (let round = 0; round < 3; round += 1) {
    const answers = Array.from({ length: 500 }, () => cache.refreshOnMiss());
    expect(new Set(await Promise.all(answers))).toEqual(new Set([false]));
  }
  expect(cache.looks()).toBe(3);
});
