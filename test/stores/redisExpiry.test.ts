// SPDX-License-Identifier: Apache-2.0
// After a trouble, what Redis removes does not depend on what nodes could not store meanwhile.
import { beforeEach, expect, test } from 'vitest';
import { createParts } from '../../src/adapters/redis/parts.ts';
import { openRedisStore } from '../../src/adapters/redis/redisStore.ts';
import { redisSessionStores, type SessionStores } from '../../src/composition/openSessionStores.ts';
import { openSqlite } from '../../src/database.ts';
import { millis } from '../../src/time/units.ts';
import { type RedisServer, startRedis } from '../servers/startRedis.ts';
import { sessionOf } from './records.ts';

const SECOND = 1000;
const TTL = 60 * SECOND;
let redis: RedisServer;
let stores: SessionStores;
beforeEach(async () => {
  redis = await startRedis();
  stores = redisSessionStores(await openRedisStore(redis.url, 'test'), await openSqlite(':memory:'));
  return async () => {
    await stores.close();
    await redis.stop();
  };
});

const heardKey = (id: string) => `${createParts('test').of(id).prefix}heard`;

/** A session that was last seen so many seconds ago. */
async function watched(id: string, secondsAgo: number): Promise<void> {
  const at = millis(Date.now() - secondsAgo * SECOND);
  await stores.sessions.create(sessionOf(id, at), { segments: [0], discontinuities: 0 });
  await stores.sessions.seen([id], at);
}

const expire = () => stores.sessions.expire(millis(Date.now() - TTL));
const isKept = async (id: string) => (await stores.sessions.find(id)) !== undefined;

test('a session that was not seen for its time is removed', async () => {
  await watched('left', 100);
  await watched('watching', 10);
  expect(await expire()).toHaveLength(1);
  expect([await isKept('left'), await isKept('watching')]).toEqual([false, true]);
});

test('after an outage, sessions that were watched when it began are kept until nodes have stored that they still are', async () => {
  await watched('watching', 100);
  await watched('left', 200);
  for (const id of ['watching', 'left'])
    await redis.command('hset', heardKey(id), 'at', String(Date.now() - 90 * SECOND), 'from', '0', 'over', '0');
  expect(await expire()).toHaveLength(1);
  expect([await isKept('watching'), await isKept('left')]).toEqual([true, false]);
  expect(await expire()).toEqual([]);
  await redis.command('hset', heardKey('watching'), 'over', String(Date.now() - 46 * SECOND));
  expect(await expire()).toHaveLength(1);
});

test('a second outage that follows soon does not shorten the first one', async () => {
  await watched('watching', 100);
  const [from, over, at] = [90, 40, 30].map((seconds) => String(Date.now() - seconds * SECOND)) as [
    string,
    string,
    string,
  ];
  await redis.command('hset', heardKey('watching'), 'at', at, 'from', from, 'over', over);
  expect(await expire()).toEqual([]);
  expect(await redis.command('hget', heardKey('watching'), 'from')).toBe(from);
});

test('while the memory is full, sessions are removed that had ended before it was', async () => {
  await watched('watching', 100);
  await watched('left', 200);
  for (const id of ['watching', 'left'])
    await redis.command('hset', heardKey(id), 'at', String(Date.now() - 80 * SECOND), 'from', '0', 'over', '0');
  await redis.command('config', 'set', 'maxmemory', '1');
  await expect(stores.sessions.seen(['watching'], millis(Date.now()))).rejects.toThrow('no memory left');
  expect(await expire()).toHaveLength(1);
  await redis.command('config', 'set', 'maxmemory', '0');
  expect([await isKept('watching'), await isKept('left')]).toEqual([true, false]);
});
