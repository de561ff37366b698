// SPDX-License-Identifier: Apache-2.0
// The server of the live port.
import { randomUUID } from 'node:crypto';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { ChannelRef } from '../../channels/channelKey.ts';
import { AppError } from '../../errors.ts';
import type { EnabledChannel } from '../../playback/onAir/airing.ts';
import type { Tracer } from '../../tracing/tracer.ts';
import { CONNECTION_CHECK_MS } from '../limitConnections.ts';
import type { LiveRequest, LiveResponse } from './exchange.ts';
import { LiveServer } from './fastPath/liveServer.ts';
import { createGuidedBreaks } from './guided/breakRoutes.ts';
import { PREFLIGHT_ROUTE, routeClassAt, shownPath, UNKNOWN_ROUTE } from './liveOperation.ts';
import type { PlayerRequest } from './playerRequest.ts';
import { replyError, replyPreflight } from './reply.ts';
import { type LiveDeps, type RouteDeps, route } from './routes.ts';
import { createSegmentRedirect } from './segmentRedirect.ts';

const noQuery = new URLSearchParams();

const takesPost = /^\/(?:tracking|ad-aggregation-service)\//;

const isMethodAllowed = (request: LiveRequest, path: string): boolean =>
  request.method === 'GET' || request.method === 'HEAD' || (request.method === 'POST' && takesPost.test(path));

/** A rejected request contains only a channel id. It is counted if this identifies one channel. */
const onlyChannel = ([first, second]: readonly EnabledChannel[]): ChannelRef | undefined =>
  second === undefined ? first?.channel : undefined;

function endSpan({ span, routeClass, response: { statusCode } }: PlayerRequest): void {
  const { route, format } = routeClassAt(routeClass);
  span?.set({ 'http.route': route, 'midroll.format': format, 'http.response.status_code': statusCode });
  span?.end(statusCode >= 500 ? `Status ${statusCode}` : undefined);
}

/** Requests of unknown channels are not counted: their names are arbitrary. */
function reportServed({ observe, airings, counts }: RouteDeps, incoming: PlayerRequest, isError: boolean): void {
  const { manifest, startedAt, routeClass, response } = incoming;
  const ms = performance.now() - startedAt;
  counts?.add(routeClass, response.statusCode, ms);
  if (incoming.span !== undefined) endSpan(incoming);
  if (observe === undefined || manifest === undefined) return;
  const { channelId, format, channel = onlyChannel(airings.named(channelId)) } = manifest;
  if (channel !== undefined) observe.served(channel, format, ms, isError);
}

function fail(deps: RouteDeps, path: string, incoming: PlayerRequest, error: unknown): void {
  const { request, response } = incoming;
  const requestId = randomUUID();
  // During an outage, every request can fail with an AppError.
  if (!(error instanceof AppError)) deps.onError(error, requestId, shownPath(path));
  else if (error.kind === 'UNAVAILABLE') {
    deps.counts?.unavailable(error.part);
    deps.onUnavailable?.(error, requestId);
  }
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
function targetOf({ url = '/' }: LiveRequest): string {
  return url.startsWith('/') ? url : url.replace(/^https?:\/\/[^/?#]*\/?/i, '/');
}

function handle(deps: RouteDeps, request: LiveRequest, response: LiveResponse): void {
  const url = targetOf(request);
  const at = url.indexOf('?');
  const path = at < 0 ? url : url.slice(0, at);
  const query = at < 0 ? noQuery : new URLSearchParams(url.slice(at + 1));
  const startedAt = performance.now();
  const incoming: PlayerRequest = { request, response, query, startedAt, routeClass: UNKNOWN_ROUTE };
  if (deps.tracer === undefined) serve(deps, path, incoming);
  else serveTraced(deps, deps.tracer, path, incoming);
}

function serveTraced(deps: RouteDeps, tracer: Tracer, path: string, incoming: PlayerRequest): void {
  // The header traceparent is ignored: with it, players could have all of their requests recorded.
  const facts = { 'http.request.method': incoming.request.method ?? '' };
  incoming.span = tracer.begin('live request', 'server', facts);
  incoming.span.run(() => serve(deps, path, incoming));
}

function serve(deps: RouteDeps, path: string, incoming: PlayerRequest): void {
  const { request, response } = incoming;
  try {
    if (request.method === 'OPTIONS') {
      replyPreflight(response);
      incoming.routeClass = PREFLIGHT_ROUTE;
      reportServed(deps, incoming, false);
      return;
    }
    if (!isMethodAllowed(request, path)) {
      response.setHeader('allow', 'GET, HEAD, OPTIONS');
      throw new AppError('METHOD_NOT_ALLOWED', `Method ${request.method} not allowed. Use GET.`);
    }
    const pending = route(deps, path, incoming);
    if (pending === undefined) reportServed(deps, incoming, false);
    else {
      if (incoming.manifest !== undefined) deps.counts?.waited(incoming.routeClass);
      const onServed = () => reportServed(deps, incoming, false);
      pending.then(onServed, (error) => recover(deps, path, incoming, error));
    }
  } catch (error) {
    void recover(deps, path, incoming, error);
  }
}

/** The limit for receiving a whole request, including its body. */
const REQUEST_TIMEOUT_MS = 30_000;

/** The server is not listening yet. */
export function createLiveServer(liveDeps: LiveDeps): Server {
  const deps: RouteDeps = {
    ...liveDeps,
    redirectSegment: createSegmentRedirect(liveDeps),
    guidedBreaks: createGuidedBreaks(liveDeps),
  };
  const server = new LiveServer(
    { connectionsCheckingInterval: CONNECTION_CHECK_MS },
    (request, response) => handle(deps, request, response),
    liveDeps.isFast ?? true,
  );
  server.requestTimeout = REQUEST_TIMEOUT_MS;
  dropStalled(server);
  return server;
}

// Disconnects players that stop reading, because a response stays in memory until it was sent. Only stalled connections get
// a timer: one for every connection would have to be reset with every request.

/** A connection with unsent data is dropped if the client has read nothing for this long. */
const STALL_TIMEOUT_MS = 90_000;

/** Connections are dropped after `timeoutMs` without progress, or up to a third later. */
export function dropStalled(server: Server, timeoutMs = STALL_TIMEOUT_MS): void {
  const open = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  const watchStalled = () => {
    for (const socket of open) {
      // The socket resets its timer whenever data is read; the server removes it with the next request.
      if (socket.writableLength > 0 && !socket.timeout) socket.setTimeout(timeoutMs);
    }
  };
  const timer = setInterval(watchStalled, timeoutMs / 3).unref();
  server.once('close', () => clearInterval(timer));
}
