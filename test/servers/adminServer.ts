// SPDX-License-Identifier: Apache-2.0
// Starts the administrative interface for tests, with its own stores and nothing on air.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import pino from 'pino';
import { Registry } from 'prom-client';
import { createEgressGuard } from '../../src/adapters/http/egressGuard.ts';
import { createHttpHook } from '../../src/adapters/http/httpHook.ts';
import { createFfmpeg } from '../../src/adapters/media/ffmpeg.ts';
import { createMediaFiles } from '../../src/adapters/media/mediaFiles.ts';
import { sqlAssets } from '../../src/adapters/sql/channels/sqlAssets.ts';
import { sqlBreakOrders } from '../../src/adapters/sql/channels/sqlBreakOrders.ts';
import { sqlChannels } from '../../src/adapters/sql/channels/sqlChannels.ts';
import { sqlPlaylists } from '../../src/adapters/sql/channels/sqlPlaylists.ts';
import { sqlSchedules } from '../../src/adapters/sql/channels/sqlSchedules.ts';
import { sqlCreatives } from '../../src/adapters/sql/creatives/sqlCreatives.ts';
import { sqlLiveFeeds } from '../../src/adapters/sql/live/sqlLiveFeeds.ts';
import { sqlLiveLog } from '../../src/adapters/sql/live/sqlLiveLog.ts';
import { sqlOriginEvents } from '../../src/adapters/sql/live/sqlOriginEvents.ts';
import { createSecretBox } from '../../src/adapters/sql/secrets/secretBox.ts';
import { sqlBreakViewers } from '../../src/adapters/sql/sessions/sqlBreakViewers.ts';
import { sqlSessions } from '../../src/adapters/sql/sessions/sqlSessions.ts';
import { sqlSourceRates } from '../../src/adapters/sql/sessions/sqlSourceRates.ts';
import type { Sql } from '../../src/adapters/sql/sql.ts';
import { sqlBeacons } from '../../src/adapters/sql/tracking/sqlBeacons.ts';
import { systemTimers } from '../../src/adapters/systemClock.ts';
import { createAdResponseReader } from '../../src/adapters/vast/adResponseReader.ts';
import type { AdServer } from '../../src/ads/request/ports.ts';
import { openSql } from '../../src/database.ts';
import { createProxies } from '../../src/http/proxies.ts';
import { createCreativeAdmin, createCreativeInspector } from '../../src/ingest/creatives/creativeAdmin.ts';
import { createThumbnails, type Thumbnails } from '../../src/ingest/creatives/thumbnails.ts';
import { defaultLadder } from '../../src/planning/airChannel.ts';
import { createBreakDesk } from '../../src/planning/breaks/breakDesk.ts';
import { createChannelAnalyser } from '../../src/planning/live/analyseChannel.ts';
import { createBreakReader } from '../../src/planning/live/readBreaks.ts';
import { createScheduleDesk } from '../../src/planning/schedule/scheduleDesk.ts';
import { issueKey } from '../../src/platform/access/rules/apiKey.ts';
import { bootstrap } from '../../src/platform/access/rules/bootstrap.ts';
import { sqlApiKeys } from '../../src/platform/access/store/sqlApiKeys.ts';
import { sqlConsoleSessions } from '../../src/platform/access/store/sqlConsoleSessions.ts';
import { sqlIdempotency } from '../../src/platform/access/store/sqlIdempotency.ts';
import { sqlRequestWindows } from '../../src/platform/access/store/sqlRequestWindows.ts';
import { sqlTenants } from '../../src/platform/access/store/sqlTenants.ts';
import { sqlAdSources } from '../../src/platform/adSources/store/sqlAdSources.ts';
import { createEventStreams } from '../../src/platform/alerts/routes/eventStreams.ts';
import { sqlAlertRules, sqlAlerts, sqlEvents } from '../../src/platform/alerts/store/sqlAlerts.ts';
import { sqlSilences } from '../../src/platform/alerts/store/sqlSilences.ts';
import { sqlWebhookDeliveries } from '../../src/platform/alerts/store/sqlWebhookDeliveries.ts';
import { sqlWebhooks } from '../../src/platform/alerts/store/sqlWebhooks.ts';
import { sqlAsRun } from '../../src/platform/asRun/store/sqlAsRun.ts';
import { sqlAudit } from '../../src/platform/audit/store/sqlAudit.ts';
import { sqlDeletedRecords } from '../../src/platform/deleted/store/sqlDeletedRecords.ts';
import { sqlDistributors } from '../../src/platform/distributors/store/sqlDistributors.ts';
import { reportRetention, sqlReports } from '../../src/platform/reports/store/sql/sqlReports.ts';
import { ownSystem } from '../../src/platform/systems/rules/system.ts';
import { sqlSystems } from '../../src/platform/systems/store/sqlSystems.ts';
import { createAdTries } from '../../src/platform/tries/rules/adTries.ts';
import { type FindStoredBreak, findStoredBreak } from '../../src/platform/tries/rules/storedBreak.ts';
import { createDemands } from '../../src/playback/request/demand.ts';
import { createHooks } from '../../src/playback/request/hooks.ts';
import { previewAdRequest } from '../../src/playback/request/previewAdRequest.ts';
import { createRateGate } from '../../src/playback/request/rateGate.ts';
import { requestAds } from '../../src/playback/request/requestAds.ts';
import { requestBids } from '../../src/playback/request/requestBids.ts';
import { createBreakRequester } from '../../src/playback/request/requestBreak.ts';
import { requestPresentation } from '../../src/playback/request/requestPresentation.ts';
import { createPreviewTokens } from '../../src/playback/view/previewTokens.ts';
import { millis } from '../../src/time/units.ts';
import { type AdminDeps, createTestServer, type OnAirTest } from './adminRoutes.ts';

/** No channel is on air. */
export const offAir: OnAirTest = {
  channelStatus: async ({ state }) => ({ state }),
  channelTimeline: async (_channel, from, to) => ({
    from: new Date(from).toISOString(),
    to: new Date(to).toISOString(),
    entries: [],
  }),
  channelSessions: async () => ({ total: 0, items: [] }),
  searchSessions: async () => ({ items: [] }),
  sessionTrace: async () => undefined,
  onChannelChanged: () => {},
  onPlaylistChanged: () => {},
  viewerCounts: async () => new Map(),
};

const notImported = async () => ({ ok: false, reason: 'nothing is imported here' }) as const;

/** No ad server can be reached. */
const unreachableAdServer: AdServer = {
  send: async () => ({ ok: false, error: 'unreachable', reason: 'could not be reached', ms: 0 }),
};

export type AdminTest = {
  readonly app: FastifyInstance;
  readonly store: Sql;
  readonly deps: AdminDeps;
  /** The API key of tenant `acme`, ann@example.com. */
  readonly key: string;
  /** The API key of tenant `globex`, bob@example.com. */
  readonly otherKey: string;
  readonly logged: string[];
  /** As DATA_DIR, it leads the command line to the same store. */
  readonly dataDir: string;
  close(): Promise<void>;
};

export type AdminTestOptions = Partial<
  Pick<
    AdminDeps,
    'onAir' | 'consoleFiles' | 'rateLimit' | 'now' | 'signIn' | 'notReady' | 'analyseSources' | 'liveBreaksOf' | 'asRun'
  >
> & {
  readonly databaseUrl?: string;
  readonly thumbnails?: Thumbnails;
  readonly findBreak?: FindStoredBreak;
  /** Of tries; by default, none can be reached. */
  readonly adServer?: AdServer;
};

export async function startAdmin({
  databaseUrl,
  thumbnails,
  findBreak,
  adServer = unreachableAdServer,
  ...options
}: AdminTestOptions = {}): Promise<AdminTest> {
  const folder = mkdtempSync(join(tmpdir(), 'midroll-admin-'));
  const store = await openSql({ DATA_DIR: folder, ...(databaseUrl ? { DATABASE_URL: databaseUrl } : {}) });
  const logged: string[] = [];
  const box = createSecretBox('a secret for tests');
  const systems = sqlSystems(store, box);
  const clock = { now: () => millis(Date.now()), timers: systemTimers };
  const tenants = sqlTenants(store, systems);
  const keys = sqlApiKeys(store);
  const reports = sqlReports(store, reportRetention());
  const media = createMediaFiles({ dataDir: folder });
  const breaksOf = createBreakReader({ feeds: sqlLiveFeeds(store), log: sqlLiveLog(store) });
  const events = sqlEvents(store);
  const deps: AdminDeps = {
    alerts: {
      ...{ rules: sqlAlertRules(store), alerts: sqlAlerts(store), events, deliveries: sqlWebhookDeliveries(store) },
      webhooks: sqlWebhooks(store, box),
      silences: sqlSilences(store),
      hasMail: true,
      streams: createEventStreams({ events, timers: systemTimers }),
    },
    playlists: sqlPlaylists(store),
    channels: sqlChannels(store),
    systems,
    adSources: sqlAdSources(store, box),
    tenants,
    timers: systemTimers,
    systemState: async () => undefined,
    previewTokens: createPreviewTokens({
      seal: (text) => box.seal(text, 'preview'),
      open: (sealed) => box.open(sealed, 'preview'),
      now: () => options.now?.() ?? millis(Date.now()),
    }),
    creatives: createCreativeAdmin({
      jobs: sqlCreatives(store),
      mediaStore: media,
      thumbnails: thumbnails ?? createThumbnails(media, createFfmpeg()),
      channels: sqlChannels(store),
      laddersOf: ({ id }) => (id === 'off-air' ? [] : [defaultLadder]),
      readVast: (vast, channelId) =>
        previewAdRequest(vast, channelId, unreachableAdServer, createAdResponseReader({ maxUrls: 100 }), {
          now: () => millis(Date.now()),
          timers: systemTimers,
        }),
      now: () => millis(Date.now()),
      onEnqueued: () => {},
      onChanged: () => {},
    }),
    keys,
    deleted: sqlDeletedRecords(store),
    consoleSessions: sqlConsoleSessions(store, createSecretBox('a secret for tests')),
    requestWindows: sqlRequestWindows(store),
    audit: sqlAudit(store),
    idempotency: sqlIdempotency(store, box),
    clientOf: createProxies(['127.0.0.1']).clientOf,
    beacons: sqlBeacons(store),
    onAir: offAir,
    distributors: sqlDistributors(store),
    asRun: { store: sqlAsRun(store), asRun: { unstored: async () => ({ storedUntil: undefined, ended: [] }) } },
    desk: createScheduleDesk({
      ...{ schedules: sqlSchedules(store), playlists: sqlPlaylists(store), timers: systemTimers },
      assets: { known: notImported, find: notImported },
      findOrigin: async () => ({ problem: 'nothing is analysed here' }),
      onAir: async () => undefined,
      ladderOf: async () => undefined,
      onChanged: () => {},
      now: options.now ?? (() => millis(Date.now())),
    }),
    problems: { ofTenant: async () => new Map(), adsLost: async () => undefined },
    reportStore: () => reports,
    now: () => millis(Date.now()),
    log: pino({ level: 'debug' }, { write: (line: string) => void logged.push(line) }),
    metrics: new Registry(),
    checkSource: async () => ({ state: 'importing' }),
    checkMix: async () => ({ misfits: [] }),
    offAirGrace: 600,
    sourceFrame: async (tenant, url) =>
      (await sqlAssets(store).isUsedBy(tenant, url)) ? Buffer.from([0xff, 0xd8]) : 'unknown',
    analyseSources: createChannelAnalyser(
      async (url) => ({ url, breaks: [], warnings: [], problems: ['unread'] }),
      systemTimers,
    ),
    liveBreaksOf: breaksOf,
    originEventsOf: sqlOriginEvents(store).list,
    breakDesk: createBreakDesk({
      ...{ store: sqlBreakOrders(store), breaksOf, now: options.now ?? (() => millis(Date.now())) },
      onOrdered: async () => {},
    }),
    scheduledBreaksOf: async () => undefined,
    breakViewers: sqlBreakViewers(store),
    adTries: createAdTries({
      ...{ adServer, reader: createAdResponseReader({ maxUrls: 100 }) },
      inspect: createCreativeInspector({ jobs: sqlCreatives(store), mediaStore: media }),
      queue: () => ({ state: 'preparing' }),
      checked: (creatives) => creatives,
      clock,
      demandOf: createDemands(sqlAdSources(store, box).findAll),
      requesterWith: (own, reader) =>
        createBreakRequester({
          ...clock,
          gate: createRateGate({ store: sqlSourceRates(store), ...clock, log: () => {} }),
          hooks: createHooks(createHttpHook(createEgressGuard({}), clock), systemTimers),
          requestVast: (one) => requestAds(one, own, reader, clock),
          requestBids: (one, channel) => requestBids(one, channel, { ...clock, adServer: own, reader }),
          requestPresentation: (one) => requestPresentation(one, own, reader, clock),
        }),
      laddersOf: async () => [{ formats: ['hls', 'dash'], ladder: defaultLadder }],
      findBreak: findBreak ?? findStoredBreak(sqlSessions(store)),
    }),
    blackoutAssetOf: async () => undefined,
    consoleFiles: new Map(),
    version: '0.0.0',
    baseUrl: ({ headers: { host } }) => `http://${host}`,
    liveUrl: () => 'http://127.0.0.1:8081',
    gather: store.gather,
    rateLimit: 0,
    notReady: async () => undefined,
    ...options,
  };
  const at = new Date().toISOString();
  const key = await bootstrap(tenants, { tenant: 'acme', email: 'ann@example.com' }, at);
  const other = issueKey({ tenant: 'globex', email: 'bob@example.com' }, 'bob@example.com', at);
  await tenants.create(
    { name: 'globex', createdAt: at, createdBy: 'bob@example.com' },
    ownSystem('globex', 'bob@example.com', at),
    other,
  );
  const app = createTestServer(deps);
  await app.ready();
  return {
    app,
    store,
    deps,
    key: key!,
    otherKey: other.secret,
    logged,
    dataDir: folder,
    close: async () => {
      await app.close();
      await store.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
