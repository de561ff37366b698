// SPDX-License-Identifier: Apache-2.0
// The periodic tasks of the process with the administrative port.
import { sqlDeletedRecords } from '../../adapters/sql/deleted/sqlDeletedRecords.ts';
import type { CreativeJobs } from '../../ingest/creatives/creativeJobs.ts';
import type { StoreHealth } from '../../playback/viewers/storeHealth.ts';
import type { SessionStore } from '../../sessions/ports.ts';
import { LAST_SEEN_SETTLED_MS } from '../../sessions/retention.ts';
import { viewerCounter } from '../../sessions/viewerCounter.ts';
import type { Alerts } from '../alerts/composeAlerts.ts';
import type { History } from '../composeHistory.ts';
import type { OnAirServices } from '../composeOnAir.ts';
import type { Tracking } from '../composeTracking.ts';
import { startQueueMetrics } from '../metrics/queueMetrics.ts';
import { startViewerMetrics } from '../metrics/viewerMetrics.ts';
import type { Services } from '../openServices.ts';
import { type PeriodicTask, startPeriodicTask } from '../periodicTask.ts';
import { adminRetention } from '../retention/adminRetention.ts';
import { startShrinking } from '../shrinkDatabase.ts';

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
