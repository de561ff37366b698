// SPDX-License-Identifier: Apache-2.0
// What the streaming core adds to the application: its routes of the administrative API, tasks, and what it stores at the end.
import { join } from 'node:path';
import { assetRoutes } from '../http/admin/routes/assetRoutes.ts';
import { beaconRoutes } from '../http/admin/routes/beaconRoutes.ts';
import { channelRoutes } from '../http/admin/routes/channelRoutes.ts';
import { consoleRoutes } from '../http/admin/routes/consoleRoutes.ts';
import { generateRoute } from '../http/admin/routes/generateRoute.ts';
import { importRoutes } from '../http/admin/routes/importRoutes.ts';
import { playlistRoutes } from '../http/admin/routes/playlistRoutes.ts';
import type { CoreApi, OnAir } from '../http/admin/routes/ports.ts';
import { sessionRoutes } from '../http/admin/routes/sessionRoutes.ts';
import { createSourceFrames } from '../ingest/condition/sourceFrames.ts';
import { createCreativeAdmin } from '../ingest/creatives/creativeAdmin.ts';
import { createThumbnails } from '../ingest/creatives/thumbnails.ts';
import { PRESENCE_INTERVAL_MS } from '../playback/guided/guidedPresence.ts';
import { previewAdRequest } from '../playback/request/previewAdRequest.ts';
import type { PastTraces } from '../playback/view/trace.ts';
import { SEEN_INTERVAL_MS } from '../playback/viewers/viewers.ts';
import { createIdleSessionEnd } from '../playback/viewers/watchStarts.ts';
import { LAST_SEEN_SETTLED_MS, viewerCounter } from '../sessions/sessionRules.ts';
import { version } from '../version.ts';
import type { Core } from './composeCore.ts';
import type { CoreEvents } from './coreEvents.ts';
import { viewerMetric } from './metrics/observeServing.ts';
import { measureQueues } from './metrics/storeMetrics.ts';
import { onAirView } from './onAirView.ts';
import type { Services } from './openServices.ts';
import { madeAtFirstRun, type Part, repeat, type Task } from './part.ts';

/** What the platform adds to the routes of the core. */
type PlatformPorts = Pick<CoreApi, 'discard' | 'systems' | 'adSources' | 'problems'> & {
  readonly past: PastTraces;
};

const OLD_ROWS_MS = 600_000;
const MAX_IDLE_CHECK_MS = 15_000;
/** As often as nodes store which viewers were seen. */
const COUNT_VIEWERS_MS = 15_000;

export const coreRoutes = (api: CoreApi) => [
  ...playlistRoutes(api),
  generateRoute,
  ...channelRoutes(api),
  ...importRoutes(api),
  ...sessionRoutes(api),
  ...beaconRoutes(api),
  ...consoleRoutes(api),
  ...assetRoutes(api),
];

export function corePart(
  services: Services,
  core: Core,
  events: Pick<CoreEvents, 'sessionEnded'>,
  { past, ...ports }: PlatformPorts,
): Part & { readonly onAir: OnAir } {
  const { config, log, metrics, now, timers, sql, channels } = services;
  const { creatives, decisions, health, onAir, sessions, stores, tracking, viewers, apart } = core;
  const { presentations } = decisions;
  const { cache } = onAir;
  const frames = createSourceFrames(onAir.origin, creatives.ffmpeg, join(config.DATA_DIR, 'frames'));
  const traced = { sessions, deliveries: tracking.deliveries, confirmations: stores.confirmations, past };
  const view = onAirView(services, onAir, ports.problems, traced);
  const api: CoreApi = {
    ...ports,
    ...onAir.api,
    playlists: core.playlists,
    channels,
    onAir: view,
    beacons: tracking.beacons,
    creatives: createCreativeAdmin({
      jobs: creatives.jobs,
      mediaStore: creatives.files,
      thumbnails: createThumbnails(creatives.files, creatives.ffmpeg),
      channels,
      laddersOf: onAir.laddersOf,
      readVast: (vast, channelId) => previewAdRequest(vast, channelId, core.adServer, core.reader, { now, timers }),
      now,
      onEnqueued: creatives.wake,
      onChanged: creatives.library.forget,
    }),
    sourceFrame: async (tenant, url, seconds) => {
      const asset = await onAir.knownAsset(tenant, url);
      return asset === undefined ? 'unknown' : frames.frameAt(asset, seconds);
    },
    breakViewers: stores.breakViewers,
    previewTokens: core.previewTokens,
    version,
    now,
    log,
    baseUrl: core.urls.admin,
    liveUrl: core.urls.liveForAdmin,
    degraded: core.degraded,
    offAirGrace: config.OFF_AIR_GRACE,
  };
  const endIdle = createIdleSessionEnd({
    sessions,
    ttlMs: config.SESSION_TTL * 1000,
    now,
    onEnded: events.sessionEnded,
  });
  const flushSeen = () => viewers.flushSeen(now());
  const flushStarted = () => viewers.flushStarted(now());
  const flushPresence = () => core.presence.flush(now());
  /** What is stored now and then, and when the process ends. */
  const storing: readonly Task[] = [
    { name: 'recording breaks shown as slate', everyMs: 2000, run: decisions.recordShown, where: 'everywhere' },
    { name: 'recording changes of origins', everyMs: 1000, run: onAir.recordOriginEvents, where: 'live' },
    { name: 'storing when sessions were last seen', everyMs: SEEN_INTERVAL_MS, run: flushSeen, where: 'live' },
    { name: 'storing which sessions requested ads', everyMs: 15_000, run: presentations.flushSeen, where: 'live' },
    { name: 'storing which guided viewers watch', everyMs: PRESENCE_INTERVAL_MS, run: flushPresence, where: 'live' },
    { name: 'storing which sessions have started', everyMs: 2000, run: flushStarted, where: 'live' },
  ];
  const allChannels = () => [...cache.all()].map(({ channel }) => channel);
  return {
    onAir: view,
    routes: coreRoutes(api),
    notices: [
      {
        name: 'reading channels on air',
        topics: ['channels', 'schedules'],
        read: () => health.track(cache.refresh),
        isComplete: () => !cache.hasFaults(),
      },
      { name: 'reading channel statuses', topics: ['statuses'], read: onAir.refreshStatuses },
      { name: 'reading the states of creatives', topics: ['creatives'], read: creatives.changed },
    ],
    tasks: [
      // Logs failures even if no load balancer polls /ready.
      {
        name: 'checking dependencies',
        everyMs: 10_000,
        run: async () => void (await Promise.all([core.dependenciesFail(), core.disk.measure()])),
        where: 'everywhere',
      },
      // Notices reduce the reads, and the health of the store follows from reads. It logs failures itself.
      {
        name: 'reading the database',
        everyMs: 1000,
        run: () => health.track(sql.ping).catch(() => undefined),
        where: 'everywhere',
      },
      ...(apart === undefined
        ? []
        : [{ name: 'checking the session store', everyMs: 1000, run: apart.retry, where: 'everywhere' as const }]),
      { name: 'comparing the clock', everyMs: 60_000, run: core.clock.measure, where: 'everywhere' },
      ...storing,
      {
        name: 'measuring the queues',
        everyMs: 10_000,
        run: madeAtFirstRun(() => measureQueues({ metrics, jobs: creatives.jobs, beacons: tracking.beacons, now })),
        isImmediate: true,
      },
      {
        name: 'counting viewers',
        everyMs: COUNT_VIEWERS_MS,
        run: viewerMetric({ metrics, channels: allChannels, countViewers: viewerCounter(sessions, now) }),
        isImmediate: true,
      },
      { name: 'planning ahead', everyMs: 10_000, run: onAir.watch },
      { name: 'inserting breaks', everyMs: 1000, run: onAir.insertBreaks },
      { name: 'putting live entries on air', everyMs: 1000, run: onAir.recordLive },
      { name: 'sharing the progress of preparations', everyMs: 500, run: onAir.share },
      { name: 'ending disabled channels', everyMs: 10_000, run: onAir.endSwitchedOff },
      { name: 'deleting old breaks', everyMs: OLD_ROWS_MS, run: onAir.deleteOldOrders },
      { name: 'deleting old changes of origins', everyMs: OLD_ROWS_MS, run: onAir.deleteOldOriginEvents },
      { name: 'deleting unused imports', everyMs: OLD_ROWS_MS, run: onAir.deleteUnusedImports },
      {
        name: 'deleting what viewers were shown',
        everyMs: OLD_ROWS_MS,
        run: () => repeat(() => stores.shownAds.expire(now())),
      },
      {
        name: 'ending idle sessions',
        everyMs: Math.min(MAX_IDLE_CHECK_MS, config.SESSION_TTL * 250),
        async run() {
          // After an outage, nodes first have to store which sessions are active. Redis keeps account of its outages itself.
          if (apart !== undefined || health.availableFor() > LAST_SEEN_SETTLED_MS) await endIdle();
        },
      },
    ],
    finalSteps: {
      // Before claims are released: those whose request is still under way are not, so that no break is requested twice.
      deciding: { 'deciding breaks': decisions.idle, 'deciding VoD sessions': presentations.idle },
      storing: {
        ...Object.fromEntries(storing.map(({ name, run }) => [name, run])),
        'releasing claims': decisions.requests.release,
        'releasing channels in preparation': onAir.release,
        'returning creative jobs': creatives.stop,
        'storing deliveries and the outcomes of beacons': tracking.stop,
        'reading ad responses': core.reader.close,
      },
      closing: { 'closing the session store': stores.close },
    },
  };
}
