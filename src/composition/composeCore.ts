// SPDX-License-Identifier: Apache-2.0
// Composes the streaming core: what imports content, puts channels on air, decides breaks, serves players and tracks deliveries.
// The core imports nothing from the platform; what reports, systems and the audit log add is passed in.
import { createHttpAdServer } from '../adapters/http/httpAdServer.ts';
import { probeFolder } from '../adapters/media/mediaSweep.ts';
import { sqlPlaylists } from '../adapters/sql/channels/sqlPlaylists.ts';
import { createAdResponseReader } from '../adapters/vast/adResponseReader.ts';
import type { AdServer, ClientCertificates } from '../ads/request/ports.ts';
import type { Channel } from '../channels/channel.ts';
import type { FindAdSources } from '../channels/ports.ts';
import { trustedProxies } from '../config.ts';
import { type ConnectionLimits, limitConnections } from '../http/limitConnections.ts';
import type { Distributors } from '../http/live/distributors/distribution.ts';
import { createFeeds } from '../http/live/feeds.ts';
import { createRequestCounts } from '../http/live/measure/requestCounts.ts';
import { createOpeningLimits } from '../http/live/openingLimits.ts';
import { createLiveServer } from '../http/live/server.ts';
import { createProxies, type Proxies } from '../http/proxies.ts';
import { checkListed } from '../ingest/condition/listed/checkListed.ts';
import { isTextName } from '../ingest/text/textSource.ts';
import { createBlackoutMedia } from '../planning/live/blackoutMedia.ts';
import type { RecordAsRun } from '../planning/ports.ts';
import type { DeciderDeps } from '../playback/decide/decideBreak.ts';
import { createGuidedPresence } from '../playback/guided/guidedPresence.ts';
import { createPreviewTokens } from '../playback/view/previewTokens.ts';
import { frozenWithMedia, sessionsWithMedia } from '../playback/viewers/sessionsWithMedia.ts';
import { createSharedDecisions } from '../playback/viewers/sharedDecisions.ts';
import { monitoredSessions } from '../playback/viewers/storeHealth.ts';
import { createViewers, type Viewers } from '../playback/viewers/viewers.ts';
import { createViewings } from '../playback/viewings.ts';
import { viewerCounter } from '../sessions/sessionRules.ts';
import { type Tracer, traced } from '../tracing/tracer.ts';
import { composeCreatives } from './composeCreatives.ts';
import { composeOnAir } from './composeOnAir.ts';
import { composeTracking } from './composeTracking.ts';
import type { CoreEvents } from './coreEvents.ts';
import { composeDecisions } from './decisions/composeDecisions.ts';
import { composeDemand } from './decisions/composeDemand.ts';
import { observeServing, registerRead } from './metrics/observeServing.ts';
import { type Runtime, type Services, sharesStore } from './openServices.ts';
import { openSessionStores } from './openSessionStores.ts';
import { publicUrls } from './publicUrls.ts';
import { checkClock, createLowDisk, createReadiness } from './readiness.ts';

/** What this process serves: both ports, or, with WORKERS, one process the administrative port and the others the live port. */
export type Duties = {
  readonly admin: boolean;
  readonly live: boolean;
};

export type Phase = 'starting' | 'up' | 'draining' | 'shutting down';

type CoreHooks = {
  readonly events: CoreEvents;
  /** The URL of an ad segment that players find elsewhere. */
  readonly mediaUrl: (channel: Channel, path: string) => Promise<string | undefined> | undefined;
  /** Called with each decision that was stored. */
  readonly onDecided: NonNullable<DeciderDeps['onDecided']>;
  readonly recordAsRun: RecordAsRun;
  readonly findAdSources: FindAdSources;
  readonly certificates: ClientCertificates;
  readonly distributors: Pick<Distributors, 'find' | 'guide'>;
  /** The addresses that the ports listen on. */
  readonly adminAddress: () => string;
  readonly liveAddress: () => string;
  readonly phase: () => Phase;
};

const MAX_CACHED_VIEWERS = 200_000;
/** Binds tokens to their purpose. */
const PREVIEW_OWNER = 'preview';

export type Core = Awaited<ReturnType<typeof composeCore>>;

export async function composeCore(services: Services, duties: Duties, runtime: Runtime, hooks: CoreHooks) {
  const { config, log, metrics, warn, now, timers, sql, guard, secretBox } = services;
  const { events } = hooks;
  const certificates = hooks.certificates.find;
  const playlists = sqlPlaylists(sql);
  const { stores, health, apart } = await openSessionStores(services);
  // With WORKERS, creatives are conditioned in the administrative process, so that viewers do not wait for it.
  const makes = config.ROLE === 'all' && duties.admin;
  const creatives = await composeCreatives({ ...services, listeners: events.creatives }, makes, true);
  const { files, library } = creatives;
  const shared = createSharedDecisions({
    store: sessionsWithMedia(monitoredSessions(stores.sessions, health), files.load),
    now,
    timers,
    isShared: sharesStore(services),
    viewers: () => viewers,
  });
  const { sessions } = shared;
  const onAir = composeOnAir(services, playlists, creatives, viewerCounter(sessions, now), hooks);
  const viewers: Viewers = createViewers(sessions, health, MAX_CACHED_VIEWERS, events.breakEnded);
  const adServer = tracedAdServer(createHttpAdServer(guard, { timers, now, certificates }), services.tracer);
  const reader = createAdResponseReader({ maxUrls: config.AD_MAX_TRACKING_URLS, timers });
  const tracking = composeTracking({
    ...services,
    sessions,
    hasStoreApart: apart !== undefined,
    inThread: runtime.hasThreads ?? false,
    onBeacon: events.beaconSent,
  });
  hooks.certificates.follow(tracking.present);
  const demands = composeDemand(services, {
    adServer,
    reader,
    rates: stores.sourceRates,
    findSources: hooks.findAdSources,
    events,
  });
  const decisions = composeDecisions(services, events, {
    sessions,
    viewers,
    health,
    onAir,
    demands,
    shownAds: stores.shownAds,
    certificates,
    frozen: frozenWithMedia(stores.frozen, files.load),
    library: checkListed(library, onAir.origin, files.markUsed),
    onDecided: hooks.onDecided,
  });
  const { vod } = decisions;
  observeServing(metrics, { onAir, viewers, library, presentations: decisions.presentations });

  const disk = createLowDisk(config.DATA_DIR);
  const clock = checkClock(services);
  const degraded = () =>
    [creatives.media.degraded(), disk.reason(), clock.reason()].filter(Boolean).join(' ') || undefined;
  const dependenciesFail = createReadiness(services, [
    { name: 'the database', run: () => sql.probe().then(() => undefined) },
    ...(apart === undefined ? [] : [{ name: 'the session store', run: () => apart.probe().then(() => undefined) }]),
    { name: 'DATA_DIR', run: () => probeFolder(config.DATA_DIR) },
    // Only processes that condition creatives need ffmpeg.
    ...(config.ROLE === 'all' ? [{ name: 'ffmpeg', run: creatives.ffmpeg.missing }] : []),
  ]);
  const notReady = async () => {
    const phase = hooks.phase();
    return phase === 'up' ? dependenciesFail() : `the process is ${phase}`;
  };

  const proxies = createProxies(trustedProxies(config));
  const { adminAddress, liveAddress } = hooks;
  const urls = publicUrls({ config, proxies, adminAddress, liveAddress, warn });
  const previewTokens = createPreviewTokens({
    seal: (text) => secretBox.seal(text, PREVIEW_OWNER),
    open: (sealed) => secretBox.open(sealed, PREVIEW_OWNER),
    now,
  });
  const { decider } = decisions;
  const playing = { airings: onAir.cache, viewers, sessions, decider, vod };
  const viewings = createViewings(playing);
  const presence = createGuidedPresence({
    sessions,
    watched: events.live.watched,
    ahead(session, at) {
      const channel = onAir.cache.find({ tenant: session.tenant, id: session.channelId })?.channel;
      if (channel?.type !== 'live' || (channel.prefetch ?? 'off') === 'off') return;
      Promise.resolve(viewings.find(channel.id, session.id, at))
        .then((found) => {
          if (found !== undefined && found.kind !== 'film') decider.prefetch?.(found.airing, found.viewer, at);
        })
        .catch((error: unknown) => warn('failed to request ads ahead', { sessionId: session.id, error }));
    },
  });
  const player = {
    ...playing,
    viewings,
    presence,
    now,
    timers,
    proxies,
    decideBy: decider.decideBy,
    liveUrl: urls.live,
    allowOpening: createOpeningLimits({
      perAddress: config.SESSIONS_PER_ADDRESS,
      perChannel: config.SESSIONS_PER_CHANNEL,
      now,
      log: warn,
    }),
    observe: events.live,
    isPreviewToken: previewTokens.accepts,
    onMissing: onAir.onMissing,
  };
  const ownSlates = createBlackoutMedia({ library, now, onReady: () => undefined });
  const counts = createRequestCounts();
  registerRead(metrics, counts.metrics);
  const live = createLiveServer({
    ...player,
    recordDelivery: tracking.recordDelivery,
    mediaUrl: hooks.mediaUrl,
    loadMedia: files.load,
    late: tracking.late,
    openSegment: (id, number, rung, name) =>
      isTextName(rung)
        ? onAir.texts.openSegment(id, number, rung, name)
        : files.openSegment(id, String(number), rung, name),
    feeds: createFeeds({ ...player, confirmations: stores.confirmations }),
    distributors: {
      ...hooks.distributors,
      slateOf: (assetUrl, { channel: { tenant, id: channelId }, life, ladder }) =>
        ownSlates.of({ assetUrl, tenant, channelId }, { life, ladder })?.id,
    },
    notReady,
    degraded,
    counts,
    ...(services.tracer && { tracer: services.tracer }),
    isFast: config.LIVE_FAST_PATH === 'on',
    onUnavailable: ({ part, message }, requestId) =>
      warn('live requests are answered with 503', { reason: part, requestId, example: message }),
    onError: (error, requestId, path) => log.error({ err: error, requestId, path }, 'live request failed'),
  });
  const limits = connectionLimits(services, proxies);
  limitConnections(live, limits);
  return {
    playlists,
    stores,
    health,
    apart,
    creatives,
    shared,
    sessions,
    onAir,
    viewers,
    adServer,
    demands,
    reader,
    tracking,
    decisions,
    disk,
    clock,
    degraded,
    dependenciesFail,
    notReady,
    proxies,
    urls,
    previewTokens,
    presence,
    live,
    limits,
  };
}

/** An attacker must not be able to fill the log. */
const LOG_INTERVAL_MS = 60_000;

/** The limits for connections to the live port and to the administrative port. */
function connectionLimits({ config, now, warn }: Services, proxies: Proxies): ConnectionLimits {
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

/** Makes each ad request a span: its host and its outcome, without paths and queries, which can contain secrets. */
function tracedAdServer(adServer: AdServer, tracer: Tracer | undefined): AdServer {
  if (tracer === undefined) return adServer;
  return {
    send(request, limits) {
      const host = URL.canParse(request.url) ? new URL(request.url).host : '';
      const attributes = { 'http.request.method': request.method, 'server.address': host };
      return traced(tracer, 'ad request', 'client', attributes, async (span) => {
        const response = await adServer.send(request, limits);
        if (response.status !== undefined) span?.set({ 'http.response.status_code': response.status });
        if (!response.ok) span?.set({ 'error.type': response.error });
        return response;
      });
    },
  };
}
