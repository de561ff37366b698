// SPDX-License-Identifier: Apache-2.0
// Composes reports: counting events, storing the counts, and compacting old ones.
import { join } from 'node:path';
import type { ReportStores } from './store/search/reportStores.ts';
import { createFileSpool } from '../../adapters/spool/fileSpool.ts';
import { sqlDeliveryCounts } from './store/sql/sqlDeliveryCounts.ts';
import { sqlReportCompaction } from './store/sql/sqlReportCompaction.ts';
import { reportRetention, sqlReports } from './store/sql/sqlReports.ts';
import { sqlViewing } from './store/sql/sqlViewing.ts';
import type { Sql } from '../../adapters/sql/sql.ts';
import type { ChannelStore } from '../../channels/ports.ts';
import type { Config } from '../../config.ts';
import type { LiveObserver } from '../../http/live/observer.ts';
import type { CreativeJobs } from '../../ingest/creatives/creativeJobs.ts';
import type { FailedEvent, MadeEvent } from '../../ingest/creatives/creativeWorker.ts';
import type { RecordedBreak } from '../../playback/decide/recordedBreak.ts';
import type { EndedBreak } from '../../playback/viewers/settledDecisions.ts';
import { unwatchedBefore } from '../../playback/viewers/watchStarts.ts';
import { breakEndedEvents, breakEvents } from './rules/count/breakEvents.ts';
import { createCounter } from './rules/count/counter.ts';
import { creativeEvents, waitingEvents } from './rules/count/creativeEvents.ts';
import { REPORT_INTERVAL_MS, type RecordEvent, reportIntervalOf } from './rules/event.ts';
import { createChannelSystems } from './rules/flush/channelSystems.ts';
import { countDeliveries } from './rules/flush/countDeliveries.ts';
import { createReportFlusher } from './rules/flush/flushReports.ts';
import { createStoreWriter } from './rules/flush/writeToStores.ts';
import type { ReportStore } from './rules/ports.ts';
import type { SessionStore } from '../../sessions/ports.ts';
import type { SystemStore } from '../access/rules/ports.ts';
import type { Timers } from '../../time/clock.ts';
import { type Millis, millis } from '../../time/units.ts';
import type { BeaconFact } from '../../tracking/beacons/beacon.ts';
import type { AdObserver } from '../../composition/metrics/adMetrics.ts';
import { type PeriodicTask, startPeriodicTask } from '../../composition/periodicTask.ts';

type Deps = {
  readonly sql: Sql;
  readonly channels: ChannelStore;
  readonly systems: SystemStore;
  readonly config: Pick<
    Config,
    'DATA_DIR' | 'REPORT_DAYS_FINE' | 'REPORT_DAYS_MINUTE' | 'REPORT_DAYS_HOUR' | 'REPORT_SPOOL_MB' | 'SESSION_TTL'
  >;
  readonly now: () => Millis;
  readonly timers: Timers;
  readonly warn: (message: string, facts: Record<string, unknown>) => void;
  /** Observes all events, for metrics. */
  readonly observer: AdObserver;
  /** The report store of each system; `own` is the database of the installation. */
  readonly stores: (own: ReportStore) => ReportStores;
};

export type Reports = {
  readonly storeFor: ReportStores;
  readonly record: RecordEvent;
  /** Bytes of report data that are not flushed yet. */
  readonly spoolSize: () => Promise<number>;
  readonly observe: LiveObserver;
  readonly onRecorded: (recorded: RecordedBreak) => void;
  /** A live break that was not shown as decided. */
  readonly onEnded: (ended: EndedBreak) => void;
  /** @param times how many there were */
  readonly onBeacon: (fact: BeaconFact, times: number) => void;
  readonly onCreative: { readonly onMade: (event: MadeEvent) => void; readonly onFailed: (event: FailedEvent) => void };
  /** Deletes expired sessions, and counts them as ended. */
  readonly endSessions: (sessions: SessionStore) => Promise<void>;
  /** @param isFirst whether this process also compacts, counts deliveries and counts waiting creatives; one per machine */
  start(isFirst: boolean, jobs: Pick<CreativeJobs, 'waitingByOwner'>): PeriodicTask[];
  /** Stores the last counts. What cannot be stored stays in the spool until the next start. */
  stop(): Promise<void>;
};

const MEGABYTE = 1024 * 1024;
const COLLECT_INTERVAL_MS = REPORT_INTERVAL_MS / 2;
const COMPACT_INTERVAL_MS = 15_000;
/** Viewers reported by several processes are counted once if all reports arrive within this time. */
const VIEWING_KEPT_MS = 3_600_000;
/** How long a VoD session is kept that has not been watched: a player may be prepared well before it starts. */
const VOD_UNWATCHED_TTL_MS = 3_600_000;

export function composeReports({ sql, channels, systems, config, now, timers, warn, stores, observer }: Deps): Reports {
  const retention = reportRetention({
    seconds: config.REPORT_DAYS_FINE,
    minutes: config.REPORT_DAYS_MINUTE,
    hours: config.REPORT_DAYS_HOUR,
  });
  const storeFor = stores(sqlReports(sql, retention, now));
  const compactor = sqlReportCompaction(sql, retention);
  const viewing = sqlViewing(sql);
  const counter = createCounter();
  const record: RecordEvent = (event) => {
    counter.record(event);
    observer.event(event);
  };
  const maxBytes = config.REPORT_SPOOL_MB * MEGABYTE;
  const channelSystems = createChannelSystems({ channels, systems, now });
  const storeWriterDeps = { viewing, systems, channelSystems, storeFor, now, log: warn };
  const spool = createFileSpool(join(config.DATA_DIR, 'reports'), { maxBytes });
  const flusher = createReportFlusher({ ...storeWriterDeps, counter, spool });
  const deliveries = sqlDeliveryCounts(sql, {
    ...{ now, maxBytes },
    onLost: (entries) => warn('too many counted deliveries not yet flushed: oldest discarded', { entries }),
  });
  const writeCounted = createStoreWriter({ ...storeWriterDeps, spool: deliveries });
  let countsDeliveries = false;
  /** Whether the last call of endSessions reached the store. */
  let wasAvailable = false;
  const collect = async () => {
    await flusher.flush();
    await flusher.writeToStores();
  };
  const count = async () => {
    await countDeliveries(deliveries, now);
    await writeCounted();
  };
  const compact = async () => {
    await compactor.compact(now());
    await viewing.forget(millis(now() - VIEWING_KEPT_MS));
  };
  return {
    storeFor,
    record,
    spoolSize: spool.size,
    observe: {
      opened: ({ channelId, tenant, openedAt }) =>
        record({ type: 'sessionOpened', at: openedAt, channel: channelId, tenant }),
      watched: counter.watched,
      served: (channel, format, ms, isError) => counter.served(channel, format, ms, isError, now()),
    },
    onRecorded(recorded) {
      breakEvents(recorded).forEach(record);
      observer.decided(recorded);
    },
    onEnded: (ended) => breakEndedEvents(ended).forEach(counter.record),
    endSessions: async (sessions) => {
      // After an outage, sessions that started shortly before it are not stored as watched yet.
      const isUpToDate = wasAvailable;
      wasAvailable = false;
      const idleBefore = millis(now() - config.SESSION_TTL * 1000);
      const ended = await sessions.expire(idleBefore, isUpToDate ? unwatchedBefore(now()) : idleBefore, {
        now: now(),
        unwatchedBefore: isUpToDate ? millis(now() - VOD_UNWATCHED_TTL_MS) : millis(0),
      });
      wasAvailable = true;
      for (const { channelId, tenant, seenAt } of ended) {
        counter.record({ type: 'sessionEnded', at: seenAt, channel: channelId, tenant });
      }
    },
    onBeacon: ({ tenant, channelId, host, step, at }, times) =>
      counter.record({ type: 'beacon', at, tenant, channel: channelId, host, step, times }),
    onCreative: {
      onMade: (event) => creativeEvents(event, true, now()).forEach(counter.record),
      onFailed: (event) => {
        if (!event.willRetry) creativeEvents(event, false, now()).forEach(counter.record);
      },
    },
    start(isFirst, jobs) {
      const collecting = startPeriodicTask(timers, 'collecting report counts', COLLECT_INTERVAL_MS, collect, warn);
      if (!isFirst) return [collecting];
      countsDeliveries = true;
      const countWaiting = async () => {
        const at = reportIntervalOf(now());
        await flusher.flushShared(`waiting-${at}`, waitingEvents(await jobs.waitingByOwner(), at));
      };
      return [
        collecting,
        startPeriodicTask(timers, 'counting deliveries', COLLECT_INTERVAL_MS, count, warn),
        startPeriodicTask(timers, 'compacting reports', COMPACT_INTERVAL_MS, compact, warn),
        startPeriodicTask(timers, 'counting waiting creatives', COLLECT_INTERVAL_MS, countWaiting, warn),
      ];
    },
    async stop() {
      const onError = (error: unknown) => warn('flushing report counts failed', { error });
      // The spool first: the store may not respond until the process ends.
      await flusher.flush(true).catch(onError);
      if (countsDeliveries) await count().catch(onError);
      await flusher.writeToStores().catch(onError);
    },
  };
}
