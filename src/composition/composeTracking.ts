// The part of the composition that delivery and beacons need: who writes down what was asked for, who sends what is due,
// who forgets.
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
import type { Timers } from '../time/clock.ts';
import { type Millis, millis } from '../time/units.ts';
import type { BeaconFact } from '../tracking/beacon.ts';
import type { BeaconStore, DeliveryStore } from '../tracking/ports.ts';
import { createRecordDelivery, type RecordDelivery } from '../tracking/recordDelivery.ts';
import { createRecordLater } from '../tracking/recordLater.ts';
import { createBeaconSender } from '../tracking/sendBeacons.ts';
import { deliveredBeacons } from '../tracking/writeBeacons.ts';
import { type Chore, repeatedly } from './repeatedly.ts';

type Deps = {
  readonly sql: Sql;
  readonly sessions: SessionStore;
  readonly guard: Dispatcher;
  readonly metrics: Registry;
  readonly config: Pick<Config, 'BEACON_RETENTION' | 'DATA_DIR' | 'DELIVERY_SPOOL_MB' | 'SESSION_TTL'>;
  readonly now: () => Millis;
  readonly timers: Timers;
  readonly warn: (message: string, facts: Record<string, unknown>) => void;
  /** For reports: what becomes of beacons. */
  readonly onBeacon: (fact: BeaconFact) => void;
};

export type Tracking = {
  readonly deliveries: DeliveryStore;
  readonly beacons: BeaconStore;
  readonly recordDelivery: RecordDelivery;
  /** Sends and forgets, where it is this process's to do. */
  start(sends: boolean): Chore[];
  stop(): Promise<void>;
};

/** Milliseconds. */
const LOOK = 250;
const FORGET = 5_000;
const RETRY = 2_000;
const MEGABYTE = 1024 * 1024;
const DAY = 24 * 3_600_000;
/** What was delivered is told in traces, which keep breaks for six hours at most. */
const DELIVERIES_KEPT = 8 * 3_600_000;

export function composeTracking(deps: Deps): Tracking {
  const { sql, sessions, guard, config, now, timers, warn } = deps;
  const deliveries = sqlDeliveries(sql);
  const beacons = sqlBeacons(sql);
  const counted = new Counter({
    name: 'midroll_beacons_total',
    help: 'Sendings of beacons, by step: sent at the first, retried at later ones, recovered, failed',
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
  const forget = async () => {
    await beacons.forget(millis(now() - config.BEACON_RETENTION * DAY));
    await deliveries.forget(millis(now() - Math.max(DELIVERIES_KEPT, config.SESSION_TTL * 1000)));
  };
  const record = createRecordDelivery({
    deliveries,
    breakRecord: sessions.findBreak,
    tell: ({ session, adId }, story, due) => beacons.record(deliveredBeacons(session, story, adId, due, now())),
  });
  const files = createFileSpool(join(config.DATA_DIR, 'deliveries'), {
    maxBytes: config.DELIVERY_SPOOL_MB * MEGABYTE,
  });
  const setAside = new Counter({
    name: 'midroll_delivery_parcels_set_aside_total',
    help: 'Parcels of deliveries that could not be written though the database took others; kept in DATA_DIR/deliveries',
    registers: [deps.metrics],
  });
  const later = createRecordLater({
    record,
    spool: createDeliverySpool(files, (parcels) =>
      warn('the spool of deliveries is full: the oldest of those that wait are lost', { parcels }),
    ),
    findSession: async (id) => (await sessions.find(id))?.session,
    timers,
    log: warn,
    onSetAside: () => setAside.inc(),
  });
  return {
    deliveries,
    beacons,
    recordDelivery: later.record,
    start: (sends) => [
      repeatedly(timers, 'writing down what could not be written', RETRY, later.retry, warn),
      ...(sends
        ? [
            repeatedly(timers, 'sending beacons', LOOK, sender.look, warn),
            repeatedly(timers, 'forgetting beacons', FORGET, forget, warn),
          ]
        : []),
    ],
    async stop() {
      const written = later.retry().catch((error: unknown) => warn('deliveries could not be written down', { error }));
      await Promise.all([written, sender.stop()]);
    },
  };
}
