// SPDX-License-Identifier: Apache-2.0
// The composition root: connects adapters to ports and starts the periodic tasks.
import { join } from 'node:path';
import type { Registry } from 'prom-client';
import { readConsoleFiles } from './adapters/consoleFiles.ts';
import { createHttpAdServer } from './adapters/http/httpAdServer.ts';
import { probeFolder } from './adapters/media/probeFolder.ts';
import { sqlPlaylists } from './adapters/sql/channels/sqlPlaylists.ts';
import { sqlTenants } from './platform/access/store/sqlTenants.ts';
import { createSystemClock } from './adapters/systemClock.ts';
import { createAdResponseReader } from './adapters/vast/adResponseReader.ts';
import { composeAlerts } from './platform/alerts/composeAlerts.ts';
import { composeCloud } from './platform/systems/composeCloud.ts';
import { composeCreatives } from './composition/composeCreatives.ts';
import { composeDecisions } from './composition/composeDecisions.ts';
import { composeHistory } from './platform/history/composeHistory.ts';
import { composeNotices } from './composition/composeNotices.ts';
import { composeOnAir } from './composition/composeOnAir.ts';
import { composeServers } from './composition/composeServers.ts';
import { composeTracking } from './composition/composeTracking.ts';
import { composeVod } from './composition/composeVod.ts';
import { drain } from './composition/ending/draining.ts';
import { finalSteps } from './composition/ending/finalSteps.ts';
import { finishAll } from './composition/ending/finish.ts';
import { listen } from './composition/listening.ts';
import { createLowDisk } from './composition/lowDisk.ts';
import { observeServing } from './composition/metrics/observeServing.ts';
import { openServices, type Runtime, sharesStore } from './composition/openServices.ts';
import { openSessionStores } from './composition/openSessionStores.ts';
import { type PeriodicTask, startPeriodicTask } from './composition/periodicTask.ts';
import { createReadiness } from './composition/readiness.ts';
import { startAdminTasks } from './composition/tasks/adminTasks.ts';
import { startLiveTasks } from './composition/tasks/liveTasks.ts';
import { tracedAdServer } from './composition/tracing/tracedAdServer.ts';
import { checkClock } from './composition/warnings/clockCheck.ts';
import type { ProcessStatus } from './composition/workers/workerPort.ts';
import type { Config } from './config.ts';
import { checkListed } from './ingest/condition/listed/checkListed.ts';
import { monitoredSessions } from './playback/viewers/monitoredSessions.ts';
import { frozenWithMedia, sessionsWithMedia } from './playback/viewers/sessionsWithMedia.ts';
import { createSharedDecisions } from './playback/viewers/sharedDecisions.ts';
import { createViewers, type Viewers } from './playback/viewers/viewers.ts';
import { viewerCounter } from './sessions/viewerCounter.ts';
import { bootstrap } from './platform/access/rules/bootstrap.ts';

export type Midroll = {
  readonly adminUrl: string;
  readonly liveUrl: string;
  /** The first API key, if it was created by this start. It is shown only once. */
  readonly firstKey?: string;
  /** Of this process, for a port of its own. */
  readonly status: ProcessStatus;
  /** Serves for so many seconds more, and reports meanwhile that it is not ready. */
  drain(seconds: number): Promise<void>;
  /** Ends within STOP_LIMIT_SECONDS, even if the database does not respond. */
  close(): Promise<void>;
};

/** What this process serves: both ports, or, with WORKERS, one process the administrative port and the others the live port. */
export type Duties = {
  readonly admin: boolean;
  readonly live: boolean;
  /** The live port of the other processes, once it is known. */
  readonly livePort?: () => number | undefined;
  /** With WORKERS: the metrics of this process and of the others, as text. */
  readonly readMetrics?: (own: Registry) => Promise<string>;
};

const MAX_CACHED_VIEWERS = 200_000;
/** Relative to this file and to the bundle in dist/. */
const CONSOLE = join(import.meta.dirname, '../console/dist');

/** @param runtime default: the system clock, and the log to standard output */
export async function startMidroll(
  config: Config,
  duties: Duties = { admin: true, live: true },
  runtime: Runtime = { clock: createSystemClock(), hasThreads: true },
): Promise<Midroll> {
  const services = await openServices(config, runtime);
  const { log, metrics, warn, now, timers, sql, systems, guard, reports } = services;
  const playlists = sqlPlaylists(sql);
  const { stores, health, apart } = await openSessionStores(services);
  // With WORKERS, creatives are conditioned in the administrative process, so that viewers do not wait for it.
  const makes = config.ROLE === 'all' && duties.admin;
  const creatives = await composeCreatives({ ...services, listeners: reports.onCreative }, makes, true);
  const { files, library } = creatives;
  const shared = createSharedDecisions({
    ...{ store: sessionsWithMedia(monitoredSessions(stores.sessions, health), files.load), now, timers },
    ...{ isShared: sharesStore(services), viewers: () => viewers },
  });
  const { sessions } = shared;
  const onAir = composeOnAir(services, playlists, creatives, viewerCounter(sessions, now));
  const { cache } = onAir;
  const viewers: Viewers = createViewers(sessions, health, MAX_CACHED_VIEWERS, reports.onEnded);
  const adServer = tracedAdServer(createHttpAdServer(guard, { timers }), services.tracer);
  const reader = createAdResponseReader({ maxUrls: config.AD_MAX_TRACKING_URLS, timers });
  const cloud = composeCloud({
    ...{ ...services, mediaStore: files, installation: creatives.media.installation },
    info: (message, facts) => log.info(facts, message),
    stored: (holds) => reports.record({ type: 'stored', ...holds }),
  });
  const tracking = composeTracking({
    ...{ ...services, sessions, metrics },
    hasStoreApart: apart !== undefined,
    inThread: runtime.hasThreads ?? false,
    onBeacon: reports.onBeacon,
  });
  const history = composeHistory(services, stores, tracking.deliveries);
  const ads = {
    ...{ sessions, adServer, reader },
    library: checkListed(library, onAir.origin, files.markUsed),
    onDecided: cloud.media.want,
  };
  const { decider, recordShown, idle, ...decisions } = composeDecisions(services, { ...ads, viewers, health, metrics });
  const alerts = composeAlerts(services, onAir, creatives.jobs);
  const { titles, origin } = onAir;
  const frozen = frozenWithMedia(stores.frozen, files.load);
  const vod = composeVod(services, { ...ads, ...decisions, frozen, titles, origin, findMedia: onAir.findMedia });

  observeServing(metrics, { onAir, viewers, library, presentations: vod.presentations });

  const disk = createLowDisk(config.DATA_DIR);
  const clock = checkClock(services);
  const degraded = () =>
    [creatives.media.degraded(), disk.reason(), clock.reason()].filter(Boolean).join(' ') || undefined;
  let phase: 'starting' | 'up' | 'draining' | 'shutting down' = 'starting';
  const dependenciesFail = createReadiness({
    checks: [
      { name: 'the database', run: () => sql.probe().then(() => undefined) },
      ...(apart === undefined ? [] : [{ name: 'the session store', run: () => apart.probe().then(() => undefined) }]),
      { name: 'DATA_DIR', run: () => probeFolder(config.DATA_DIR) },
      // Only processes that condition creatives need ffmpeg.
      ...(config.ROLE === 'all' ? [{ name: 'ffmpeg', run: creatives.ffmpeg.missing }] : []),
    ],
    timers,
    warn,
  });
  const notReady = async () => (phase === 'up' ? dependenciesFail() : `the process is ${phase}`);
  const { admin, live, adminAddress, liveAddress } = composeServers(services, {
    ...{ playlists, sessions, stores, viewers, decider, vod, creatives, onAir, alerts, cloud, tracking, history },
    ...{ adServer, reader, metrics, notReady, degraded, readMetrics: duties.readMetrics },
    consoleFiles: duties.admin ? readConsoleFiles(CONSOLE) : new Map(),
    livePort: () => duties.livePort?.(),
  });

  await creatives.start();
  const notices = await composeNotices(services, metrics, runtime.noticePolls);
  notices.follow({
    name: 'reading channels on air',
    topics: ['channels', 'schedules'],
    read: () => health.track(cache.refresh),
    isComplete: () => !cache.hasFaults(),
  });
  notices.follow({ name: 'reading channel statuses', topics: ['statuses'], read: onAir.refreshStatuses });
  notices.follow({ name: 'reading the states of creatives', topics: ['creatives'], read: creatives.changed });
  notices.follow({
    name: 'reading publications',
    topics: ['channels', 'systems', 'publications'],
    read: cloud.media.refresh,
  });
  notices.follow(alerts.reading);
  notices.start();
  await Promise.all([cache.refresh(), onAir.refreshStatuses(), disk.measure(), clock.measure().catch(() => undefined)]);
  shared.start();
  const tasks: PeriodicTask[] = [
    shared,
    // Logs failures even if no load balancer polls /ready.
    startPeriodicTask(
      timers,
      'checking dependencies',
      10_000,
      () => Promise.all([dependenciesFail(), disk.measure()]).then(() => undefined),
      warn,
    ),
    // Notices reduce the reads, and the health of the store follows from reads. It logs failures itself.
    startPeriodicTask(timers, 'reading the database', 1000, () => health.track(sql.ping).catch(() => undefined), warn),
    ...(apart === undefined ? [] : [startPeriodicTask(timers, 'checking the session store', 1000, apart.retry, warn)]),
    startPeriodicTask(timers, 'comparing the clock', 60_000, clock.measure, warn),
    startPeriodicTask(timers, 'recording breaks shown as slate', 2000, recordShown, warn),
    ...reports.start(duties.admin, creatives.jobs),
    ...(await cloud.start(duties.admin)),
    ...tracking.start(duties.admin),
  ];
  if (duties.admin) {
    const parts = { onAir, alerts, history, tracking, jobs: creatives.jobs, sessions, health };
    tasks.push(...(await startAdminTasks(services, { ...parts, hasStoreApart: apart !== undefined })));
    await admin.listen({ port: config.ADMIN_PORT, host: config.HOST });
  }
  if (duties.live) {
    tasks.push(...startLiveTasks(services, { onAir, viewers, presentations: vod.presentations }));
    await listen(live, config);
  }
  // Last, because the key is shown only once and must not be lost by a failed start.
  const first = await bootstrap(
    sqlTenants(sql, systems),
    {
      tenant: config.BOOTSTRAP_TENANT,
      email: config.BOOTSTRAP_EMAIL,
      ...(config.BOOTSTRAP_API_KEY === undefined ? {} : { apiKey: config.BOOTSTRAP_API_KEY }),
    },
    new Date(now()).toISOString(),
  );
  phase = 'up';
  return {
    status: {
      metrics,
      notReady,
      onError: (error, requestId) => log.error({ err: error, requestId }, 'request failed'),
    },
    adminUrl: config.ADMIN_URL ?? adminAddress(),
    liveUrl: config.LIVE_URL ?? liveAddress(),
    ...(first.key === undefined ? {} : { firstKey: first.key }),
    async drain(seconds) {
      phase = 'draining';
      alerts.routes.streams.end();
      if (seconds > 0) log.info({ seconds }, 'draining');
      await drain([admin.server, live], seconds);
    },
    async close() {
      phase = 'shutting down';
      for (const task of tasks) task.stop();
      await notices.stop();
      onAir.stopLive();
      const parts = {
        admin,
        live,
        presentations: vod.presentations,
        viewers,
        onAir,
        creatives,
        tracking,
        alerts,
        reader,
        now,
      };
      const steps = finalSteps({ ...parts, stores, decisions: { recordShown, idle, ...decisions } });
      const unfinished = [...(await finishAll(steps, warn)), ...(await services.close())];
      log.info({ unfinished }, 'ended');
    },
  };
}
