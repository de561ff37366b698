// SPDX-License-Identifier: Apache-2.0
// The periodic tasks of the process with the administrative port.

import { Gauge, type Registry } from 'prom-client';
import { sqlDeletedRecords } from '../../platform/deleted/store/sqlDeletedRecords.ts';
import type { Sql } from '../../adapters/sql/sql.ts';
import type { SecretBox } from '../../adapters/sql/secrets/secretBox.ts';
import { sqlAudit } from '../../platform/audit/store/sqlAudit.ts';
import { sqlConsoleSessions } from '../../platform/access/store/sqlConsoleSessions.ts';
import { sqlIdempotency } from '../../platform/access/store/sqlIdempotency.ts';
import type { ChannelRef } from '../../channels/channelKey.ts';
import type { Config } from '../../config.ts';
import type { CreativeJobs } from '../../ingest/creatives/creativeJobs.ts';
import type { StoreHealth } from '../../playback/viewers/storeHealth.ts';
import type { SessionStore } from '../../sessions/ports.ts';
import { LAST_SEEN_SETTLED_MS } from '../../sessions/retention.ts';
import { type CountViewers, viewerCounter } from '../../sessions/viewerCounter.ts';
import type { Timers } from '../../time/clock.ts';
import { type Millis, millis } from '../../time/units.ts';
import type { Alerts } from '../../platform/alerts/composeAlerts.ts';
import type { History } from '../../platform/history/composeHistory.ts';
import type { OnAirServices } from '../composeOnAir.ts';
import type { Tracking } from '../composeTracking.ts';
import { startQueueMetrics } from '../metrics/queueMetrics.ts';
import type { Services } from '../openServices.ts';
import { type PeriodicTask, startPeriodicTask } from '../periodicTask.ts';

type Parts = {
  readonly onAir: OnAirServices;
  readonly alerts: Alerts;
  readonly history: History;
  readonly tracking: Tracking;
  readonly jobs: CreativeJobs;
  readonly sessions: SessionStore;
  readonly health: StoreHealth;
  /** Whether sessions are in a store apart from the database. */
  readonly hasStoreApart: boolean;
};

const OLD_ROWS_MS = 600_000;
const MAX_IDLE_CHECK_MS = 15_000;

export async function startAdminTasks(services: Services, parts: Parts): Promise<PeriodicTask[]> {
  const { config, sql, now, timers, warn, reports } = services;
  const { onAir, alerts, history, tracking, jobs, sessions, health, hasStoreApart } = parts;
  const deleted = sqlDeletedRecords(sql);
  const start = (name: string, ms: number, work: () => Promise<void>) =>
    startPeriodicTask(timers, name, ms, work, warn);
  const tasks = [...(await startShrinking(services)), ...alerts.start(), ...history.start()];
  const { deliveries } = alerts.routes;
  tasks.push(startQueueMetrics({ ...services, jobs, beacons: tracking.beacons, deliveries }));
  await onAir.planAll();
  const channels = () => [...onAir.cache.all()].map(({ channel }) => channel);
  tasks.push(startViewerMetrics({ ...services, channels, countViewers: viewerCounter(sessions, now) }));
  // After an outage, nodes first have to store which sessions are active.
  const endIdleSessions = async () => {
    // Redis keeps account of its outages itself, part by part.
    if (hasStoreApart || health.availableFor() > LAST_SEEN_SETTLED_MS) await reports.endSessions(sessions);
  };
  return [
    ...tasks,
    start('planning ahead', 10_000, onAir.watch),
    start('inserting breaks', 1000, onAir.insertBreaks),
    start('sharing the progress of preparations', 500, onAir.share),
    start('ending disabled channels', 10_000, onAir.endSwitchedOff),
    start('deleting old breaks', OLD_ROWS_MS, onAir.deleteOldOrders),
    start('deleting old changes of origins', OLD_ROWS_MS, onAir.deleteOldOriginEvents),
    start('removing deleted records', OLD_ROWS_MS, () => deleted.purge(now())),
    start('deleting old audit entries', OLD_ROWS_MS, adminRetention(services)),
    start('deleting unused imports', OLD_ROWS_MS, onAir.deleteUnusedImports),
    start('ending idle sessions', Math.min(MAX_IDLE_CHECK_MS, config.SESSION_TTL * 250), endIdleSessions),
  ];
}

// Returns unused space of the SQLite file to the file system.

const RELEASE_INTERVAL_MS = 10_000;

const reasons = {
  large: 'rebuilding it would take too long at this size; see docs/operating.md',
  noSpace: 'the disk has no space for the copy that rebuilding requires',
} as const;

/** Runs in one of the processes that share the file, before it serves requests. */
async function startShrinking({ sql, timers, log, warn }: Services): Promise<PeriodicTask[]> {
  const { shrinker } = sql;
  if (shrinker === undefined) return [];
  try {
    const state = await shrinker.prepare();
    if (state === 'rebuilt') log.info('database file rebuilt so that it can shrink');
    else if (state !== 'ready') log.warn(`database file cannot shrink: ${reasons[state]}`);
  } catch (error) {
    warn('rebuilding the database file failed; retrying at the next start', { error });
  }
  return [startPeriodicTask(timers, 'shrinking the database file', RELEASE_INTERVAL_MS, shrinker.release, warn)];
}

// What the administrative process deletes in the background: old entries of the audit log, old idempotency keys, and sessions of
// users that have expired, with the tokens of the provider.

const DAY_MS = 24 * 3_600_000;
/** Statements in a row. What remains is deleted at the next time. */
const MAX_STATEMENTS = 100;

async function repeat(removeSome: () => Promise<boolean>): Promise<void> {
  for (let count = 0; count < MAX_STATEMENTS; count += 1) if (!(await removeSome())) return;
}

type RetentionDeps = {
  readonly config: Pick<Config, 'AUDIT_RETENTION'>;
  readonly sql: Sql;
  readonly secretBox: SecretBox;
  readonly now: () => Millis;
};

/** @returns the task that deletes them */
function adminRetention({ config, sql, secretBox, now }: RetentionDeps) {
  const audit = sqlAudit(sql);
  const sessions = sqlConsoleSessions(sql, secretBox);
  const idempotency = sqlIdempotency(sql, secretBox);
  return async () => {
    await repeat(() => audit.removeBefore(millis(now() - config.AUDIT_RETENTION * DAY_MS)));
    await repeat(() => idempotency.removeOld(now()));
    await sessions.removeExpired(now());
  };
}

// The viewers of channels as a metric, from the session store: the requests of a viewer may arrive at several processes, and each of
// them would count that viewer.

type Counted = {
  readonly metrics: Registry;
  readonly channels: () => Iterable<ChannelRef>;
  readonly countViewers: CountViewers;
};

type ViewerMetricDeps = Counted & {
  readonly timers: Timers;
  readonly warn: (message: string, facts: Record<string, unknown>) => void;
};

/** As often as nodes store which viewers were seen. */
const INTERVAL_MS = 15_000;

/** Registers the metric. @returns counts the viewers; after a failure, the values remain */
export function viewerMetric({ metrics, channels, countViewers }: Counted): () => Promise<void> {
  const viewers = new Gauge({
    name: 'midroll_viewers',
    help: 'Sessions of enabled channels with a request in the last minute, at any node',
    labelNames: ['tenant', 'channel'] as const,
    // Each process of a node would report the same viewers.
    aggregator: 'max',
    registers: [metrics],
  });
  return async () => {
    const idsOf = new Map<string, string[]>();
    for (const { tenant, id } of channels()) {
      const ids = idsOf.get(tenant);
      if (ids === undefined) idsOf.set(tenant, [id]);
      else ids.push(id);
    }
    const counted = await Promise.all(
      [...idsOf].map(async ([tenant, ids]) => ({ tenant, ids, counts: await countViewers(tenant, ids) })),
    );
    // Without the channels that are no longer enabled.
    viewers.reset();
    for (const { tenant, ids, counts } of counted)
      for (const channel of ids) viewers.set({ tenant, channel }, counts.get(channel) ?? 0);
  };
}

/** Begins at once, so that the first scrape has values. */
function startViewerMetrics({ timers, warn, ...counted }: ViewerMetricDeps): PeriodicTask {
  const measure = viewerMetric(counted);
  measure().catch((error: unknown) => warn('counting viewers failed', { error }));
  return startPeriodicTask(timers, 'counting viewers', INTERVAL_MS, measure, warn);
}
