// SPDX-License-Identifier: Apache-2.0
// The routes of the live port. Every player sends a request every few seconds, so routing is written by hand and avoids
// promises where it can.
import { AppError } from '../../errors.ts';
import type { Session } from '../../sessions/session.ts';
import { sendMedia, sendMpd } from './manifestRoutes.ts';
import { openMultivariant, openView } from './openingRoutes.ts';
import type { PlayerRequest } from './playerRequest.ts';
import { reply, replyJson, unknownPath } from './reply.ts';
import type { createSegmentRedirect, SegmentRedirectDeps } from './segmentRedirect.ts';

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

export type RouteDeps = LiveDeps & { readonly redirectSegment: ReturnType<typeof createSegmentRedirect> };

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

/** @throws {AppError} NOT_FOUND for an unknown path */
export function route(deps: RouteDeps, path: string, incoming: PlayerRequest): void | Promise<void> {
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
