// SPDX-License-Identifier: Apache-2.0
// Composes reports: counting events, storing the counts, and compacting old ones.

import { join } from 'node:path';
import { createFileSpool } from '../../adapters/spool/fileSpool.ts';
import type { CoreEvents } from '../../composition/coreEvents.ts';
import { observeSpool } from '../../composition/metrics/observeServing.ts';
import type { Services } from '../../composition/openServices.ts';
import type { Part, Task } from '../../composition/part.ts';
import type { KeyedRoute } from '../../http/admin/request/route.ts';
import type { CreativeJobs } from '../../ingest/creatives/creativeJobs.ts';
import type { CreativeEvent } from '../../ingest/creatives/creativeWorker.ts';
import { REPORT_INTERVAL_MS, reportIntervalOf } from '../../time/reportInterval.ts';
import { type Millis, millis } from '../../time/units.ts';
import type { SystemStore } from '../systems/rules/ports.ts';
import { adMetrics } from './adMetrics.ts';
import { reportRoutes } from './routes/reportRoutes.ts';
import { breakEndedEvents, breakEvents } from './rules/count/breakEvents.ts';
import { createCounter } from './rules/count/counter.ts';
import type { RecordEvent, ReportEvent } from './rules/event.ts';
import { createChannelSystems } from './rules/flush/channelSystems.ts';
import { countDeliveries } from './rules/flush/countDeliveries.ts';
import { createReportFlusher, createStoreWriter } from './rules/flush/flushReports.ts';
import { createRecentCounts, type RecentCounts } from './rules/query/recentCounts.ts';
import { createReportStores, type ReportStores } from './store/search/reportStores.ts';
import { sqlDeliveryCounts } from './store/sql/sqlDeliveryCounts.ts';
import { sqlReportCompaction } from './store/sql/sqlReportCompaction.ts';
import { reportRetention, sqlReports } from './store/sql/sqlReports.ts';
import { sqlViewing } from './store/sql/sqlViewing.ts';

type Reports = {
  readonly events: Omit<CoreEvents, 'adServerSeen'>;
  /** Sums of what was counted in the last hours. */
  readonly counts: RecentCounts;
  readonly storeFor: ReportStores;
  readonly record: RecordEvent;
  /** @param createdAt when a tenant was created, ISO 8601 */
  routes(createdAt: (tenant: string) => Promise<string | undefined>): KeyedRoute[];
  /** @param jobs counts waiting creatives */
  part(jobs: Pick<CreativeJobs, 'unmadeByOwner'>): Part;
};

const REPORT_SPOOL = 'Size of DATA_DIR/reports: report data that its store does not have yet';
const MEGABYTE = 1024 * 1024;
const COLLECT_INTERVAL_MS = REPORT_INTERVAL_MS / 2;
const COMPACT_INTERVAL_MS = 15_000;
/** Viewers reported by several processes are counted once if all reports arrive within this time. */
const VIEWING_KEPT_MS = 3_600_000;

export function composeReports(
  { sql, channels, config, guard, metrics, now, warn }: Services,
  systems: SystemStore,
  /** Whether this process also compacts, counts deliveries and counts waiting creatives; one per machine. */
  isFirst: boolean,
): Reports {
  const retention = reportRetention(config);
  const storeFor = createReportStores(sqlReports(sql, retention, now), { dispatcher: guard, now, warn });
  const observer = adMetrics(metrics);
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
  observeSpool(metrics, 'midroll_report_spool_bytes', REPORT_SPOOL, spool.size);
  const flusher = createReportFlusher({ ...storeWriterDeps, counter, spool });
  const deliveries = sqlDeliveryCounts(sql, {
    now,
    maxBytes,
    onLost: (entries) => warn('too many counted deliveries not yet flushed: oldest discarded', { entries }),
  });
  const writeCounted = createStoreWriter({ ...storeWriterDeps, spool: deliveries });
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
  async function storeCounts() {
    const onError = (error: unknown) => warn('flushing report counts failed', { error });
    // The spool first: the store may not respond until the process ends. What is not stored stays there until the next start.
    await flusher.flush(true).catch(onError);
    if (isFirst) await count().catch(onError);
    await flusher.writeToStores().catch(onError);
  }
  return {
    storeFor,
    counts: createRecentCounts({ channelSystems, systems, reportStore: storeFor }),
    record,
    events: {
      live: {
        opened: ({ channelId, tenant, openedAt }) =>
          record({ type: 'sessionOpened', at: openedAt, channel: channelId, tenant }),
        watched: counter.watched,
        served: (channel, format, ms, isError) => counter.served(channel, format, ms, isError, now()),
      },
      adRequested: (request) => record({ ...request, type: 'adRequest' }),
      recorded(recorded) {
        breakEvents(recorded).forEach(record);
        observer.decided(recorded);
      },
      breakEnded: (ended) => breakEndedEvents(ended).forEach(counter.record),
      sessionEnded: ({ channelId, tenant, seenAt }) =>
        counter.record({ type: 'sessionEnded', at: seenAt, channel: channelId, tenant }),
      beaconSent: ({ tenant, channelId, host, step, at }, times) =>
        counter.record({ type: 'beacon', at, tenant, channel: channelId, host, step, times }),
      creatives: {
        onMade: (event) => creativeEvents(event, true, now()).forEach(counter.record),
        onFailed: (event) => {
          if (!event.willRetry) creativeEvents(event, false, now()).forEach(counter.record);
        },
      },
    },
    routes: (createdAt) => reportRoutes({ systems, channels, reportStore: storeFor, createdAt, now }),
    part(jobs) {
      const countWaiting = async () => {
        const at = reportIntervalOf(now());
        const waiting = (await jobs.unmadeByOwner()).map(({ channelId: channel, ...one }) => {
          return { type: 'creativesWaiting', at, channel, ...one } as const;
        });
        await flusher.flushShared(`waiting-${at}`, waiting);
      };
      const collecting = { name: 'collecting report counts', everyMs: COLLECT_INTERVAL_MS, run: collect } as const;
      const ofFirst: readonly Task[] = [
        { name: 'counting deliveries', everyMs: COLLECT_INTERVAL_MS, run: count },
        { name: 'compacting reports', everyMs: COMPACT_INTERVAL_MS, run: compact },
        { name: 'counting waiting creatives', everyMs: COLLECT_INTERVAL_MS, run: countWaiting },
      ];
      return {
        tasks: [{ ...collecting, where: 'everywhere' }, ...(isFirst ? ofFirst : [])],
        finalSteps: { counting: { 'storing report counts': storeCounts } },
      };
    },
  };
}

/** The report events of conditioning a creative, one for each tenant that uses it; none for slate. */
function creativeEvents({ id, kind, owners, seconds }: CreativeEvent, isMade: boolean, at: Millis): ReportEvent[] {
  if (kind !== 'creative') return [];
  const byTenant = new Map<string, string>();
  for (const { tenant, channelId } of owners) {
    const known = byTenant.get(tenant);
    if (known === undefined || channelId < known) byTenant.set(tenant, channelId);
  }
  const made = { at, creative: id, isMade, ms: Math.round(seconds * 1000) };
  return [...byTenant].map(([tenant, channel]) => ({ type: 'creativeConditioned', tenant, channel, ...made }));
}
