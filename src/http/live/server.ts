// The live port: a dozen routes on node:http. Every player sends a request every few seconds, so routing is written by hand
// and avoids promises where it can.
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { AppError } from '../../errors.ts';
import type { EnabledChannel } from '../../playback/onAir/airing.ts';
import type { Session } from '../../sessions/session.ts';
import { CONNECTION_CHECK_MS } from '../limitConnections.ts';
import { dropStalled } from './dropStalled.ts';
import { openMultivariant, openView, type PlayerRequest, sendMedia, sendMpd } from './player.ts';
import { reply, replyError, replyJson, replyPreflight, unknownPath } from './reply.ts';
import { createSegmentRedirect, type SegmentRedirectDeps } from './segmentRedirect.ts';

/** Media that Midroll serves itself: conditioned creatives, slate, and text of content. */
export type SegmentSource = (
  mediaId: string,
  frames: number,
  rungId: string,
  name: string,
) => Promise<{ bytes: Uint8Array; contentType: string; isIncomplete?: boolean } | undefined>;

/** Implemented in feeds.ts. */
export type FeedRoutes = {
  tracking(sessionId: string, incoming: PlayerRequest): Promise<void>;
  confirm(sessionId: string, incoming: PlayerRequest): Promise<void>;
  vast(
    format: Session['format'],
    channelId: string,
    sessionId: string,
    adId: string | undefined,
    incoming: PlayerRequest,
  ): Promise<void>;
};

export type LiveDeps = SegmentRedirectDeps & {
  readonly openSegment: SegmentSource;
  readonly feeds: FeedRoutes;
  /** Why the process should not receive requests; undefined if it is ready. */
  readonly notReady: () => Promise<string | undefined>;
  /** Receives errors other than AppErrors, to be logged with the id of the request. */
  readonly onError: (error: unknown, requestId: string, path: string) => void;
};

type RouteDeps = LiveDeps & { readonly redirectSegment: ReturnType<typeof createSegmentRedirect> };

const noQuery = new URLSearchParams();

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch (error) {
    throw new AppError('MALFORMED', `Invalid percent-encoding in the path: ${part}`, { cause: error });
  }
}

function partsOf(path: string): string[] {
  const parts = path.slice(1).split('/');
  return path.includes('%') ? parts.map(decoded) : parts;
}

async function sendSegment(
  deps: RouteDeps,
  parts: readonly string[],
  path: string,
  { request, response }: PlayerRequest,
) {
  const [, id, frames, rung, name] = parts as [string, string, string, string, string];
  const segment = /^\d{1,7}$/.test(frames) ? await deps.openSegment(id, Number(frames), rung, name) : undefined;
  if (segment === undefined) throw unknownPath(path);
  reply(request, response, 200, segment.contentType, segment.bytes, segment.isIncomplete ? 'moment' : 'always');
}

const withoutSuffix = (name: string, suffix: string): string | undefined =>
  name.endsWith(suffix) ? name.slice(0, -suffix.length) : undefined;

function routeSession(
  deps: RouteDeps,
  parts: readonly string[],
  path: string,
  incoming: PlayerRequest,
): void | Promise<void> {
  const [format, channelId, sessionId, name, ad] = parts as ['hls' | 'dash', string, string, string, string?];
  if (ad !== undefined) {
    const adId = withoutSuffix(ad, '.xml');
    if (name === 'vast' && adId) return deps.feeds.vast(format, channelId, sessionId, adId, incoming);
  } else if (format === 'hls') {
    const rung = withoutSuffix(name, '.m3u8');
    if (rung) return sendMedia(deps, channelId, sessionId, rung, incoming);
    if (name === 'vast.xml') return deps.feeds.vast(format, channelId, sessionId, undefined, incoming);
  } else if (name === 'vast') return deps.feeds.vast(format, channelId, sessionId, undefined, incoming);
  throw unknownPath(path);
}

function routeFormat(
  deps: RouteDeps,
  parts: readonly string[],
  path: string,
  incoming: PlayerRequest,
): void | Promise<void> {
  const [format, first, second] = parts as ['hls' | 'dash', string, string];
  if (parts.length === 8) return deps.redirectSegment(parts, path, incoming);
  if (parts.length > 5 || parts.length < 3) throw unknownPath(path);
  if (parts.length > 3) return routeSession(deps, parts, path, incoming);
  if (first === 'view') return openView(deps, second, incoming, format);
  if (format === 'hls' && second === 'master.m3u8') return openMultivariant(deps, first, incoming);
  const sessionId = withoutSuffix(second, '.mpd');
  if (format === 'dash' && sessionId) return sendMpd(deps, first, sessionId, incoming);
  throw unknownPath(path);
}

function route(deps: RouteDeps, path: string, incoming: PlayerRequest): void | Promise<void> {
  const { request, response } = incoming;
  const parts = partsOf(path);
  const [prefix] = parts;
  if (prefix === 'hls' || prefix === 'dash') return routeFormat(deps, parts, path, incoming);
  if (prefix === 'm' && parts.length === 5) return sendSegment(deps, parts, path, incoming);
  if (prefix === 'tracking' && parts.length === 2) return deps.feeds.tracking(parts[1]!, incoming);
  if (prefix === 'tracking' && parts.length === 3 && parts[2] === 'confirmations') {
    return deps.feeds.confirm(parts[1]!, incoming);
  }
  if (path === '/time') return reply(request, response, 200, 'text/plain', new Date(deps.now()).toISOString(), 'never');
  if (path === '/health') return replyJson(request, response, 200, { status: 'ok' });
  if (path === '/ready') {
    return deps.notReady().then((reason) => {
      if (reason === undefined) replyJson(request, response, 200, { status: 'ok' });
      else replyJson(request, response, 503, { status: 'unavailable', reason });
    });
  }
  throw unknownPath(path);
}

const isMethodAllowed = (request: IncomingMessage, path: string): boolean =>
  request.method === 'GET' || request.method === 'HEAD' || (request.method === 'POST' && path.startsWith('/tracking/'));

/** A rejected request contains only a channel id. It is counted if this identifies one channel. */
const onlyTenant = (named: readonly EnabledChannel[]): string | undefined =>
  named.length === 1 ? named[0]!.channel.tenant : undefined;

/** Requests of unknown channels are not counted: their names are arbitrary. */
function reportServed({ observe, airings }: RouteDeps, incoming: PlayerRequest, isError: boolean): void {
  const { manifest, startedAt } = incoming;
  if (observe === undefined || manifest === undefined) return;
  const { channelId, format, tenant = onlyTenant(airings.named(channelId)) } = manifest;
  if (tenant === undefined) return;
  observe.served({ tenant, id: channelId }, format, performance.now() - startedAt, isError);
}

function fail(deps: RouteDeps, path: string, incoming: PlayerRequest, error: unknown): void {
  const { request, response } = incoming;
  const requestId = randomUUID();
  // AppErrors are not logged here: during an outage every request can fail with one, and /ready logs the outage.
  if (!(error instanceof AppError)) deps.onError(error, requestId, path);
  replyError(request, response, error, requestId);
  reportServed(deps, incoming, true);
}

const outdatedKinds = new Set(['NOT_FOUND', 'UNAVAILABLE', 'FORBIDDEN']);
const canBeOutdated = (error: unknown): boolean => error instanceof AppError && outdatedKinds.has(error.kind);

/** Before rejecting a request, looks once for channels that another process has changed a moment ago. */
async function retryWithFreshChannels(
  deps: RouteDeps,
  path: string,
  incoming: PlayerRequest,
  error: unknown,
): Promise<void> {
  if (!canBeOutdated(error) || !(await deps.airings.refreshOnMiss())) throw error;
  await route(deps, path, incoming);
  reportServed(deps, incoming, false);
}

const recover = (deps: RouteDeps, path: string, incoming: PlayerRequest, error: unknown): Promise<void> =>
  retryWithFreshChannels(deps, path, incoming, error).catch((last) => fail(deps, path, incoming, last));

/** Path and query. Clients can also send an absolute URL (RFC 9112 §3.2.2). */
function targetOf({ url = '/' }: IncomingMessage): string {
  return url.startsWith('/') ? url : url.replace(/^https?:\/\/[^/?#]*\/?/i, '/');
}

function handle(deps: RouteDeps, request: IncomingMessage, response: ServerResponse): void {
  const url = targetOf(request);
  const at = url.indexOf('?');
  const path = at < 0 ? url : url.slice(0, at);
  const query = at < 0 ? noQuery : new URLSearchParams(url.slice(at + 1));
  const incoming: PlayerRequest = { request, response, query, startedAt: performance.now() };
  try {
    if (request.method === 'OPTIONS') {
      replyPreflight(response);
      return;
    }
    if (!isMethodAllowed(request, path)) {
      response.setHeader('allow', 'GET, HEAD, OPTIONS');
      throw new AppError('METHOD_NOT_ALLOWED', `Method ${request.method} not allowed. Use GET.`);
    }
    const pending = route(deps, path, incoming);
    if (pending === undefined) reportServed(deps, incoming, false);
    else {
      const onServed = () => reportServed(deps, incoming, false);
      pending.then(onServed, (error) => recover(deps, path, incoming, error));
    }
  } catch (error) {
    void recover(deps, path, incoming, error);
  }
}

/** Longer than the usual interval between two requests of a player. */
const KEEP_ALIVE_MS = 65_000;
/** For the whole request, including its body. */
const REQUEST_TIMEOUT_MS = 30_000;

/** The server is not listening yet. */
export function createLiveServer(liveDeps: LiveDeps): Server {
  const deps: RouteDeps = { ...liveDeps, redirectSegment: createSegmentRedirect(liveDeps) };
  const server = createServer({ connectionsCheckingInterval: CONNECTION_CHECK_MS }, (request, response) =>
    handle(deps, request, response),
  );
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  server.requestTimeout = REQUEST_TIMEOUT_MS;
  dropStalled(server);
  return server;
}
