// SPDX-License-Identifier: Apache-2.0
// What is stored of viewers: in the database, or in Redis if REDIS_URL is set. Both have the same ports.
import { redisBreakViewers } from '../adapters/redis/redisBreakViewers.ts';
import { redisConfirmations } from '../adapters/redis/redisConfirmations.ts';
import { redisFrozen } from '../adapters/redis/redisFrozen.ts';
import { redisSessions } from '../adapters/redis/redisSessions.ts';
import type { RedisStore } from '../adapters/redis/redisStore.ts';
import { keepAssets } from '../adapters/sql/sessions/keepAssets.ts';
import { sqlBreakViewers } from '../adapters/sql/sessions/sqlBreakViewers.ts';
import { sqlFrozen } from '../adapters/sql/sessions/sqlFrozen.ts';
import { sqlOffChannels } from '../adapters/sql/sessions/sqlOffChannels.ts';
import { sqlSessions } from '../adapters/sql/sessions/sqlSessions.ts';
import type { Sql } from '../adapters/sql/sql.ts';
import { sqlConfirmations } from '../adapters/sql/tracking/sqlConfirmations.ts';
import type { BreakViewers, FrozenStore, SessionStore } from '../sessions/ports.ts';
import type { ConfirmationStore } from '../tracking/feed/confirmations.ts';

export type SessionStores = {
  readonly sessions: SessionStore;
  readonly frozen: FrozenStore;
  readonly confirmations: ConfirmationStore;
  readonly breakViewers: BreakViewers;
  close(): Promise<void>;
};

export const sqlSessionStores = (sql: Sql): SessionStores => ({
  sessions: sqlSessions(sql),
  frozen: sqlFrozen(sql),
  confirmations: sqlConfirmations(sql),
  breakViewers: sqlBreakViewers(sql),
  close: () => Promise.resolve(),
});

/** @param sql what sessions refer to: imported assets, and whether channels are switched off */
export const redisSessionStores = (store: RedisStore, sql: Sql): SessionStores => ({
  sessions: redisSessions(store, {
    keepAssets: async (title) => void (await sql.atomically(keepAssets(sql, title))),
    offChannels: sqlOffChannels(sql),
  }),
  frozen: redisFrozen(store),
  confirmations: redisConfirmations(store),
  breakViewers: redisBreakViewers(store),
  close: () => store.close(),
});
