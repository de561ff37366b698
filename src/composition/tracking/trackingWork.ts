// SPDX-License-Identifier: Apache-2.0
// The work that follows a delivery: recording it with its beacons, sending beacons, and deleting old rows. It runs in a thread of
// its own (composeTracking.ts) or, on another clock than the system's, in the serving thread.
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Dispatcher } from 'undici';
import { createHostBreaker, createHttpBeacon } from '../../adapters/http/httpBeacon.ts';
import { createDeliveryEntries, type EntriesOptions } from '../../adapters/spool/deliveryEntries.ts';
import type { Sql } from '../../adapters/sql/sql.ts';
import { sqlBeacons } from '../../adapters/sql/tracking/sqlBeacons.ts';
import { sqlDeliveries } from '../../adapters/sql/tracking/sqlDeliveries.ts';
import { certificateLookup } from '../../ads/request/certificateFor.ts';
import type { CertifiedSource } from '../../ads/request/ports.ts';
import type { Config } from '../../config.ts';
import type { SessionStore } from '../../sessions/ports.ts';
import { MAX_OVERTIME_MS } from '../../sessions/sessionRules.ts';
import type { Timers } from '../../time/clock.ts';
import { type Millis, millis } from '../../time/units.ts';
import type { BeaconFact } from '../../tracking/beacons/beacon.ts';
import { createBeaconSender } from '../../tracking/beacons/sendBeacons.ts';
import { deliveredBeacons } from '../../tracking/beacons/writeBeacons.ts';
import { createDeliveryRecorder } from '../../tracking/deliveries/deliveryRecorder.ts';
import type { DeliveryRecorder } from '../../tracking/deliveries/ports.ts';
import { createDeliveryWriter } from '../../tracking/deliveries/writeDeliveries.ts';
import { type PeriodicTask, startPeriodicTask } from '../part.ts';

/** The settings that the work depends on. */
type TrackingConfig = Pick<
  Config,
  'BEACON_RETENTION' | 'DATA_DIR' | 'DELIVERY_SPOOL_MB' | 'SESSION_TTL' | 'VOD_SESSION_TTL'
>;

const MEGABYTE = 1024 * 1024;
/** A process that records its entries every two seconds is suspended or has ended after this time. */
const LEFT_AFTER_MS = 10_000;

export const journalFiles = ({ DATA_DIR, DELIVERY_SPOOL_MB }: TrackingConfig): EntriesOptions => ({
  folder: join(DATA_DIR, 'deliveries'),
  owner: randomUUID(),
  maxBytes: DELIVERY_SPOOL_MB * MEGABYTE,
  leftAfter: LEFT_AFTER_MS,
});

export type TrackingWork = DeliveryRecorder & {
  /** From now on, sends beacons and deletes old rows. */
  startSending(): Promise<void>;
  /** From now on, beacons present the client certificates of these ad sources to their hosts. */
  present(sources: readonly CertifiedSource[]): Promise<void>;
  /** Completes the requests in progress and stores their outcomes. */
  stop(): Promise<void>;
};

export type TrackingEvents = {
  readonly warn: (message: string, facts: Record<string, unknown>) => void;
  readonly onBeacon: (fact: BeaconFact) => void;
  readonly onQuarantine: () => void;
};

export type TrackingWorkDeps = {
  readonly sql: Sql;
  readonly sessions: Pick<SessionStore, 'find' | 'findBreak'>;
  /** Sessions are not in the database. */
  readonly hasStoreApart: boolean;
  readonly guard: Dispatcher;
  readonly config: TrackingConfig;
  readonly files: EntriesOptions;
  readonly now: () => Millis;
  readonly timers: Timers;
  /** How long outcomes of beacons are collected; of a killed process, so many more may be sent again. */
  readonly settleIntervalMs?: number;
  readonly events: TrackingEvents;
};

export type ThreadData = { readonly config: Config; readonly files: EntriesOptions };

export type ThreadCall = { readonly id: number } & (
  | { readonly call: 'replay'; readonly args: Parameters<DeliveryRecorder['replay']> }
  | { readonly call: 'record'; readonly args: Parameters<DeliveryRecorder['record']> }
  | { readonly call: 'present'; readonly args: Parameters<TrackingWork['present']> }
  | { readonly call: 'startSending' | 'stop'; readonly args: readonly [] }
);

export type ThreadReply =
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly error: unknown };

type ThreadNote =
  | { readonly note: 'warn'; readonly message: string; readonly facts: Record<string, unknown> }
  | { readonly note: 'beacons'; readonly counts: readonly CountedFact[] }
  | { readonly note: 'quarantined' };

export type ThreadMessage = ThreadReply | ThreadNote;

export type CountedFact = { readonly fact: BeaconFact; readonly count: number };

const SEND_INTERVAL_MS = 250;
const DELETE_INTERVAL_MS = 5_000;
const DAY_MS = 24 * 3_600_000;
const LONGEST_PRESENTATION_MS = DAY_MS;
/** Traces show deliveries, and contain breaks of the last six hours. */
const DELIVERIES_KEPT_MS = 8 * 3_600_000;

export function createTrackingWork(deps: TrackingWorkDeps): TrackingWork {
  const { sql, sessions, hasStoreApart, guard, config, files, now, timers, events } = deps;
  const { warn } = events;
  const deliveries = sqlDeliveries(sql);
  const beacons = sqlBeacons(sql, deps.settleIntervalMs);
  let certificates = certificateLookup([]);
  const sender = createBeaconSender({
    store: beacons,
    send: createHttpBeacon(guard, { timers, certificates: (tenant, host) => certificates(tenant, host) }),
    breaker: createHostBreaker({ timers }),
    now,
    random: Math.random,
    log: warn,
    onBeacon: events.onBeacon,
  });
  // Whether a VoD session exists is known only if sessions are in the database; otherwise its rows are kept for its longest life.
  const longestVodMs = hasStoreApart ? config.VOD_SESSION_TTL * 1000 + LONGEST_PRESENTATION_MS + MAX_OVERTIME_MS : 0;
  const overtimeMs = hasStoreApart ? MAX_OVERTIME_MS : 0;
  const forget = async () => {
    const lastSeen = millis(now() - Math.max(DELIVERIES_KEPT_MS, config.SESSION_TTL * 1000));
    await beacons.forget(millis(now() - Math.max(config.BEACON_RETENTION * DAY_MS, longestVodMs)));
    await deliveries.forget(lastSeen, millis(now() - overtimeMs));
  };
  const recorder = createDeliveryRecorder({
    entries: createDeliveryEntries(files),
    writer: createDeliveryWriter({
      deliveries,
      breakRecord: sessions.findBreak,
      recordBeacons: ({ session, adId }, story, due) =>
        beacons.record(deliveredBeacons(session, story, adId, due, now())),
    }),
    findSession: async (id) => (await sessions.find(id))?.session,
    log: warn,
    onQuarantine: events.onQuarantine,
  });
  const tasks: PeriodicTask[] = [];
  return {
    ...recorder,
    async startSending() {
      tasks.push(
        startPeriodicTask(timers, 'sending beacons', SEND_INTERVAL_MS, sender.sendDue, warn),
        startPeriodicTask(timers, 'deleting old beacons and deliveries', DELETE_INTERVAL_MS, forget, warn),
      );
    },
    async present(sources) {
      certificates = certificateLookup(sources);
    },
    async stop() {
      for (const task of tasks) task.stop();
      await sender.stop();
    },
  };
}
