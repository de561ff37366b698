// The composition root: which adapter stands behind which port, and what runs now and then. It decides nothing.
import { join } from 'node:path';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { readConsoleFiles } from './adapters/consoleFiles.ts';
import { createHttpAdServer } from './adapters/http/httpAdServer.ts';
import { probeFolder } from './adapters/media/probeFolder.ts';
import { sqlPlaylists } from './adapters/sql/channels/sqlPlaylists.ts';
import { sqlSessions } from './adapters/sql/sessions/sqlSessions.ts';
import { sqlApiKeys } from './adapters/sql/tenants/sqlApiKeys.ts';
import { sqlRequestWindows } from './adapters/sql/tenants/sqlRequestWindows.ts';
import { sqlTenants } from './adapters/sql/tenants/sqlTenants.ts';
import { sqlConfirmations } from './adapters/sql/tracking/sqlConfirmations.ts';
import { createSystemClock } from './adapters/systemClock.ts';
import { createAdResponseReader } from './adapters/vast/adResponseReader.ts';
import { composeAir } from './composition/composeAir.ts';
import { composeCloud } from './composition/composeCloud.ts';
import { composeCreatives } from './composition/composeCreatives.ts';
import { composeDecisions } from './composition/composeDecisions.ts';
import { composeTracking } from './composition/composeTracking.ts';
import { connectionLimits } from './composition/connectionLimits.ts';
import { addressOf, closeServer, listen } from './composition/listening.ts';
import { onAirView } from './composition/onAirView.ts';
import { openGround, type Surroundings } from './composition/openGround.ts';
import { publicUrls } from './composition/publicUrls.ts';
import { createReadiness } from './composition/readiness.ts';
import { repeatedly } from './composition/repeatedly.ts';
import { startShrinking } from './composition/startShrinking.ts';
import { type Config, trustedProxies } from './config.ts';
import { createAdminServer } from './http/admin/adminServer.ts';
import { limitConnections } from './http/limitConnections.ts';
import { createFeeds } from './http/live/feeds.ts';
import { createOpeningLimits } from './http/live/openingLimits.ts';
import { createLiveServer } from './http/live/server.ts';
import { createProxies, type RequestSource } from './http/proxies.ts';
import { checkListed } from './ingest/condition/listed/checkListed.ts';
import { createCreativeAdmin } from './ingest/creatives/creativeAdmin.ts';
import { createThumbnails } from './ingest/creatives/thumbnails.ts';
import { isTextName } from './ingest/text/textSource.ts';
import { previewAdRequest } from './playback/request/previewAdRequest.ts';
import { monitoredSessions } from './playback/viewers/monitoredSessions.ts';
import { createStoreHealth } from './playback/viewers/storeHealth.ts';
import { createViewers } from './playback/viewers/viewers.ts';
import { bootstrap } from './tenants/bootstrap.ts';
import { version } from './version.ts';

export type Midroll = {
  readonly adminUrl: string;
  readonly liveUrl: string;
  /** The first key, when it was made now: to be shown this once. */
  readonly firstKey?: string;
  close(): Promise<void>;
};

/** What a process does: all of it, or, with WORKERS, one the administration and the others the live port. */
export type Duties = {
  readonly admin: boolean;
  readonly live: boolean;
  /** Where the others listen, once it is known. */
  readonly livePort?: () => number | undefined;
};

const KEPT_VIEWERS = 200_000;
/** Milliseconds: every node notes who watches every 15 s. */
const NOTED_AGAIN = 45_000;
const CONSOLE = join(import.meta.dirname, '../console/dist');

/** @param surroundings the system's own unless given */
export async function startMidroll(
  config: Config,
  duties: Duties = { admin: true, live: true },
  surroundings: Surroundings = { clock: createSystemClock() },
): Promise<Midroll> {
  const ground = await openGround(config, surroundings);
  const { log, warn, now, timers, sql, channels, systems, guard, reports } = ground;
  const metrics = new Registry();
  collectDefaultMetrics({ register: metrics });
  const playlists = sqlPlaylists(sql);
  const health = createStoreHealth(timers, warn);
  const sessions = monitoredSessions(sqlSessions(sql), health);
  const confirmations = sqlConfirmations(sql);
  // One process of a machine makes creatives, and not one whose viewers would wait for it, where there is another.
  const makes = config.ROLE === 'all' && duties.admin;
  const creatives = composeCreatives({ ...ground, listeners: reports.onCreative }, makes);
  const { files, library } = creatives;
  const air = composeAir(ground, playlists, creatives, sessions.watching);
  const { cache, texts } = air;
  const viewers = createViewers(sessions, health, KEPT_VIEWERS);
  const adServer = createHttpAdServer(guard, { timers });
  const reader = createAdResponseReader({ mostUrls: config.AD_MAX_TRACKING_URLS, timers });
  const cloud = composeCloud({
    ...{ ...ground, mediaStore: files },
    info: (message, facts) => log.info(facts, message),
    stored: (holds) => reports.record({ type: 'stored', ...holds }),
  });
  const tracking = composeTracking({
    ...{ ...ground, sessions, metrics },
    onBeacon: reports.onBeacon,
  });
  const { decider, recordShown } = composeDecisions(ground, {
    ...{ sessions, viewers, health, adServer, reader },
    library: checkListed(library, air.origin, files.markUsed),
    onDecided: (channel, clips) => cloud.media.want(channel, clips),
  });

  const proxies = createProxies(trustedProxies(config));
  const adminAddress = () => addressOf(admin.server, config, config.ADMIN_PORT);
  const liveAddress = () => addressOf(live, config, duties.livePort?.() ?? config.LIVE_PORT);
  const urls = publicUrls({ config, proxies, adminAddress, liveAddress, warn });
  const playerDeps = {
    airings: cache,
    viewers,
    sessions,
    decider,
    now,
    timers,
    proxies,
    liveUrl: (request: RequestSource) => urls.live(request),
    allowOpening: createOpeningLimits({
      perAddress: config.SESSIONS_PER_ADDRESS,
      perChannel: config.SESSIONS_PER_CHANNEL,
      ...{ now, log: warn },
    }),
    observe: reports.observe,
    onMissing: air.onMissing,
  };
  let phase: 'starting' | 'up' | 'shutting down' = 'starting';
  const dependenciesFail = createReadiness({
    checks: [
      { name: 'the database', run: () => sql.probe().then(() => undefined) },
      { name: 'DATA_DIR', run: () => probeFolder(config.DATA_DIR) },
      // Where others make creatives, this process does without.
      ...(config.ROLE === 'all' ? [{ name: 'ffmpeg', run: creatives.ffmpeg.missing }] : []),
    ],
    timers,
    warn,
  });
  const notReady = async () => (phase === 'up' ? dependenciesFail() : `the process is ${phase}`);
  const live = createLiveServer({
    ...playerDeps,
    recordDelivery: tracking.recordDelivery,
    mediaUrl: cloud.media.urlOf,
    onLost: (error, sessionId) => warn('a delivery could not be written down', { sessionId, error }),
    openSegment: (id, number, rung, name) =>
      isTextName(rung) ? texts.openSegment(id, number, rung, name) : files.openSegment(id, String(number), rung, name),
    feeds: createFeeds({ ...playerDeps, confirmations }),
    notReady,
    onError: (error, requestId, path) => log.error({ err: error, requestId, path }, 'a live request failed'),
  });
  const admin = createAdminServer({
    playlists,
    channels,
    systems,
    systemState: async (system) => (await cloud.stateOf(system)) ?? reports.storeFor.stateOf(system),
    keys: sqlApiKeys(sql),
    requestWindows: sqlRequestWindows(sql),
    beacons: tracking.beacons,
    onAir: onAirView(ground, air, { sessions, deliveries: tracking.deliveries, confirmations }),
    reportStore: reports.storeFor,
    creatives: createCreativeAdmin({
      jobs: creatives.jobs,
      mediaStore: files,
      thumbnails: createThumbnails(files, creatives.ffmpeg),
      channels,
      ladderOf: (channel) => cache.find(channel)?.airing?.ladder,
      readVast: (vast, channelId) => previewAdRequest(vast, channelId, adServer, reader, { now, timers }),
      now,
      onAsked: creatives.wake,
      onChanged: library.forget,
    }),
    now,
    log,
    metrics,
    baseUrl: (request) => urls.admin(request),
    checkSource: air.checkSource,
    consoleFiles: duties.admin ? readConsoleFiles(CONSOLE) : new Map(),
    version,
    liveUrl: (request) => urls.liveBesideAdmin(request),
    rateLimit: config.ADMIN_RATE_LIMIT,
    notReady,
  });

  const limits = connectionLimits({ config, proxies, now, warn });
  limitConnections(admin.server, limits);
  limitConnections(live, limits);

  await creatives.start();
  await cache.refresh();
  const chores = [
    // The log says what is wrong whether or not anything asks for /ready.
    repeatedly(timers, 'checking what it depends on', 10_000, async () => void (await dependenciesFail()), warn),
    repeatedly(timers, 'reading what is on air', 1000, () => health.track(cache.refresh), warn),
    repeatedly(timers, 'recording breaks shown as slate', 2000, recordShown, warn),
    ...reports.start(duties.admin, creatives.jobs),
    ...(await cloud.start(duties.admin)),
    ...tracking.start(duties.admin),
  ];
  if (duties.admin) {
    chores.push(...(await startShrinking(ground)));
    await air.planAll();
    // While the store was away it did not learn who watches: first every node reports that.
    const forget = async () => {
      if (health.availableFor() > NOTED_AGAIN) await reports.endSessions(sessions);
    };
    chores.push(
      repeatedly(timers, 'looking ahead', 10_000, air.watch, warn),
      repeatedly(timers, 'telling other nodes how far channels are prepared', 1000, air.share, warn),
      repeatedly(timers, 'ending what is switched off', 10_000, air.endSwitchedOff, warn),
      repeatedly(timers, 'forgetting imports', 600_000, air.forget, warn),
      repeatedly(timers, 'forgetting who left', Math.min(15_000, config.SESSION_TTL * 250), forget, warn),
    );
    await admin.listen({ port: config.ADMIN_PORT, host: config.HOST });
  }
  if (duties.live) {
    chores.push(
      repeatedly(timers, 'noting who watches', 15_000, () => viewers.flushSeen(now()), warn),
      repeatedly(timers, 'noting who began to watch', 2000, () => viewers.flushStarted(now()), warn),
    );
    await listen(live, config);
  }
  // Only now, when nothing can fail any more: a key that is made is shown once.
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
    adminUrl: config.ADMIN_URL ?? adminAddress(),
    liveUrl: config.LIVE_URL ?? liveAddress(),
    ...(first.key === undefined ? {} : { firstKey: first.key }),
    async close() {
      phase = 'shutting down';
      for (const chore of chores) chore.stop();
      await Promise.all([admin.close(), closeServer(live)]);
      await Promise.all([viewers.flushSeen(now()), creatives.stop(), tracking.stop(), reader.close()]);
      await ground.close();
    },
  };
}
