// SPDX-License-Identifier: Apache-2.0
// The server of the live port: a dozen routes on node:http.
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { AppError } from '../../errors.ts';
import type { EnabledChannel } from '../../playback/onAir/airing.ts';
import { CONNECTION_CHECK_MS } from '../limitConnections.ts';
import { sendClientError } from '../sendClientError.ts';
import { dropStalled } from './dropStalled.ts';
import type { PlayerRequest } from './playerRequest.ts';
import { replyError, replyPreflight } from './reply.ts';
import { type LiveDeps, type RouteDeps, route } from './routes.ts';
import { createSegmentRedirect } from './segmentRedirect.ts';

const noQuery = new URLSearchParams();

const takesPost = /^\/(?:tracking|ad-aggregation-service)\//;

const isMethodAllowed = (request: IncomingMessage, path: string): boolean =>
  request.method === 'GET' || request.method === 'HEAD' || (request.method === 'POST' && takesPost.test(path));

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

/** For the whole request, including its body. */
const REQUEST_TIMEOUT_MS = 30_000;

/** The server is not listening yet. */
export function createLiveServer(liveDeps: LiveDeps): Server {
  const deps: RouteDeps = { ...liveDeps, redirectSegment: createSegmentRedirect(liveDeps) };
  const server = createServer({ connectionsCheckingInterval: CONNECTION_CHECK_MS }, (request, response) =>
    handle(deps, request, response),
  );
  server.requestTimeout = REQUEST_TIMEOUT_MS;
  server.on('clientError', sendClientError);
  dropStalled(server);
  return server;
}
