// SPDX-License-Identifier: Apache-2.0
// What is stored of viewers: in the database, or in Redis if REDIS_URL is set. Both have the same ports.
import { redisAside } from '../adapters/redis/redisAside.ts';
import { redisBreakViewers } from '../adapters/redis/redisBreakViewers.ts';
import { redisConfirmations } from '../adapters/redis/redisConfirmations.ts';
import { redisFrozen } from '../adapters/redis/redisFrozen.ts';
import { redisLivingSessions } from '../adapters/redis/redisLivingSessions.ts';
import { redisSessions } from '../adapters/redis/redisSessions.ts';
import type { RedisStore } from '../adapters/redis/redisStore.ts';
import { sqlAside } from '../adapters/sql/history/sqlAside.ts';
import { keepAssets } from '../adapters/sql/sessions/keepAssets.ts';
import { sqlBreakViewers } from '../adapters/sql/sessions/sqlBreakViewers.ts';
import { sqlFrozen } from '../adapters/sql/sessions/sqlFrozen.ts';
import { sqlLivingSessions, sqlOwnedChannels } from '../adapters/sql/sessions/sqlLivingSessions.ts';
import { sqlSessions } from '../adapters/sql/sessions/sqlSessions.ts';
import type { Sql } from '../adapters/sql/sql.ts';
import { offChannels } from '../adapters/sql/sqlLives.ts';
import { sqlConfirmations } from '../adapters/sql/tracking/sqlConfirmations.ts';
import type { AsideStore, LivingSessions } from '../sessions/history/ports.ts';
import type { BreakViewers, FrozenStore, SessionStore } from '../sessions/ports.ts';
import type { ConfirmationStore } from '../tracking/feed/confirmations.ts';

export type SessionStores = {
  readonly sessions: SessionStore;
  readonly frozen: FrozenStore;
  readonly confirmations: ConfirmationStore;
  readonly breakViewers: BreakViewers;
  readonly living: LivingSessions;
  readonly aside: AsideStore;
  close(): Promise<void>;
};

/** @param keepsTraces whether what is removed is set aside for the history */
export const sqlSessionStores = (sql: Sql, keepsTraces = false): SessionStores => ({
  sessions: sqlSessions(sql, keepsTraces),
  frozen: sqlFrozen(sql),
  confirmations: sqlConfirmations(sql),
  breakViewers: sqlBreakViewers(sql),
  living: sqlLivingSessions(sql),
  aside: sqlAside(sql),
  close: () => Promise.resolve(),
});

/** @param sql what sessions refer to: imported assets, and whether channels are switched off */
export const redisSessionStores = (store: RedisStore, sql: Sql, keepsTraces = false): SessionStores => ({
  sessions: redisSessions(store, {
    keepAssets: async (title) => void (await sql.atomically(keepAssets(sql, title))),
    offChannels: (since) => offChannels(sql, since),
    keepsTraces,
  }),
  frozen: redisFrozen(store),
  confirmations: redisConfirmations(store),
  breakViewers: redisBreakViewers(store),
  living: redisLivingSessions(store, sqlOwnedChannels(sql)),
  aside: redisAside(store),
  close: () => store.close(),
});
