// SPDX-License-Identifier: Apache-2.0
// Composes delivery and beacons: recording deliveries, sending due beacons, and deleting old rows.
import { join } from 'node:path';
import { Counter, type Registry } from 'prom-client';
import type { Dispatcher } from 'undici';
import { createHostBreaker, createHttpBeacon } from '../adapters/http/httpBeacon.ts';
import { createDeliverySpool } from '../adapters/spool/deliverySpool.ts';
import { createFileSpool } from '../adapters/spool/fileSpool.ts';
import type { Sql } from '../adapters/sql/sql.ts';
import { sqlBeacons } from '../adapters/sql/tracking/sqlBeacons.ts';
import { sqlDeliveries } from '../adapters/sql/tracking/sqlDeliveries.ts';
import type { Config } from '../config.ts';
import type { SessionStore } from '../sessions/ports.ts';
import { MAX_OVERTIME_MS } from '../sessions/retention.ts';
import type { Timers } from '../time/clock.ts';
import { type Millis, millis } from '../time/units.ts';
import type { BeaconFact } from '../tracking/beacons/beacon.ts';
import type { BeaconStore } from '../tracking/beacons/ports.ts';
import { createBeaconSender } from '../tracking/beacons/sendBeacons.ts';
import { deliveredBeacons } from '../tracking/beacons/writeBeacons.ts';
import { createDurableRecorder } from '../tracking/deliveries/durableRecorder.ts';
import { createLateDeliveries, type LateDeliveries } from '../tracking/deliveries/lateDeliveries.ts';
import type { DeliveryStore } from '../tracking/deliveries/ports.ts';
import { createRecordDelivery, type RecordDelivery } from '../tracking/deliveries/recordDelivery.ts';
import { type PeriodicTask, startPeriodicTask } from './periodicTask.ts';

type Deps = {
  readonly sql: Sql;
  readonly sessions: SessionStore;
  /** Sessions are not in the database. */
  readonly hasStoreApart?: boolean;
  readonly guard: Dispatcher;
  readonly metrics: Registry;
  readonly config: Pick<
    Config,
    'BEACON_RETENTION' | 'DATA_DIR' | 'DELIVERY_SPOOL_MB' | 'SESSION_TTL' | 'VOD_SESSION_TTL'
  >;
  readonly now: () => Millis;
  readonly timers: Timers;
  readonly warn: (message: string, facts: Record<string, unknown>) => void;
  /** Receives the outcomes of beacons, for reports. */
  readonly onBeacon: (fact: BeaconFact) => void;
};

export type Tracking = {
  readonly deliveries: DeliveryStore;
  readonly beacons: BeaconStore;
  readonly recordDelivery: RecordDelivery;
  readonly late: Pick<LateDeliveries, 'keep'>;
  /** @param sends whether this process sends beacons and deletes old rows */
  start(sends: boolean): PeriodicTask[];
  stop(): Promise<void>;
};

const SEND_INTERVAL_MS = 250;
const DELETE_INTERVAL_MS = 5_000;
const RETRY_INTERVAL_MS = 2_000;
const LATE_INTERVAL_MS = 1_000;
const MEGABYTE = 1024 * 1024;
const DAY_MS = 24 * 3_600_000;
const LONGEST_PRESENTATION_MS = DAY_MS;
/** Traces show deliveries, and contain breaks of the last six hours. */
const DELIVERIES_KEPT_MS = 8 * 3_600_000;

export function composeTracking(deps: Deps): Tracking {
  const { sql, sessions, hasStoreApart, guard, config, now, timers, warn } = deps;
  const deliveries = sqlDeliveries(sql);
  const beacons = sqlBeacons(sql);
  const counted = new Counter({
    name: 'midroll_beacons_total',
    help: 'Attempts to send beacons by step: sent, retried, recovered or failed',
    labelNames: ['step'] as const,
    registers: [deps.metrics],
  });
  const sender = createBeaconSender({
    store: beacons,
    send: createHttpBeacon(guard, { timers }),
    breaker: createHostBreaker({ timers }),
    now,
    random: Math.random,
    log: warn,
    onBeacon: (fact) => {
      counted.inc({ step: fact.step });
      deps.onBeacon(fact);
    },
  });
  // Whether a VoD session exists is known only if sessions are in the database; otherwise its rows are kept for its longest life.
  const longestVodMs = hasStoreApart ? config.VOD_SESSION_TTL * 1000 + LONGEST_PRESENTATION_MS + MAX_OVERTIME_MS : 0;
  const overtimeMs = hasStoreApart ? MAX_OVERTIME_MS : 0;
  const forget = async () => {
    const lastSeen = millis(now() - Math.max(DELIVERIES_KEPT_MS, config.SESSION_TTL * 1000));
    await beacons.forget(millis(now() - Math.max(config.BEACON_RETENTION * DAY_MS, longestVodMs)));
    await deliveries.forget(lastSeen, millis(now() - overtimeMs));
  };
  const record = createRecordDelivery({
    deliveries,
    breakRecord: sessions.findBreak,
    recordBeacons: ({ session, adId }, story, due) =>
      beacons.record(deliveredBeacons(session, story, adId, due, now())),
  });
  const files = createFileSpool(join(config.DATA_DIR, 'deliveries'), {
    maxBytes: config.DELIVERY_SPOOL_MB * MEGABYTE,
  });
  const quarantined = new Counter({
    name: 'midroll_delivery_parcels_set_aside_total',
    help: 'Delivery files that the database rejected while it accepted others; kept in DATA_DIR/deliveries',
    registers: [deps.metrics],
  });
  const recorder = createDurableRecorder({
    record,
    spool: createDeliverySpool(files, (entries) => warn('delivery spool full: oldest entries discarded', { entries })),
    findSession: async (id) => (await sessions.find(id))?.session,
    timers,
    log: warn,
    onQuarantine: () => quarantined.inc(),
  });
  const late = createLateDeliveries(now, (error, sessionId) =>
    warn('recording a delivery failed', { sessionId, error }),
  );
  return {
    ...{ deliveries, beacons, late },
    recordDelivery: recorder.record,
    start: (sends) => [
      startPeriodicTask(timers, 'storing spooled deliveries', RETRY_INTERVAL_MS, recorder.retry, warn),
      startPeriodicTask(timers, 'recording late deliveries', LATE_INTERVAL_MS, late.retry, warn),
      ...(sends
        ? [
            startPeriodicTask(timers, 'sending beacons', SEND_INTERVAL_MS, sender.sendDue, warn),
            startPeriodicTask(timers, 'deleting old beacons and deliveries', DELETE_INTERVAL_MS, forget, warn),
          ]
        : []),
    ],
    async stop() {
      await late.retry();
      const written = recorder.retry().catch((error: unknown) => warn('storing spooled deliveries failed', { error }));
      await Promise.all([written, sender.stop()]);
    },
  };
}
