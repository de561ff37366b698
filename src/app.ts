// The composition root: which adapter stands behind which port, and what runs now and then. It decides nothing.
import type { IncomingHttpHeaders, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pino } from 'pino';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { readConsoleFiles } from './adapters/consoleFiles.ts';
import { createEgressGuard } from './adapters/egressGuard.ts';
import { createFireAndForget } from './adapters/fireAndForget.ts';
import { createHttpAdServer } from './adapters/httpAdServer.ts';
import { createHttpOrigin } from './adapters/httpOrigin.ts';
import { createReportStores } from './adapters/reportStores.ts';
import { openSecretBox } from './adapters/secretKey.ts';
import { openSql } from './adapters/sql.ts';
import { sqlAirings } from './adapters/sqlAirings.ts';
import { sqlApiKeys } from './adapters/sqlApiKeys.ts';
import { sqlAssets } from './adapters/sqlAssets.ts';
import { sqlChannels } from './adapters/sqlChannels.ts';
import { sqlConfirmations } from './adapters/sqlConfirmations.ts';
import { sqlPlaylists } from './adapters/sqlPlaylists.ts';
import { sqlSessions } from './adapters/sqlSessions.ts';
import { sqlSystems } from './adapters/sqlSystems.ts';
import { sqlTenants } from './adapters/sqlTenants.ts';
import { createSystemClock } from './adapters/systemClock.ts';
import { composeCloud } from './composeCloud.ts';
import { composeReports } from './composeReports.ts';
import { composeTracking } from './composeTracking.ts';
import { type Config, egressAllow } from './config.ts';
import { createCreativeParts } from './creativeParts.ts';
import { createAdminServer } from './http/admin/adminServer.ts';
import { createFeeds } from './http/live/feeds.ts';
import { createLiveServer } from './http/live/server.ts';
import { checkListed } from './ingest/checkListed.ts';
import { createCreativeDesk } from './ingest/creativeDesk.ts';
import { createTextSource, isTextName } from './ingest/textSource.ts';
import { createThumbnails } from './ingest/thumbnails.ts';
import { liveBeside } from './liveBeside.ts';
import { createAssetSource } from './planning/assetSource.ts';
import { createSourceChecker } from './planning/checkSource.ts';
import { createPlanner } from './planning/planner.ts';
import { createWatch } from './planning/watch.ts';
import { createAiringCache } from './playback/airingCache.ts';
import { askAds } from './playback/askAds.ts';
import { tellErrors } from './playback/askAdsErrors.ts';
import { askForNobody } from './playback/askForNobody.ts';
import { createBreakDecider } from './playback/decideBreak.ts';
import { editionsBetween, programmeBetween } from './playback/programme.ts';
import { listSessions, traceSession } from './playback/trace.ts';
import { createViewers } from './playback/viewers.ts';
import { repeatedly } from './repeatedly.ts';
import { observeAsking } from './reports/ofAdRequests.ts';
import { bootstrap } from './tenants/bootstrap.ts';
import { millis } from './time/units.ts';
import { version } from './version.ts';

export type Midroll = {
  readonly adminUrl: string;
  readonly liveUrl: string;
  /** The first key, when it was made now: to be shown this once. */
  readonly firstKey?: string;
  close(): Promise<void>;
};

/** What a process does: all of it, or, with WORKERS, one the administration and the others the live port. */
export type Duties = { readonly admin: boolean; readonly live: boolean };

const KEPT_VIEWERS = 200_000;
/** Milliseconds since a viewer's last request within which they watch; it is noted every 15 s. */
const WATCHING = 60_000;
const CONSOLE = join(import.meta.dirname, '../console/dist');
const now = createSystemClock();

export async function startMidroll(config: Config, duties: Duties = { admin: true, live: true }): Promise<Midroll> {
  const log = pino({ level: config.LOG_LEVEL });
  const warn = (message: string, { error, ...facts }: Record<string, unknown>) =>
    log.warn({ ...facts, err: error }, message);
  const metrics = new Registry();
  collectDefaultMetrics({ register: metrics });
  const sql = await openSql(config);
  const systems = sqlSystems(sql, await openSecretBox(config, sql));
  const channels = sqlChannels(sql);
  const playlists = sqlPlaylists(sql);
  const airings = sqlAirings(sql);
  const sessions = sqlSessions(sql);
  const confirmations = sqlConfirmations(sql);
  const assetStore = sqlAssets(sql);

  const guard = createEgressGuard({ allow: egressAllow(config) });
  const reports = composeReports({
    ...{ sql, channels, systems, config, now, warn },
    stores: (own) => createReportStores(own, { dispatcher: guard, warn }),
  });
  const origin = createHttpOrigin(guard);
  // One process of a machine makes creatives, and not one whose viewers would wait for it, where there is another.
  const creatives = createCreativeParts(
    { config, sql, guard, now, log, warn, listeners: reports.onCreative },
    config.ROLE === 'all' && duties.admin,
  );
  const { files, library } = creatives;

  const cache = createAiringCache({
    channels,
    airings,
    assets: assetStore,
    findMedia: (id) => files.find(id)?.media,
    log: warn,
  });
  const texts = createTextSource({ assets: assetStore, origin, log: warn });
  const assets = createAssetSource({ store: assetStore, origin, now });
  const planner = createPlanner({
    channels,
    playlists,
    airings,
    assets,
    library,
    onAir: cache.onAir,
    now,
    log: warn,
  });
  const plan = async (channelId: string, fresh: boolean) => {
    await planner.plan(channelId, { fresh });
    await cache.refresh();
  };
  const viewers = createViewers(sessions, KEPT_VIEWERS);
  const adServer = createHttpAdServer(guard);
  const fire = createFireAndForget(guard);
  const cloud = composeCloud({
    ...{ sql, channels, systems, shelf: files, guard, now, warn },
    info: (message, facts) => log.info(facts, message),
    stored: (holds) => reports.record({ type: 'stored', ...holds }),
  });
  const tracking = composeTracking({
    ...{ sql, sessions, guard, metrics, config, now, warn },
    onDelivered: reports.onDelivered,
    onBeacon: reports.onBeacon,
  });
  const decider = createBreakDecider({
    ask: observeAsking((question, observed) => askAds(question, observed, now()), adServer, reports.record, now),
    tellErrors: (errors, question) => tellErrors(errors, question, fire, now()),
    library: checkListed(library, origin, files.markUsed),
    sessions,
    viewers,
    onDecided: (channel, clips) => cloud.media.want(channel, clips),
    onRecorded: reports.onRecorded,
    now,
    log: warn,
  });

  const playerDeps = {
    airings: cache,
    viewers,
    sessions,
    decider,
    now,
    liveUrl: config.LIVE_URL,
    observe: reports.observe,
  };
  let phase: 'starting' | 'up' | 'shutting down' = 'starting';
  const notReady = async (): Promise<string | undefined> => {
    if (phase !== 'up') return `the process is ${phase}`;
    return sql.ping().then(
      () => undefined,
      () => 'the database does not answer',
    );
  };
  const live = createLiveServer({
    ...playerDeps,
    recordDelivery: tracking.recordDelivery,
    elsewhere: cloud.media.urlOf,
    onLost: (error, sessionId) => warn('a delivery could not be written down', { sessionId, error }),
    openSegment: (id, number, rung, name) =>
      isTextName(rung) ? texts.openSegment(id, number, rung, name) : files.openSegment(id, String(number), rung, name),
    feeds: createFeeds({ ...playerDeps, confirmations }),
    ready: async () => (await notReady()) === undefined,
    onError: (error, requestId, path) => log.error({ err: error, requestId, path }, 'a live request failed'),
  });
  const admin = createAdminServer({
    playlists,
    channels,
    systems,
    systemState: async (system) => (await cloud.stateOf(system)) ?? reports.storeFor.stateOf(system),
    keys: sqlApiKeys(sql),
    beacons: tracking.beacons,
    onAir: {
      channelStatus: async ({ id, state }) => {
        if (state === 'disabled') return { state };
        const status = planner.status(id);
        if (status !== undefined) return { ...status, items: [...status.items] };
        return { state: 'enabled', stateReason: 'The channel is being prepared: its assets are being read.' };
      },
      channelTimeline: async ({ id }, from, to) => {
        const airing = cache.find(id);
        const range = { from: new Date(from).toISOString(), to: new Date(to).toISOString() };
        if (airing === undefined) return { ...range, entries: [], editions: [] };
        return { ...range, entries: programmeBetween(airing, from, to), editions: editionsBetween(airing, from, to) };
      },
      channelSessions: ({ id }, page) => listSessions(sessions, id, page),
      sessionTrace: (id, tenant) =>
        traceSession({ sessions, deliveries: tracking.deliveries, confirmations }, id, tenant),
      onChannelChanged: async (id) => {
        // Players are told at once that the channel is coming, or that it is no more.
        await cache.refresh();
        await plan(id, true);
      },
      onPlaylistChanged: async (id, tenant) => {
        await Promise.all((await channels.playing(tenant, id)).map((channel) => plan(channel.id, true)));
      },
      viewerCounts: (ids) => sessions.watching(ids, millis(now() - WATCHING)),
    },
    reportStore: reports.storeFor,
    creatives: createCreativeDesk({
      jobs: creatives.jobs,
      shelf: files,
      thumbnails: createThumbnails(files, creatives.ffmpeg),
      channels,
      ladderOf: (channelId) => cache.find(channelId)?.ladder,
      readVast: (vast, channelId) => askForNobody(vast, channelId, adServer, now()),
      now,
      onAsked: creatives.wake,
      onChanged: library.forget,
    }),
    now,
    log,
    metrics,
    baseUrl: ({ host }: IncomingHttpHeaders) =>
      config.ADMIN_URL?.replace(/\/+$/, '') ?? `http://${host ?? 'localhost'}`,
    checkSource: createSourceChecker({ assets, now }),
    consoleFiles: duties.admin ? readConsoleFiles(CONSOLE) : new Map(),
    version,
    liveUrl: ({ host }: IncomingHttpHeaders) =>
      config.LIVE_URL?.replace(/\/+$/, '') ?? liveBeside(host, live, config.LIVE_PORT),
    rateLimit: config.ADMIN_RATE_LIMIT,
    notReady,
  });

  await creatives.start();
  await cache.refresh();
  const enabled = async () => (await channels.enabled()).map(({ id }) => id);
  const watch = createWatch({ assets, planner, channelIds: enabled, lineupOf: (id) => cache.find(id)?.lineup, now });
  const chores = [
    repeatedly('reading what is on air', 1000, cache.refresh, warn),
    ...reports.start(duties.admin, creatives.jobs),
    ...(await cloud.start(duties.admin)),
    ...tracking.start(duties.admin),
  ];
  if (duties.admin) {
    for (const id of await enabled()) {
      plan(id, false).catch((error: unknown) => warn('planning a channel failed', { channelId: id, error }));
    }
    chores.push(
      repeatedly('looking ahead', 10_000, watch, warn),
      repeatedly(
        'forgetting who left',
        Math.min(60_000, config.SESSION_TTL * 250),
        () => reports.endSessions(sessions),
        warn,
      ),
    );
    await admin.listen({ port: config.ADMIN_PORT, host: config.HOST });
  }
  if (duties.live) {
    chores.push(repeatedly('noting who watches', 15_000, () => viewers.flushSeen(now()), warn));
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
    new Date().toISOString(),
  );
  phase = 'up';
  const address = (server: Server, port: number) => {
    const taken = (server.address() as AddressInfo | null)?.port ?? port;
    return `http://${config.HOST.includes(':') ? `[${config.HOST}]` : config.HOST}:${taken}`;
  };
  return {
    adminUrl: config.ADMIN_URL ?? address(admin.server, config.ADMIN_PORT),
    liveUrl: config.LIVE_URL ?? address(live, config.LIVE_PORT),
    ...(first.key === undefined ? {} : { firstKey: first.key }),
    async close() {
      phase = 'shutting down';
      for (const chore of chores) chore.stop();
      await Promise.all([admin.close(), closeServer(live)]);
      await Promise.all([viewers.flushSeen(now()), creatives.stop(), tracking.stop()]);
      await reports.stop();
      await sql.close();
      await guard.close();
    },
  };
}

const listen = (server: Server, { LIVE_PORT, HOST }: Config): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(LIVE_PORT, HOST, resolve);
  });

/** Requests under way are answered; connections that only wait are closed. */
const closeServer = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    if (!server.listening) return resolve();
    server.close(() => resolve());
    server.closeIdleConnections();
    setTimeout(() => server.closeAllConnections(), 5000).unref();
  });
