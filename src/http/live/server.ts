// The live port: a dozen routes on node:http, told apart by hand, because this is the path that every viewer is on every
// few seconds. It knows no rule of playing or deciding.
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { AppError } from '../../errors.ts';
import type { EnabledChannel } from '../../playback/onAir/airing.ts';
import type { Session } from '../../sessions/session.ts';
import { CONNECTION_CHECK_MS } from '../limitConnections.ts';
import { dropStalled } from './dropStalled.ts';
import { type Asked, openMultivariant, openView, sendMedia, sendMpd } from './player.ts';
import { reply, replyError, replyJson, replyPreflight } from './reply.ts';
import { sendTracked, type TrackedDeps } from './tracked.ts';

/** Media that Midroll made: ads, slate, and text of content. */
export type SegmentSource = (
  mediaId: string,
  frames: number,
  rungId: string,
  name: string,
) => Promise<{ bytes: Uint8Array; contentType: string; isPassing?: boolean } | undefined>;

/** What a session's ads are, for the player: src/tracking/feed/feed.ts. */
export type FeedRoutes = {
  tracking(sessionId: string, asked: Asked): Promise<void>;
  confirm(sessionId: string, asked: Asked): Promise<void>;
  vast(
    format: Session['format'],
    channelId: string,
    sessionId: string,
    adId: string | undefined,
    asked: Asked,
  ): Promise<void>;
};

export type LiveDeps = TrackedDeps & {
  readonly openSegment: SegmentSource;
  readonly feeds: FeedRoutes;
  /** Why requests should go elsewhere just now. */
  readonly notReady: () => Promise<string | undefined>;
  /** A bug: logged with the request's id, never shown. */
  readonly onError: (error: unknown, requestId: string, path: string) => void;
};

const noQuery = new URLSearchParams();
const notFound = (path: string) => new AppError('NOT_FOUND', `There is nothing at ${path}.`);

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new AppError('MALFORMED', `The path has a broken percent-encoding: ${part}`);
  }
}

function partsOf(path: string): string[] {
  const parts = path.slice(1).split('/');
  return path.includes('%') ? parts.map(decoded) : parts;
}

async function sendSegment(deps: LiveDeps, parts: readonly string[], path: string, { request, response }: Asked) {
  const [, id, frames, rung, name] = parts as [string, string, string, string, string];
  const segment = /^\d{1,7}$/.test(frames) ? await deps.openSegment(id, Number(frames), rung, name) : undefined;
  if (segment === undefined) throw notFound(path);
  reply(request, response, 200, segment.contentType, segment.bytes, segment.isPassing ? 'moment' : 'always');
}

const withoutEnding = (name: string, ending: string): string | undefined =>
  name.endsWith(ending) ? name.slice(0, -ending.length) : undefined;

function routeSession(deps: LiveDeps, parts: readonly string[], path: string, asked: Asked): void | Promise<void> {
  const [format, channelId, sessionId, name, ad] = parts as ['hls' | 'dash', string, string, string, string?];
  if (ad !== undefined) {
    const adId = withoutEnding(ad, '.xml');
    if (name === 'vast' && adId) return deps.feeds.vast(format, channelId, sessionId, adId, asked);
  } else if (format === 'hls') {
    const rung = withoutEnding(name, '.m3u8');
    if (rung) return sendMedia(deps, channelId, sessionId, rung, asked);
    if (name === 'vast.xml') return deps.feeds.vast(format, channelId, sessionId, undefined, asked);
  } else if (name === 'vast') return deps.feeds.vast(format, channelId, sessionId, undefined, asked);
  throw notFound(path);
}

function routeFormat(deps: LiveDeps, parts: readonly string[], path: string, asked: Asked): void | Promise<void> {
  const [format, first, second] = parts as ['hls' | 'dash', string, string];
  if (parts.length === 8) return sendTracked(deps, parts, path, asked);
  if (parts.length > 5 || parts.length < 3) throw notFound(path);
  if (parts.length > 3) return routeSession(deps, parts, path, asked);
  if (first === 'view') return openView(deps, second, asked, format);
  if (format === 'hls' && second === 'master.m3u8') return openMultivariant(deps, first, asked);
  const sessionId = withoutEnding(second, '.mpd');
  if (format === 'dash' && sessionId) return sendMpd(deps, first, sessionId, asked);
  throw notFound(path);
}

function route(deps: LiveDeps, path: string, asked: Asked): void | Promise<void> {
  const { request, response } = asked;
  const parts = partsOf(path);
  const [room] = parts;
  if (room === 'hls' || room === 'dash') return routeFormat(deps, parts, path, asked);
  if (room === 'm' && parts.length === 5) return sendSegment(deps, parts, path, asked);
  if (room === 'tracking' && parts.length === 2) return deps.feeds.tracking(parts[1]!, asked);
  if (room === 'tracking' && parts.length === 3 && parts[2] === 'confirmations') {
    return deps.feeds.confirm(parts[1]!, asked);
  }
  if (path === '/time') return reply(request, response, 200, 'text/plain', new Date(deps.now()).toISOString(), 'never');
  if (path === '/health') return replyJson(request, response, 200, { status: 'ok' });
  if (path === '/ready') {
    return deps.notReady().then((reason) => {
      if (reason === undefined) replyJson(request, response, 200, { status: 'ok' });
      else replyJson(request, response, 503, { status: 'unavailable', reason });
    });
  }
  throw notFound(path);
}

const isReading = (request: IncomingMessage, path: string): boolean =>
  request.method === 'GET' || request.method === 'HEAD' || (request.method === 'POST' && path.startsWith('/tracking/'));

/** A refused request names no more than an id: it is counted for a channel where there is only one that it can mean. */
const onlyTenant = (named: readonly EnabledChannel[]): string | undefined =>
  named.length === 1 ? named[0]!.channel.tenant : undefined;

/** A request is over. Only what is of a channel that there is counts: anybody may ask for any name. */
function noteServed({ observe, airings }: LiveDeps, asked: Asked, isError: boolean): void {
  const { manifest, startedAt } = asked;
  if (observe === undefined || manifest === undefined) return;
  const { channelId, format, tenant = onlyTenant(airings.named(channelId)) } = manifest;
  if (tenant === undefined) return;
  observe.served({ tenant, id: channelId }, format, performance.now() - startedAt, isError);
}

function fail(deps: LiveDeps, path: string, asked: Asked, error: unknown): void {
  const { request, response } = asked;
  const requestId = randomUUID();
  if (!(error instanceof AppError)) deps.onError(error, requestId, path);
  replyError(request, response, error, requestId);
  noteServed(deps, asked, true);
}

const refusals = new Set(['NOT_FOUND', 'UNAVAILABLE', 'FORBIDDEN']);
const isRefused = (error: unknown): boolean => error instanceof AppError && refusals.has(error.kind);

/** What another process has put on air or changed a moment ago is looked for once before a request is refused. */
async function tryAgain(deps: LiveDeps, path: string, asked: Asked, error: unknown): Promise<void> {
  if (!isRefused(error) || !(await deps.airings.refreshOnMiss())) throw error;
  await route(deps, path, asked);
  noteServed(deps, asked, false);
}

const recover = (deps: LiveDeps, path: string, asked: Asked, error: unknown): Promise<void> =>
  tryAgain(deps, path, asked, error).catch((last) => fail(deps, path, asked, last));

/** Path and query; some clients write the whole address there (RFC 9112 §3.2.2). */
function targetOf({ url = '/' }: IncomingMessage): string {
  return url.startsWith('/') ? url : url.replace(/^https?:\/\/[^/?#]*\/?/i, '/');
}

function answer(deps: LiveDeps, request: IncomingMessage, response: ServerResponse): void {
  const url = targetOf(request);
  const at = url.indexOf('?');
  const path = at < 0 ? url : url.slice(0, at);
  const query = at < 0 ? noQuery : new URLSearchParams(url.slice(at + 1));
  const asked: Asked = { request, response, query, startedAt: performance.now() };
  try {
    if (request.method === 'OPTIONS') {
      replyPreflight(response);
      return;
    }
    if (!isReading(request, path)) {
      response.setHeader('allow', 'GET, HEAD, OPTIONS');
      throw new AppError('METHOD_NOT_ALLOWED', `${path} is read with GET, not ${request.method}.`);
    }
    const pending = route(deps, path, asked);
    if (pending === undefined) noteServed(deps, asked, false);
    else {
      const noted = () => noteServed(deps, asked, false);
      pending.then(noted, (error) => recover(deps, path, asked, error));
    }
  } catch (error) {
    void recover(deps, path, asked, error);
  }
}

/** Not listening yet. */
export function createLiveServer(deps: LiveDeps): Server {
  const server = createServer({ connectionsCheckingInterval: CONNECTION_CHECK_MS }, (request, response) =>
    answer(deps, request, response),
  );
  server.keepAliveTimeout = 65_000;
  server.requestTimeout = 30_000;
  dropStalled(server);
  return server;
}
