// SPDX-License-Identifier: Apache-2.0
// The routes of the live port. Every player sends a request every few seconds, so routing is written by hand and avoids
// promises where it can.
import { AppError } from '../../errors.ts';
import type { DecideBy } from '../../playback/view/view.ts';
import type { Tracer } from '../../tracing/tracer.ts';
import type { Distributors } from './distributors/distribution.ts';
import {
  sendDistributorMedia,
  sendDistributorMpd,
  sendDistributorMultivariant,
  sendGuide,
} from './distributors/distributorRoutes.ts';
import type { FeedRoutes } from './feeds.ts';
import type { GuidedBreaks } from './guided/breakRoutes.ts';
import {
  sendChannelMedia,
  sendChannelMpd,
  sendChannelMultivariant,
  sendGuidedMedia,
  sendGuidedMpd,
} from './guided/channelRoutes.ts';
import { isDialect, type LiveOperation, MEDIA_ROUTE, MPD_ROUTE, operationAt, routeClassOf } from './liveOperation.ts';
import { sendMedia, sendMpd, sendMpdPatch } from './manifests/manifestRoutes.ts';
import type { RequestCounts } from './measure/requestCounts.ts';
import { openFeed } from './openFeed.ts';
import { openMultivariant, openView } from './openingRoutes.ts';
import type { PlayerRequest } from './playerRequest.ts';
import { reply, replyJson, unknownPath } from './reply.ts';
import type { createSegmentRedirect, SegmentRedirectDeps } from './segmentRedirect.ts';

/** Media that Midroll serves itself: conditioned creatives, slate, and text of content. */
type SegmentSource = (
  mediaId: string,
  frames: number,
  rungId: string,
  name: string,
) => Promise<{ bytes: Uint8Array; contentType: string; isIncomplete?: boolean } | undefined>;

export type LiveDeps = SegmentRedirectDeps & {
  readonly decideBy: DecideBy;
  readonly openSegment: SegmentSource;
  readonly feeds: FeedRoutes;
  readonly distributors: Distributors;
  /** Why the process should not receive requests; undefined if it is ready. */
  readonly notReady: () => Promise<string | undefined>;
  /** What does not work although the process can serve viewers; undefined if everything works. */
  readonly degraded?: () => string | undefined;
  /** Receives errors other than AppErrors, to be logged with the id of the request. */
  readonly onError: (error: unknown, requestId: string, path: string) => void;
  /** Receives the errors of 503s: there can be one for every request. */
  readonly onUnavailable?: (error: AppError, requestId: string) => void;
  readonly counts?: RequestCounts;
  readonly tracer?: Tracer;
  /** Whether plain GETs are answered on their sockets; by default they are. */
  readonly isFast?: boolean;
};

export type RouteDeps = LiveDeps & {
  readonly redirectSegment: ReturnType<typeof createSegmentRedirect>;
  readonly guidedBreaks: GuidedBreaks;
};

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

const withoutSuffix = (name: string, suffix: string): string => name.slice(0, -suffix.length);

type Handler = (deps: RouteDeps, parts: Parts, incoming: PlayerRequest, path: string) => void | Promise<void>;
/** The type that `operationAt` has ensured for the parts of a path, of which an operation uses those that it has. */
type Parts = readonly ['hls' | 'dash', string, string, string, string, string];

const sendSegment: Handler = async (deps, parts, { request, response }, path) => {
  const [, id, frames, rung, name] = parts;
  const segment = /^\d{1,7}$/.test(frames) ? await deps.openSegment(id, Number(frames), rung, name) : undefined;
  if (segment === undefined) throw unknownPath(path);
  const cache = segment.isIncomplete ? 'moment' : 'always';
  reply(request, response, { type: segment.contentType, body: segment.bytes, cache });
};

const handlers: Readonly<Record<LiveOperation, Handler>> = {
  view: (deps, [format, , channelId], incoming) => openView(deps, channelId, incoming, format),
  multivariant: (deps, [, channelId], incoming) => openMultivariant(deps, channelId, incoming),
  media: (deps, [, channelId, sessionId, name], incoming) =>
    sendMedia(deps, channelId, sessionId, withoutSuffix(name, '.m3u8'), incoming),
  mpd: (deps, [, channelId, name], incoming) => sendMpd(deps, channelId, withoutSuffix(name, '.mpd'), incoming),
  mpdPatch: (deps, [, channelId, sessionId], incoming) => sendMpdPatch(deps, channelId, sessionId, incoming),
  channelMultivariant: (deps, [, channelId], incoming) => sendChannelMultivariant(deps, channelId, incoming),
  channelMedia: (deps, [, channelId, dialect, name], incoming) =>
    sendChannelMedia(deps, channelId, dialect === 'guided', withoutSuffix(name, '.m3u8'), incoming),
  channelMpd: (deps, [, channelId], incoming) => sendChannelMpd(deps, channelId, incoming),
  distributorMultivariant: (deps, [, channelId, , key], incoming) =>
    sendDistributorMultivariant(deps, { channelId, key }, incoming),
  distributorMedia: (deps, [, channelId, , key, name], incoming) =>
    sendDistributorMedia(deps, { channelId, key }, withoutSuffix(name, '.m3u8'), incoming),
  distributorMpd: (deps, [, channelId, , key], incoming) => sendDistributorMpd(deps, { channelId, key }, incoming),
  xmltvGuide: (deps, [, channelId, key], incoming) => sendGuide(deps, { channelId, key }, 'xmltv', incoming),
  jsonGuide: (deps, [, channelId, key], incoming) => sendGuide(deps, { channelId, key }, 'json', incoming),
  guidedMedia: (deps, [, channelId, sessionId, , name], incoming) =>
    sendGuidedMedia(deps, { channelId, sessionId }, withoutSuffix(name, '.m3u8'), incoming),
  guidedMpd: (deps, [, channelId], incoming) => sendGuidedMpd(deps, channelId, incoming),
  assetList: (deps, [, channelId, sessionId, , name], incoming) =>
    deps.guidedBreaks.assetList({ channelId, sessionId }, withoutSuffix(name, '.json'), incoming),
  listMpd: (deps, [, channelId, , name], incoming) =>
    deps.guidedBreaks.listMpd(channelId, withoutSuffix(name, '.mpd'), incoming),
  clipMultivariant: (deps, [, channelId, sessionId, , name], incoming) =>
    deps.guidedBreaks.clipMultivariant({ channelId, sessionId }, withoutSuffix(name, '.m3u8'), incoming),
  clipMedia: (deps, [, channelId, sessionId, , asset, name], incoming) =>
    deps.guidedBreaks.clipMedia({ channelId, sessionId }, asset, withoutSuffix(name, '.m3u8'), incoming),
  clipMpd: (deps, [, channelId, sessionId, , name], incoming) =>
    deps.guidedBreaks.clipMpd({ channelId, sessionId }, withoutSuffix(name, '.mpd'), incoming),
  vast: (deps, parts, incoming) => deps.feeds.vast(parts, undefined, incoming),
  adVast: (deps, parts, incoming) => deps.feeds.vast(parts, withoutSuffix(parts[4], '.xml'), incoming),
  adSegment: (deps, parts, incoming, path) => deps.redirectSegment(parts, path, incoming),
  segment: sendSegment,
  feed: (deps, [, , , channelId], incoming) => openFeed(deps, channelId, incoming),
  tracking: (deps, [, sessionId], incoming) => deps.feeds.tracking(sessionId, incoming),
  confirmations: (deps, [, sessionId], incoming) => deps.feeds.confirm(sessionId, incoming),
  time: ({ now }, _parts, { request, response }) =>
    reply(request, response, { type: 'text/plain', body: new Date(now()).toISOString(), cache: 'never' }),
  health: (_deps, _parts, { request, response }) => replyJson(request, response, 200, { status: 'ok' }),
  async ready({ notReady, degraded, counts }, _parts, { request, response }) {
    const reason = await notReady();
    if (reason === undefined) replyJson(request, response, 200, { status: 'ok', degraded: degraded?.() });
    else {
      counts?.unavailable('process');
      replyJson(request, response, 503, { status: 'unavailable', reason });
    }
  },
};

/** Almost all requests are for manifests of sessions, so their paths are read without an array. @returns undefined for others */
function sendManifest(deps: RouteDeps, path: string, incoming: PlayerRequest): void | Promise<void> | 'other' {
  const isHls = path.startsWith('/hls/') && path.endsWith('.m3u8');
  if ((!isHls && !(path.startsWith('/dash/') && path.endsWith('.mpd'))) || path.includes('%')) return 'other';
  const begin = isHls ? 5 : 6;
  const session = path.indexOf('/', begin) + 1;
  const name = isHls && session > 0 ? path.indexOf('/', session) + 1 : session;
  const end = path.length - (isHls ? 5 : 4);
  if (name === 0 || end <= name || path.indexOf('/', name) >= 0) return 'other';
  const channelId = path.slice(begin, session - 1);
  const sessionId = isHls ? path.slice(session, name - 1) : path.slice(name, end);
  if (channelId === 'view' || isDialect(sessionId)) return 'other';
  incoming.routeClass = isHls ? MEDIA_ROUTE : MPD_ROUTE;
  if (isHls) return sendMedia(deps, channelId, sessionId, path.slice(name, end), incoming);
  return sendMpd(deps, channelId, sessionId, incoming);
}

/** @throws {AppError} NOT_FOUND for an unknown path */
export function route(deps: RouteDeps, path: string, incoming: PlayerRequest): void | Promise<void> {
  const sent = sendManifest(deps, path, incoming);
  if (sent !== 'other') return sent;
  const parts = partsOf(path);
  const operation = operationAt(parts);
  if (operation === undefined) throw unknownPath(path);
  incoming.routeClass = routeClassOf(operation, parts[0]);
  return handlers[operation](deps, parts as unknown as Parts, incoming, path);
}
