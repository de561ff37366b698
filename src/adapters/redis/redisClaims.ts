// SPDX-License-Identifier: Apache-2.0
// Claims of the right to request the ads of a break, in Redis.
import type { SessionStore } from '../../sessions/ports.ts';
import type { Argument, RedisStore, Reply } from './redisStore.ts';
import { claim, storeResponse, takeResponse } from './scripts/claimScripts.ts';

const textOf = (reply: Reply | undefined): string | undefined =>
  reply === null || reply === undefined ? undefined : String(reply);

export function redisClaims(store: RedisStore): Pick<SessionStore, 'claim' | 'storeResponse' | 'takeResponse'> {
  const { parts } = store;
  return {
    async claim({ sessionId, breakId, startsAt, holder, at, until }) {
      const reply = await store.run(parts.of(sessionId), claim, [sessionId, breakId, startsAt, holder, at, until]);
      if (reply === null) return { isOurs: false };
      const response = textOf((reply as readonly Reply[])[1]);
      return { isOurs: true, ...(response === undefined ? {} : { response }) };
    },
    async storeResponse({ sessionId, breakId, holder, until }, response) {
      const args: Argument[] = [sessionId, breakId, holder, until ?? ''];
      await store.run(parts.of(sessionId), storeResponse, response === undefined ? args : [...args, response]);
    },
    takeResponse: async ({ sessionId, breakId, at }) =>
      textOf(await store.run(parts.of(sessionId), takeResponse, [sessionId, breakId, at])),
  };
}
