// SPDX-License-Identifier: Apache-2.0
import { randomUUID } from 'node:crypto';
import { expect, inject, onTestFinished, test } from 'vitest';
import { openedInTest } from '../../../test/opened.ts';
import { fresh, sessionOf } from '../../../test/stores/records.ts';
import { redisSessionStores } from '../../composition/openSessionStores.ts';
import { openSqlite } from '../../database.ts';
import { millis } from '../../time/units.ts';
import { redisSessionList } from './redisSessionList.ts';
import { openRedisStore, type RedisStore } from './redisStore.ts';

const SESSIONS = 2000;

test('a page is read without the sessions before it, whatever its offset', async () => {
  const sql = await openedInTest(openSqlite(':memory:'));
  const store = await openedInTest(openRedisStore(inject('redisUrl'), randomUUID()));
  const { sessions } = redisSessionStores(store, sql);
  onTestFinished(async () => void (await sessions.expire(millis(10 * SESSIONS))));
  const ids = Array.from({ length: SESSIONS }, () => randomUUID());
  await Promise.all(ids.map((id, index) => sessions.create(sessionOf(id, millis(index)), fresh)));
  let read = 0;
  const counting: RedisStore = {
    ...store,
    async run(part, script, args) {
      const reply = await store.run(part, script, args);
      if (script.name === 'newest') read += (reply as readonly unknown[]).length / 2;
      return reply;
    },
  };
  const list = redisSessionList(counting);
  for (const offset of [0, 1000, SESSIONS - 1, SESSIONS, 999_999_999_999_999]) {
    read = 0;
    const { total, items } = await list({ id: 'c', tenant: 't' }, { offset, limit: 1 });
    expect([total, items.map(({ id }) => id)]).toEqual([SESSIONS, ids.toReversed().slice(offset, offset + 1)]);
    // One of each part.
    expect(read).toBeLessThanOrEqual(store.parts.all.length);
  }
});
