// SPDX-License-Identifier: Apache-2.0
// The composition root: composes the streaming core and the features of the platform, and folds over their parts.
import { join } from 'node:path';
import type { Registry } from 'prom-client';
import { readConsoleFiles } from './adapters/consoleFiles.ts';
import { createSystemClock } from './adapters/systemClock.ts';
import { composeCore, type Duties, type Phase } from './composition/composeCore.ts';
import { composeNotices } from './composition/composeNotices.ts';
import { corePart } from './composition/corePart.ts';
import { closeAfterResponses, drain, finalStages, finishAll } from './composition/ending.ts';
import { addressOf, closeServer, listen } from './composition/listening.ts';
import { openServices, type Runtime } from './composition/openServices.ts';
import { type Part, type PeriodicTask, startTasks } from './composition/part.ts';
import type { ProcessStatus } from './composition/workers/workerPort.ts';
import type { Config } from './config.ts';
import { createAdminServer } from './http/admin/adminServer.ts';
import { batchRoute } from './http/admin/batch/batchRoute.ts';
import { limitConnections } from './http/limitConnections.ts';
import { composeAccess } from './platform/access/composeAccess.ts';
import { composeAdSources } from './platform/adSources/composeAdSources.ts';
import { composeAlerts } from './platform/alerts/composeAlerts.ts';
import { composeAsRun } from './platform/asRun/composeAsRun.ts';
import { composeAudit } from './platform/audit/composeAudit.ts';
import { composeDeleted } from './platform/deleted/composeDeleted.ts';
import { composeDistributors } from './platform/distributors/composeDistributors.ts';
import { composeHistory } from './platform/history/composeHistory.ts';
import { composeLeap } from './platform/leap/composeLeap.ts';
import { overviewRoute } from './platform/overview/routes/overviewRoute.ts';
import { composeProblems } from './platform/problems/composeProblems.ts';
import { composeReports } from './platform/reports/composeReports.ts';
import { composeSchedules } from './platform/schedules/composeSchedules.ts';
import { composeCloud, composeSystems, systemNames } from './platform/systems/composeSystems.ts';
import { sqlSystems } from './platform/systems/store/sqlSystems.ts';
import { composeTries } from './platform/tries/composeTries.ts';

export type Midroll = {
  readonly adminUrl: string;
  readonly liveUrl: string;
  /** The first API key, if it was created by this start. It is shown only once. */
  readonly firstKey?: string;
  /** The status of this process, for a port of its own. */
  readonly status: ProcessStatus;
  /** Serves for so many seconds more, and reports meanwhile that it is not ready. */
  drain(seconds: number): Promise<void>;
  /** Ends within STOP_LIMIT_SECONDS, even if the database does not respond. */
  close(): Promise<void>;
};

type ProcessDuties = Duties & {
  /** The live port of the other processes, once it is known. */
  readonly livePort?: () => number | undefined;
  /** With WORKERS: the metrics of this process and of the others, as text. */
  readonly readMetrics?: (own: Registry) => Promise<string>;
};

/** Relative to this file and to the bundle in dist/. */
const CONSOLE = join(import.meta.dirname, '../console/dist');

/** How often unused space of the SQLite file is returned to the disk. */
const SHRINK_INTERVAL_MS = 10_000;

/** @param runtime default: the system clock, and the log to standard output */
export async function startMidroll(
  config: Config,
  duties: ProcessDuties = { admin: true, live: true },
  runtime: Runtime = { clock: createSystemClock(), hasThreads: true },
): Promise<Midroll> {
  const services = await openServices(config, runtime);
  const { log, metrics, tracer, warn, now } = services;
  const systems = sqlSystems(services.sql, services.secretBox);
  let phase: Phase = 'starting';
  const adminAddress = () => addressOf(admin.server, config, config.ADMIN_PORT);
  const liveAddress = () => addressOf(core.live, config, duties.livePort?.() ?? config.LIVE_PORT);

  const reports = composeReports(services, systems, duties.admin);
  const adServers = composeProblems(services);
  const distributors = composeDistributors(services);
  const deleted = composeDeleted(services);
  const adSources = composeAdSources(services, deleted.discard);
  const core = await composeCore(services, duties, runtime, {
    events: { ...reports.events, ...adServers.events },
    mediaUrl: (channel, path) => cloud.media.urlOf(channel, path),
    onDecided: (...decided) => cloud.media.want(...decided),
    recordAsRun: (...recorded) => asRun.record(...recorded),
    findAdSources: adSources.find,
    certificates: adSources.certificates,
    distributors: { find: distributors.find, guide: (...given) => schedules.guides.of(...given) },
    adminAddress,
    liveAddress,
    phase: () => phase,
  });
  const { creatives, onAir, proxies, shared, urls } = core;
  const cloud = composeCloud(services, {
    systems,
    mediaStore: creatives.files,
    installation: creatives.media.installation,
    stored: (data) => reports.record({ type: 'stored', ...data }),
  });
  const asRun = composeAsRun(services, onAir);
  const audit = composeAudit(services);
  const access = composeAccess(services, systems, {
    audit: audit.store,
    baseUrl: urls.admin,
    clientOf: proxies.clientOf,
  });
  const history = composeHistory(services, core.stores, core.tracking.deliveries);
  const problems = adServers.part({ onAir, jobs: creatives.jobs, counts: reports.counts });
  const channels = corePart(services, core, reports.events, {
    past: history.traces,
    discard: deleted.discard,
    systems: systemNames(systems),
    adSources: adSources.stored,
    problems: problems.problems,
  });
  const schedules = composeSchedules(services, core.onAir, core.playlists, asRun.shown, urls.admin);
  // Each feature adds a line. The API document lists their routes in this order.
  const parts: readonly Part[] = [
    composeSystems(services, systems, deleted.discard, [cloud.stateOf, reports.storeFor.stateOf]),
    { routes: reports.routes(async (tenant) => (await access.tenants.find(tenant))?.createdAt) },
    reports.part(creatives.jobs),
    { routes: [overviewRoute({ ...services, systems, tenants: access.tenants, reportStore: reports.storeFor })] },
    channels,
    adSources,
    asRun.part,
    schedules,
    distributors,
    composeLeap(services, core, { counts: reports.counts, viewerCounts: channels.onAir.viewerCounts }),
    composeTries(
      services,
      { ...core, frozen: core.stores.frozen, certificates: adSources.certificates.find },
      history.breaks,
      adSources.find,
    ),
    history.part,
    access.part,
    deleted.part(channels.onAir),
    composeAlerts(services, {
      onAir,
      jobs: creatives.jobs,
      counts: reports.counts,
      serverFailure: problems.serverFailure,
    }),
    audit.part,
    cloud.part,
    problems,
  ];
  const routes = parts.flatMap(({ routes: own = [] }) => own);
  const batches = { audit: audit.store, gather: services.sql.gather, now, log };
  const endStreams = () => {
    for (const part of parts) part.endStreams?.();
  };
  const admin = createAdminServer({
    ...access.admin,
    routes: [...routes, batchRoute(routes, batches)],
    pages: parts.flatMap(({ pages }) => pages ?? []),
    audit: audit.store,
    clientOf: proxies.clientOf,
    baseUrl: urls.admin,
    liveUrl: urls.liveForAdmin,
    consoleFiles: duties.admin ? readConsoleFiles(CONSOLE) : new Map(),
    log,
    metrics,
    ...(tracer && { tracer }),
    ...(duties.readMetrics && { readMetrics: duties.readMetrics }),
    now,
    rateLimit: config.ADMIN_RATE_LIMIT,
    notReady: core.notReady,
    degraded: core.degraded,
    endStreams,
  });
  limitConnections(admin.server, core.limits);

  await creatives.start();
  const notices = await composeNotices(services, metrics, runtime.noticePolls);
  for (const reading of parts.flatMap((part) => part.notices ?? [])) notices.follow(reading);
  notices.start();
  await Promise.all([
    onAir.cache.refresh(),
    onAir.refreshStatuses(),
    adSources.certificates.refresh().catch((error: unknown) => warn('reading client certificates failed', { error })),
    cloud.media.refresh().catch((error: unknown) => warn('reading publications failed', { error })),
    core.disk.measure(),
    core.clock.measure().catch(() => undefined),
  ]);
  shared.start();
  const periodic: PeriodicTask[] = [shared, ...core.tracking.start(duties.admin)];
  const tasks = parts.flatMap((part) => part.tasks ?? []);
  if (duties.admin) {
    const { shrink } = services.sql;
    if (shrink) tasks.push({ name: 'shrinking the database file', everyMs: SHRINK_INTERVAL_MS, run: shrink });
    await onAir.planAll();
  }
  periodic.push(...startTasks(tasks, duties, services));
  if (duties.admin) await admin.listen({ port: config.ADMIN_PORT, host: config.HOST });
  if (duties.live) await listen(core.live, config);
  // Last, because the key is shown only once and must not be lost by a failed start.
  const firstKey = await access.createFirstTenant();
  phase = 'up';
  return {
    status: {
      metrics,
      notReady: core.notReady,
      onError: (error, requestId) => log.error({ err: error, requestId }, 'request failed'),
    },
    adminUrl: config.ADMIN_URL ?? adminAddress(),
    liveUrl: config.LIVE_URL ?? liveAddress(),
    ...(firstKey === undefined ? {} : { firstKey }),
    async drain(seconds) {
      phase = 'draining';
      endStreams();
      if (seconds > 0) log.info({ seconds }, 'draining');
      await drain([admin.server, core.live], seconds);
    },
    async close() {
      phase = 'shutting down';
      for (const task of periodic) task.stop();
      await notices.stop();
      onAir.stopLive();
      for (const server of [admin.server, core.live]) closeAfterResponses(server);
      const closePorts = () => Promise.all([admin.close(), closeServer(core.live)]);
      const unfinished = [...(await finishAll(finalStages(closePorts, parts), warn)), ...(await services.close())];
      log.info({ unfinished }, 'ended');
    },
  };
}
