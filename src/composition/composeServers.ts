// SPDX-License-Identifier: Apache-2.0
// Composes the servers of the two ports, which are not listening yet.

import type { Server } from 'node:http';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { Registry } from 'prom-client';
import { createOpenIdProvider } from '../platform/access/store/openIdProvider.ts';
import { sqlDeletedRecords } from '../platform/deleted/store/sqlDeletedRecords.ts';
import { sqlApiKeys } from '../platform/access/store/sqlApiKeys.ts';
import { sqlAudit } from '../platform/audit/store/sqlAudit.ts';
import { sqlConsoleSessions } from '../platform/access/store/sqlConsoleSessions.ts';
import { sqlIdempotency } from '../platform/access/store/sqlIdempotency.ts';
import { sqlRequestWindows } from '../platform/access/store/sqlRequestWindows.ts';
import { sqlTenants } from '../platform/access/store/sqlTenants.ts';
import type { AdResponseReader, AdServer } from '../ads/request/ports.ts';
import type { PlaylistStore } from '../channels/ports.ts';
import { type Config, roleClaims, trustedProxies } from '../config.ts';
import { createAdminServer } from '../http/admin/adminServer.ts';
import type { ConsoleFiles, SignIn } from '../http/admin/routes/ports.ts';
import { type ConnectionLimits, limitConnections } from '../http/limitConnections.ts';
import { createFeeds } from '../http/live/feeds.ts';
import { createRequestCounts } from '../http/live/measure/requestCounts.ts';
import { createOpeningLimits } from '../http/live/openingLimits.ts';
import type { VodPlayback } from '../http/live/playerRequest.ts';
import { createLiveServer } from '../http/live/server.ts';
import { createProxies, type Proxies, type RequestSource } from '../http/proxies.ts';
import { createSourceFrames } from '../ingest/condition/sourceFrames.ts';
import { createCreativeAdmin } from '../ingest/creatives/creativeAdmin.ts';
import { createThumbnails } from '../ingest/creatives/thumbnails.ts';
import { isTextName } from '../ingest/text/textSource.ts';
import { previewAdRequest } from '../playback/request/previewAdRequest.ts';
import { createPreviewTokens } from '../playback/view/previewTokens.ts';
import type { BreakDecider } from '../playback/view/view.ts';
import type { Viewers } from '../playback/viewers/viewers.ts';
import type { SessionStore } from '../sessions/ports.ts';
import { readRoleMap } from '../platform/access/rules/identity.ts';
import type { Millis } from '../time/units.ts';
import { version } from '../version.ts';
import type { Alerts } from '../platform/alerts/composeAlerts.ts';
import type { Cloud } from '../platform/systems/composeCloud.ts';
import type { Creatives } from './composeCreatives.ts';
import type { History } from '../platform/history/composeHistory.ts';
import type { OnAirServices } from './composeOnAir.ts';
import type { Tracking } from './composeTracking.ts';
import { composeTries } from '../platform/tries/composeTries.ts';
import { addressOf } from './listening.ts';
import { registerRead } from './metrics/readMetric.ts';
import { onAirView } from './onAirView.ts';
import type { Services } from './openServices.ts';
import { publicUrls } from './publicUrls.ts';
import type { SessionStores } from './sessionStores.ts';

/** Binds tokens to their purpose. */
const PREVIEW_OWNER = 'preview';

export type ServerParts = {
  readonly playlists: PlaylistStore;
  readonly sessions: SessionStore;
  readonly stores: Pick<SessionStores, 'confirmations' | 'breakViewers' | 'frozen'>;
  readonly viewers: Viewers;
  readonly decider: BreakDecider;
  readonly vod: VodPlayback;
  readonly creatives: Creatives;
  readonly onAir: OnAirServices;
  readonly alerts: Alerts;
  readonly cloud: Cloud;
  readonly tracking: Tracking;
  readonly history: History;
  readonly adServer: AdServer;
  readonly reader: AdResponseReader;
  readonly metrics: Registry;
  readonly readMetrics: ((own: Registry) => Promise<string>) | undefined;
  /** Empty if this process does not serve the console. */
  readonly consoleFiles: ConsoleFiles;
  /** The live port, if other processes listen on it. */
  readonly livePort: () => number | undefined;
  /** Why the process should not receive requests; undefined if it is ready. */
  readonly notReady: () => Promise<string | undefined>;
  /** What does not work although the process can serve requests. */
  readonly degraded: () => string | undefined;
};

export type Servers = {
  readonly admin: FastifyInstance;
  readonly live: Server;
  /** The URLs that the ports listen on. */
  readonly adminAddress: () => string;
  readonly liveAddress: () => string;
};

export function composeServers(services: Services, parts: ServerParts): Servers {
  const { config, log, warn, now, timers, sql, channels, systems, reports } = services;
  const { playlists, sessions, stores, viewers, decider, vod, creatives, onAir, cloud, tracking, history, notReady } =
    parts;
  const { confirmations } = stores;
  const { files, library } = creatives;
  const { cache, texts } = onAir;
  const proxies = createProxies(trustedProxies(config));
  const adminAddress = () => addressOf(admin.server, config, config.ADMIN_PORT);
  const liveAddress = () => addressOf(live, config, parts.livePort() ?? config.LIVE_PORT);
  const urls = publicUrls({ config, proxies, adminAddress, liveAddress, warn });
  const previewTokens = createPreviewTokens({
    seal: (text) => services.secretBox.seal(text, PREVIEW_OWNER),
    open: (sealed) => services.secretBox.open(sealed, PREVIEW_OWNER),
    now,
  });
  const playerDeps = {
    ...{ airings: cache, viewers, sessions, decider, vod, now, timers, proxies },
    liveUrl: (request: RequestSource) => urls.live(request),
    allowOpening: createOpeningLimits({
      perAddress: config.SESSIONS_PER_ADDRESS,
      perChannel: config.SESSIONS_PER_CHANNEL,
      ...{ now, log: warn },
    }),
    observe: reports.observe,
    isPreviewToken: previewTokens.accepts,
    onMissing: onAir.onMissing,
  };
  const counts = createRequestCounts();
  const tracing = services.tracer === undefined ? {} : { tracer: services.tracer };
  registerRead(parts.metrics, counts.metrics);
  const live = createLiveServer({
    ...playerDeps,
    recordDelivery: tracking.recordDelivery,
    mediaUrl: cloud.media.urlOf,
    loadMedia: files.load,
    late: tracking.late,
    openSegment: (id, number, rung, name) =>
      isTextName(rung) ? texts.openSegment(id, number, rung, name) : files.openSegment(id, String(number), rung, name),
    feeds: createFeeds({ ...playerDeps, confirmations }),
    notReady,
    degraded: parts.degraded,
    counts,
    ...tracing,
    onUnavailable: ({ part, message }, requestId) =>
      warn('live requests are answered with 503', { reason: part, requestId, example: message }),
    onError: (error, requestId, path) => log.error({ err: error, requestId, path }, 'live request failed'),
  });
  const frames = createSourceFrames(onAir.origin, creatives.ffmpeg, join(config.DATA_DIR, 'frames'));
  const admin = createAdminServer({
    ...{ playlists, channels, systems, now, log, version, notReady },
    degraded: parts.degraded,
    ...tracing,
    metrics: parts.metrics,
    ...(parts.readMetrics && { readMetrics: parts.readMetrics }),
    systemState: async (system) => (await cloud.stateOf(system)) ?? reports.storeFor.stateOf(system),
    keys: sqlApiKeys(sql),
    deleted: sqlDeletedRecords(sql),
    consoleSessions: sqlConsoleSessions(sql, services.secretBox),
    ...composeSignIn(services),
    requestWindows: sqlRequestWindows(sql),
    audit: sqlAudit(sql),
    idempotency: sqlIdempotency(sql, services.secretBox),
    clientOf: proxies.clientOf,
    beacons: tracking.beacons,
    alerts: parts.alerts.routes,
    onAir: onAirView(
      services,
      onAir,
      { sessions, deliveries: tracking.deliveries, confirmations, past: history.traces },
      history.search,
      onAir.originHealth,
    ),
    reportStore: reports.storeFor,
    creatives: createCreativeAdmin({
      jobs: creatives.jobs,
      mediaStore: files,
      thumbnails: createThumbnails(files, creatives.ffmpeg),
      channels,
      laddersOf(channel) {
        const { airing, live } = cache.find(channel) ?? {};
        if (live !== undefined) return live.media.map(({ ladder }) => ladder);
        return airing === undefined ? onAir.titles.laddersOf(channel).slice(0, 1) : [airing.ladder];
      },
      readVast: (vast, channelId) => previewAdRequest(vast, channelId, parts.adServer, parts.reader, { now, timers }),
      now,
      onEnqueued: creatives.wake,
      onChanged: library.forget,
    }),
    baseUrl: (request) => urls.admin(request),
    liveUrl: (request) => urls.liveForAdmin(request),
    checkSource: onAir.checkSource,
    sourceFrame: async (tenant, url, seconds) => {
      const asset = await onAir.knownAsset(tenant, url);
      return asset === undefined ? 'unknown' : frames.frameAt(asset, seconds);
    },
    analyseSources: onAir.analyseSources,
    liveBreaksOf: onAir.liveBreaksOf,
    originEventsOf: onAir.originEventsOf,
    breakDesk: onAir.breakDesk,
    blackoutAssetOf: onAir.blackoutAssetOf,
    scheduledBreaksOf: onAir.scheduledBreaksOf,
    breakViewers: stores.breakViewers,
    previewTokens,
    adTries: composeTries(services, {
      ...{ creatives, onAir, sessions, reader: parts.reader, past: history.breaks },
      frozen: stores.frozen,
    }),
    consoleFiles: parts.consoleFiles,
    rateLimit: config.ADMIN_RATE_LIMIT,
  });
  const limits = connectionLimits({ config, proxies, now, warn });
  limitConnections(admin.server, limits);
  limitConnections(live, limits);
  return { admin, live, adminAddress, liveAddress };
}

// The connection limits of both ports, and the log line when one is exceeded.

type LimitsDeps = {
  readonly config: Pick<Config, 'CONNECTIONS_PER_ADDRESS' | 'HEADER_TIMEOUT' | 'IDLE_TIMEOUT'>;
  readonly proxies: Proxies;
  readonly now: () => Millis;
  readonly warn: (message: string, facts: Record<string, unknown>) => void;
};

/** An attacker must not be able to fill the log. */
const LOG_INTERVAL_MS = 60_000;

function connectionLimits({ config, proxies, now, warn }: LimitsDeps): ConnectionLimits {
  let refused = 0;
  let loggedAt = Number.NEGATIVE_INFINITY;
  return {
    headerTimeout: config.HEADER_TIMEOUT * 1000,
    idleTimeout: config.IDLE_TIMEOUT * 1000,
    perAddress: config.CONNECTIONS_PER_ADDRESS,
    isExempt: proxies.isTrusted,
    onRefused(address) {
      refused += 1;
      if (now() - loggedAt < LOG_INTERVAL_MS) return;
      warn('connections refused: CONNECTIONS_PER_ADDRESS exceeded', { address, refused });
      refused = 0;
      loggedAt = now();
    },
  };
}

// Signing in to the console with the OpenID Connect provider of the settings. The provider is first contacted by a sign-in, so
// the process starts without it.

/** Binds what the browser keeps to its purpose. */
const OWNER = 'sign-in';

type Parts = Pick<Services, 'config' | 'sql' | 'secretBox' | 'systems' | 'now' | 'warn'>;

function composeSignIn({ config, sql, secretBox, systems, now, warn }: Parts): { readonly signIn?: SignIn } {
  const { OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET, OIDC_TENANT_CLAIM } = config;
  const roleMap = readRoleMap(config.OIDC_ROLE_MAP ?? '');
  // readConfig has rejected settings with which this is the case.
  if (OIDC_ISSUER === undefined || OIDC_CLIENT_ID === undefined || typeof roleMap === 'string') return {};
  const tenants = sqlTenants(sql, systems);
  const scopes = config.OIDC_SCOPES.split(/[ ,]+/).join(' ');
  const provider = createOpenIdProvider(
    {
      ...{ issuer: OIDC_ISSUER, clientId: OIDC_CLIENT_ID, scopes },
      ...(OIDC_CLIENT_SECRET === undefined ? {} : { clientSecret: OIDC_CLIENT_SECRET }),
    },
    { now, warn },
  );
  return {
    signIn: {
      provider,
      name: config.OIDC_NAME ?? 'SSO',
      rules: {
        ...{ roleClaims: roleClaims(config), roleMap, emailClaim: config.OIDC_EMAIL_CLAIM },
        tenant: config.OIDC_TENANT ?? config.BOOTSTRAP_TENANT,
        ...(OIDC_TENANT_CLAIM === undefined ? {} : { tenantClaim: OIDC_TENANT_CLAIM }),
      },
      limits: { lifetime: config.CONSOLE_SESSION_HOURS * 3_600_000, idle: config.CONSOLE_IDLE_MINUTES * 60_000 },
      hasTenant: async (name) => (await tenants.find(name)) !== undefined,
      seal: (text) => secretBox.seal(text, OWNER),
      open: (sealed) => secretBox.open(sealed, OWNER),
    },
  };
}
