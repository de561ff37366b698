// SPDX-License-Identifier: Apache-2.0
// Opens the session store: Redis if REDIS_URL is set, otherwise the database. Observes the calls to Redis.

import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { redisAside } from '../adapters/redis/redisAside.ts';
import { redisBreakViewers } from '../adapters/redis/redisBreakViewers.ts';
import { redisConfirmations } from '../adapters/redis/redisConfirmations.ts';
import { redisFrozen } from '../adapters/redis/redisFrozen.ts';
import { redisLivingSessions } from '../adapters/redis/redisLivingSessions.ts';
import { redisSessions } from '../adapters/redis/redisSessions.ts';
import { redisShownAds } from '../adapters/redis/redisShownAds.ts';
import { redisSourceRates } from '../adapters/redis/redisSourceRates.ts';
import type { RedisObserver, RedisStore } from '../adapters/redis/redisStore.ts';
import { sqlAside } from '../adapters/sql/history/sqlAside.ts';
import { keepAssets } from '../adapters/sql/sessions/keepAssets.ts';
import { sqlBreakViewers } from '../adapters/sql/sessions/sqlBreakViewers.ts';
import { sqlFrozen } from '../adapters/sql/sessions/sqlFrozen.ts';
import { sqlLivingSessions, sqlOwnedChannels } from '../adapters/sql/sessions/sqlLivingSessions.ts';
import { sqlSessions } from '../adapters/sql/sessions/sqlSessions.ts';
import { sqlShownAds } from '../adapters/sql/sessions/sqlShownAds.ts';
import { sqlSourceRates } from '../adapters/sql/sessions/sqlSourceRates.ts';
import type { Sql } from '../adapters/sql/sql.ts';
import { offChannels } from '../adapters/sql/sqlLives.ts';
import { sqlConfirmations } from '../adapters/sql/tracking/sqlConfirmations.ts';
import { createPartedHealth, createStoreHealth, type StoreHealth } from '../playback/viewers/storeHealth.ts';
import type { AsideStore, LivingSessions } from '../sessions/history/ports.ts';
import type { BreakViewers, FrozenStore, SessionStore, ShownAdsStore, SourceRates } from '../sessions/ports.ts';
import type { ConfirmationStore } from '../tracking/feed/confirmations.ts';
import { availabilityOf } from './metrics/storeMetrics.ts';
import type { Services } from './openServices.ts';
import { redisHosts, waitForStore } from './waitForStore.ts';

export type SessionStores = {
  readonly sessions: SessionStore;
  readonly frozen: FrozenStore;
  readonly shownAds: ShownAdsStore;
  readonly confirmations: ConfirmationStore;
  readonly breakViewers: BreakViewers;
  readonly living: LivingSessions;
  readonly aside: AsideStore;
  readonly sourceRates: SourceRates;
  close(): Promise<void>;
};

/** @param keepsTraces whether what is removed is set aside for the history */
export const sqlSessionStores = (sql: Sql, keepsTraces = false): SessionStores => ({
  sessions: sqlSessions(sql, keepsTraces),
  frozen: sqlFrozen(sql),
  shownAds: sqlShownAds(sql),
  confirmations: sqlConfirmations(sql),
  breakViewers: sqlBreakViewers(sql),
  living: sqlLivingSessions(sql),
  aside: sqlAside(sql),
  sourceRates: sqlSourceRates(sql),
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
  shownAds: redisShownAds(store),
  confirmations: redisConfirmations(store),
  breakViewers: redisBreakViewers(store),
  living: redisLivingSessions(store, sqlOwnedChannels(sql)),
  aside: redisAside(store),
  sourceRates: redisSourceRates(store),
  close: () => store.close(),
});

function observeRedis(registers: Registry[], warn: Services['warn']): RedisObserver {
  const seconds = new Histogram({
    name: 'midroll_redis_batch_seconds',
    help: 'Time of a batch of calls to Redis, including the confirmation of a replica',
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers,
  });
  const calls = new Counter({ name: 'midroll_redis_calls_total', help: 'Calls to Redis', registers });
  const failed = new Counter({
    name: 'midroll_redis_batches_failed_total',
    help: 'Batches of calls to Redis in which a call failed, or that no replica confirmed',
    registers,
  });
  const unprotected = new Gauge({
    name: 'midroll_redis_masters_without_replica',
    help: 'Redis masters that no replica follows: what they store is lost if they fail',
    aggregator: 'max',
    registers,
  });
  return {
    onBatch(batch) {
      seconds.observe(batch.ms / 1000);
      calls.inc(batch.calls);
      if (batch.failed) failed.inc();
    },
    onUnprotected(masters) {
      unprotected.set(masters);
      if (masters > 0) warn('Redis masters without a replica: what they store is lost if they fail', { masters });
      else warn('each Redis master has a replica again', {});
    },
  };
}

type OpenedSessionStores = {
  readonly stores: SessionStores;
  readonly health: StoreHealth;
  /** Only for a store apart from the database: whether all of it responds, and what notices the end of an outage. */
  readonly apart?: { readonly probe: () => Promise<void>; readonly retry: () => Promise<void> };
};

/** The client of Redis is loaded only when it is needed. */
export async function openSessionStores({
  config: { REDIS_URL: url, REDIS_PREFIX: prefix, TRACE_RETENTION },
  sql,
  timers,
  log,
  warn,
  metrics,
}: Services): Promise<OpenedSessionStores> {
  const keepsTraces = TRACE_RETENTION > 0;
  if (url === undefined) return { stores: sqlSessionStores(sql, keepsTraces), health: createStoreHealth(timers, warn) };
  const { openRedisStore } = await import('../adapters/redis/redisStore.ts');
  const observer = observeRedis([metrics], warn);
  const open = () => openRedisStore(url, prefix, observer);
  const redis = await waitForStore(redisHosts(url), open, timers, (waiting) =>
    log.warn(waiting, 'waiting for the session store'),
  );
  const partOf = (sessionId: string) => redis.parts.of(sessionId).prefix;
  const health = createPartedHealth(partOf, timers, warn, 'session store', redis.probePart);
  const help = 'With REDIS_URL: 1 if all parts of Redis that viewers of this process use respond, else 0';
  availabilityOf(metrics, 'midroll_session_store_available', help, () => !health.isUnavailable());
  return {
    stores: redisSessionStores(redis, sql, keepsTraces),
    health,
    apart: { probe: redis.probe, retry: health.retry },
  };
}
