// The part of the composition that reports need: who counts, what is counted, where it goes, and what is let go.
import { join } from 'node:path';
import type { ReportStores } from '../adapters/search/reportStores.ts';
import { createFileSpool } from '../adapters/spool/fileSpool.ts';
import { sqlDeliveryCounts } from '../adapters/sql/reports/sqlDeliveryCounts.ts';
import { sqlReportCompaction } from '../adapters/sql/reports/sqlReportCompaction.ts';
import { reportRetention, sqlReports } from '../adapters/sql/reports/sqlReports.ts';
import { sqlViewing } from '../adapters/sql/reports/sqlViewing.ts';
import type { Sql } from '../adapters/sql/sql.ts';
import type { ChannelStore } from '../channels/ports.ts';
import type { Config } from '../config.ts';
import type { LiveObserver } from '../http/live/observer.ts';
import type { CreativeJobs } from '../ingest/creatives/creativeJobs.ts';
import type { FailedEvent, MadeEvent } from '../ingest/creatives/creativeWorker.ts';
import type { RecordedBreak } from '../playback/decide/decideBreak.ts';
import { unwatchedBefore } from '../playback/viewers/watchStarts.ts';
import { createBringer } from '../reports/bringParcels.ts';
import { countDeliveries } from '../reports/countDeliveries.ts';
import { createCounter } from '../reports/counter.ts';
import { createCourier } from '../reports/courier.ts';
import { type RecordEvent, STRETCH, stretchOf } from '../reports/event.ts';
import { breakEvents } from '../reports/ofBreaks.ts';
import { creativeEvents, waitingEvents } from '../reports/ofCreatives.ts';
import type { ReportStore } from '../reports/ports.ts';
import { createSystemsOf } from '../reports/systemsOf.ts';
import type { SessionStore } from '../sessions/ports.ts';
import type { SystemStore } from '../tenants/ports.ts';
import type { Timers } from '../time/clock.ts';
import { type Millis, millis } from '../time/units.ts';
import type { BeaconFact } from '../tracking/beacon.ts';
import { type Chore, repeatedly } from './repeatedly.ts';

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
  /** Where systems keep what was counted: `own` is the installation's store. */
  readonly stores: (own: ReportStore) => ReportStores;
};

export type Reports = {
  readonly storeFor: ReportStores;
  readonly record: RecordEvent;
  readonly observe: LiveObserver;
  readonly onRecorded: (recorded: RecordedBreak) => void;
  readonly onBeacon: (fact: BeaconFact) => void;
  readonly onCreative: { readonly onMade: (event: MadeEvent) => void; readonly onFailed: (event: FailedEvent) => void };
  /** Forgets sessions that were silent for long, and counts those who left. */
  readonly endSessions: (sessions: SessionStore) => Promise<void>;
  /** @param isFirst whether this process of the machine tidies, counts deliveries and reports what waits to be made */
  start(isFirst: boolean, jobs: Pick<CreativeJobs, 'waitingByOwner'>): Chore[];
  /** Hands on what was counted last; what cannot be brought waits for the next start. */
  stop(): Promise<void>;
};

const MEGABYTE = 1024 * 1024;
const COLLECT = STRETCH / 2;
const TIDY = 15_000;
/** Milliseconds for which it is known who was counted: what a process brings later than that counts by itself. */
const VIEWING_KEPT = 3_600_000;

export function composeReports({ sql, channels, systems, config, now, timers, warn, stores }: Deps): Reports {
  const retention = reportRetention({
    seconds: config.REPORT_DAYS_FINE,
    minutes: config.REPORT_DAYS_MINUTE,
    hours: config.REPORT_DAYS_HOUR,
  });
  const storeFor = stores(sqlReports(sql, retention, now));
  const compactor = sqlReportCompaction(sql, retention);
  const viewing = sqlViewing(sql);
  const counter = createCounter();
  const maxBytes = config.REPORT_SPOOL_MB * MEGABYTE;
  const systemsOf = createSystemsOf({ channels, systems, now });
  const bringing = { viewing, systems, systemsOf, storeFor, now, log: warn };
  const spool = createFileSpool(join(config.DATA_DIR, 'reports'), { maxBytes });
  const courier = createCourier({ ...bringing, counter, spool });
  const deliveries = sqlDeliveryCounts(sql, {
    ...{ now, maxBytes },
    onLost: (parcels) => warn('too many counted deliveries wait for their systems: the oldest are lost', { parcels }),
  });
  const bringCounted = createBringer({ ...bringing, spool: deliveries });
  let countsDeliveries = false;
  /** Whether sessions were forgotten the last time that it was their turn. */
  let wasReached = false;
  const collect = async (isLast = false) => {
    await courier.collect(isLast);
    await courier.deliver();
  };
  const count = async () => {
    await countDeliveries(deliveries, now);
    await bringCounted();
  };
  const compact = async () => {
    await compactor.compact(now());
    await viewing.forget(millis(now() - VIEWING_KEPT));
  };
  return {
    storeFor,
    record: counter.record,
    observe: {
      opened: ({ channelId, tenant, openedAt }) =>
        counter.record({ type: 'sessionOpened', at: openedAt, channel: channelId, tenant }),
      watched: counter.watched,
      served: (channel, format, ms, isError) => counter.served(channel, format, ms, isError, now()),
    },
    onRecorded: (recorded) => breakEvents(recorded).forEach(counter.record),
    endSessions: async (sessions) => {
      // After an outage the store has yet to learn who came shortly before it.
      const isUpToDate = wasReached;
      wasReached = false;
      const silentBefore = millis(now() - config.SESSION_TTL * 1000);
      const ended = await sessions.expire(silentBefore, isUpToDate ? unwatchedBefore(now()) : silentBefore);
      wasReached = true;
      for (const { channelId, tenant, seenAt } of ended) {
        counter.record({ type: 'sessionEnded', at: seenAt, channel: channelId, tenant });
      }
    },
    onBeacon: ({ tenant, channelId, host, step, at }) =>
      counter.record({ type: 'beacon', at, tenant, channel: channelId, host, step }),
    onCreative: {
      onMade: (event) => creativeEvents(event, true, now()).forEach(counter.record),
      onFailed: (event) => {
        if (!event.isTriedAgain) creativeEvents(event, false, now()).forEach(counter.record);
      },
    },
    start(isFirst, jobs) {
      const collecting = repeatedly(timers, 'counting for the reports', COLLECT, collect, warn);
      if (!isFirst) return [collecting];
      countsDeliveries = true;
      const sayWaiting = async () => {
        const at = stretchOf(now());
        await courier.post(`waiting-${at}`, waitingEvents(await jobs.waitingByOwner(), at));
      };
      return [
        collecting,
        repeatedly(timers, 'counting deliveries', COLLECT, count, warn),
        repeatedly(timers, 'carrying reports into longer stretches', TIDY, compact, warn),
        repeatedly(timers, 'saying what waits to be made', COLLECT, sayWaiting, warn),
      ];
    },
    async stop() {
      const failed = (error: unknown) => warn('reports were not brought to their stores', { error });
      if (countsDeliveries) await count().catch(failed);
      await collect(true).catch(failed);
    },
  };
}
