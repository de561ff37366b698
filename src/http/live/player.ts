// The routes of players: opening a session, and its manifests.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Channel } from '../../channels/channel.ts';
import { channelKey } from '../../channels/channelKey.ts';
import { writeMpd } from '../../dash/write/writeMpd.ts';
import { AppError } from '../../errors.ts';
import { writeMedia } from '../../hls/writeMedia.ts';
import { writeMultivariant } from '../../hls/writeMultivariant.ts';
import type { Airing, Airings, EnabledChannel } from '../../playback/onAir/airing.ts';
import { openSession, readStart } from '../../playback/view/openSession.ts';
import { type BreakDecider, beginUpcoming, type View, viewAt } from '../../playback/view/view.ts';
import type { Viewer, Viewers } from '../../playback/viewers/viewers.ts';
import { REPORT_INTERVAL_MS } from '../../reports/event.ts';
import type { SessionStore } from '../../sessions/ports.ts';
import type { Session } from '../../sessions/session.ts';
import type { Timers } from '../../time/clock.ts';
import type { Millis } from '../../time/units.ts';
import type { OpenedSession } from '../airContract.ts';
import type { Proxies, RequestSource } from '../proxies.ts';
import { airingOf, channelNotFound, type FoundViewer, findViewer, rejectSession } from './findViewer.ts';
import type { LiveObserver } from './observer.ts';
import type { AllowOpening } from './openingLimits.ts';
import { openingParameters } from './openingParameters.ts';
import { reply, replyJson } from './reply.ts';
import { checkSignature } from './signedOpening.ts';
import { viewerOf } from './viewerOf.ts';

export type PlayerDeps = {
  readonly airings: Airings;
  readonly viewers: Viewers;
  readonly sessions: SessionStore;
  readonly decider: BreakDecider;
  readonly now: () => Millis;
  readonly timers: Timers;
  readonly proxies: Proxies;
  /** The public URL of the live port without a trailing slash: as configured, or as in the request. */
  readonly liveUrl: (request: RequestSource) => string;
  /** No limit if absent. */
  readonly allowOpening?: AllowOpening;
  readonly observe?: LiveObserver;
  /** Called when a player requests a channel that is not on air yet. */
  readonly onMissing?: (channel: Channel) => void;
};

export type PlayerRequest = {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly query: URLSearchParams;
  /** Result of performance.now(). */
  readonly startedAt: number;
  /** Set for requests of manifests; `tenant` once the channel is identified. */
  manifest?: { readonly channelId: string; readonly format: Session['format']; tenant?: string };
};

const MPEGURL = 'application/vnd.apple.mpegurl';
const MPD = 'application/dash+xml';

/**
 * The channel with this id and key. Without the key, responses do not reveal whether the channel is on air.
 * @throws {AppError} KEY_MISSING, NOT_FOUND, FORBIDDEN
 */
function authorizedChannel(
  { airings, onMissing }: PlayerDeps,
  channelId: string,
  { query, manifest }: PlayerRequest,
): EnabledChannel {
  const key = query.get('api-key');
  if (key === null)
    throw new AppError('KEY_MISSING', 'Missing api-key query parameter. Add the apiKey of the channel.');
  const named = airings.named(channelId);
  if (named.length === 0) throw channelNotFound(channelId);
  const keyed = named.find(({ channel }) => channel.apiKey === key);
  if (keyed === undefined) throw new AppError('FORBIDDEN', 'Invalid API key.');
  if (manifest !== undefined) manifest.tenant = keyed.channel.tenant;
  if (keyed.airing === undefined) onMissing?.(keyed.channel);
  return keyed;
}

/** What the channel contains that the format cannot express; undefined if it can be shown. */
function unsupportedIn({ ladder, signalling }: Airing, format: Session['format']): string | undefined {
  const isClear = signalling === undefined || signalling === 'both';
  if (!isClear && signalling !== format) {
    return `encrypted content that is only signalled in ${signalling === 'hls' ? 'HLS' : 'DASH'}`;
  }
  if (format === 'hls') return undefined;
  if (ladder.container === 'ts') return 'MPEG-TS';
  return ladder.layout === 'muxed' ? 'audio and video in the same segments' : undefined;
}

/** @throws {AppError} CONFLICT if the channel cannot be played in this format */
export function checkFormat(airing: Airing, format: Session['format']): void {
  const feature = unsupportedIn(airing, format);
  if (feature === undefined) return;
  const [here, there] = format === 'dash' ? ['DASH', 'HLS'] : ['HLS', 'DASH'];
  throw new AppError(
    'CONFLICT',
    `This channel is not available in ${here}: it contains ${feature}. Use its ${there} playback URL.`,
  );
}

async function open(
  deps: PlayerDeps,
  channelId: string,
  incoming: PlayerRequest,
  format: Session['format'],
): Promise<FoundViewer> {
  const authorized = authorizedChannel(deps, channelId, incoming);
  const now = deps.now();
  checkSignature(authorized.channel, incoming.query, now);
  const airing = airingOf(authorized, channelId);
  checkFormat(airing, format);
  const startText = incoming.query.get('start');
  const start = startText === null ? undefined : readStart(startText, airing.channel.timeShiftWindow, now);
  if (typeof start === 'string') throw new AppError('VALIDATION_ERROR', start);
  const opening = {
    format,
    parameters: openingParameters(incoming.query),
    viewer: viewerOf(incoming.request, deps.proxies),
  };
  deps.allowOpening?.(opening.viewer.address, channelKey(airing.channel));
  const viewer = await openSession(airing, opening, start, deps.sessions, deps.viewers, now);
  deps.observe?.opened(viewer.session);
  beginUpcoming(airing, viewer, deps.decider, deps.now());
  return { viewer, airing };
}

/** Calls `use` synchronously unless the value is a promise: most requests need no promise, which makes them cheaper. */
const whenReady = <Value>(
  value: Value | Promise<Value>,
  use: (value: Value) => void | Promise<void>,
): void | Promise<void> => (value instanceof Promise ? value.then(use) : use(value));

/** Once per report interval and viewer. */
function reportWatching({ observe }: PlayerDeps, viewer: Viewer, now: Millis): void {
  const interval = Math.floor(now / REPORT_INTERVAL_MS);
  if (observe === undefined || viewer.countedInterval === interval) return;
  viewer.countedInterval = interval;
  observe.watched(viewer.session, now);
}

function viewFor(
  deps: PlayerDeps,
  channelId: string,
  sessionId: string,
  { manifest }: PlayerRequest,
  use: (view: View) => void,
): void | Promise<void> {
  const now = deps.now();
  return whenReady(findViewer(deps, channelId, sessionId, now), (found) => {
    if (found === undefined) return rejectSession(deps, channelId, sessionId);
    const { viewer, airing } = found;
    if (manifest !== undefined) manifest.tenant = airing.channel.tenant;
    return whenReady(deps.viewers.watch(viewer, now), (isKept) => {
      if (!isKept) return rejectSession(deps, channelId, sessionId);
      reportWatching(deps, viewer, now);
      return whenReady(viewAt(airing, viewer, deps.decider, now), use);
    });
  });
}

/** GET /dash/view/:channelId and /hls/view/:channelId */
export async function openView(
  deps: PlayerDeps,
  channelId: string,
  incoming: PlayerRequest,
  format: Session['format'],
) {
  const { viewer } = await open(deps, channelId, incoming, format);
  const { session } = viewer;
  const base = `${deps.liveUrl(incoming.request)}/${format}/${encodeURIComponent(channelId)}`;
  const links: OpenedSession =
    format === 'dash'
      ? { mediaURL: `${base}/${session.id}.mpd`, vastURL: `${base}/${session.id}/vast` }
      : { mediaURL: `${base}/master.m3u8?sid=${session.id}`, vastURL: `${base}/${session.id}/vast.xml` };
  replyJson(incoming.request, incoming.response, 200, links);
}

/** GET /hls/:channelId/master.m3u8 */
export async function openMultivariant(deps: PlayerDeps, channelId: string, incoming: PlayerRequest) {
  incoming.manifest = { channelId, format: 'hls' };
  const sid = incoming.query.get('sid');
  const { viewer, airing } = sid
    ? ((await findViewer(deps, channelId, sid, deps.now())) ?? (await rejectSession(deps, channelId, sid)))
    : await open(deps, channelId, incoming, 'hls');
  incoming.manifest.tenant = airing.channel.tenant;
  const startOffset = viewer.session.start === undefined ? undefined : 0;
  const text = writeMultivariant(airing.declared, `${viewer.session.id}/`, startOffset);
  reply(incoming.request, incoming.response, 200, MPEGURL, text, 'never');
}

/** GET /hls/:channelId/:sessionId/:rung.m3u8 */
export function sendMedia(
  deps: PlayerDeps,
  channelId: string,
  sessionId: string,
  rungId: string,
  incoming: PlayerRequest,
) {
  incoming.manifest = { channelId, format: 'hls' };
  return viewFor(deps, channelId, sessionId, incoming, ({ window, airing, shift }) => {
    const rung = airing.ladder.rungs.findIndex(({ id }) => id === rungId);
    if (rung < 0)
      throw new AppError(
        'NOT_FOUND',
        `Rung "${rungId}" not found in this channel. Open the multivariant playlist again.`,
      );
    reply(
      incoming.request,
      incoming.response,
      200,
      MPEGURL,
      writeMedia(window, rung, airing.ladder, shift, airing.channel.announceAds !== false),
      'never',
      'latin1',
    );
  });
}

/** GET /dash/:channelId/:sessionId.mpd */
export function sendMpd(deps: PlayerDeps, channelId: string, sessionId: string, incoming: PlayerRequest) {
  incoming.manifest = { channelId, format: 'dash' };
  return viewFor(deps, channelId, sessionId, incoming, ({ window, airing, now, depth, viewer: { session } }) => {
    checkFormat(airing, 'dash');
    const { ladder, programme, channel } = airing;
    const clockUrl = `${deps.liveUrl(incoming.request)}/time`;
    const announces = channel.announceAds !== false;
    // Relative to the session, like media playlists: both formats list the same relative URLs.
    const baseUrl = `${encodeURIComponent(sessionId)}/`;
    // Constant for a session: players read it once, and EXT-X-START has the same value in HLS.
    const startDelay = session.openedAt - (session.start ?? session.openedAt);
    const frame = {
      ladder,
      availabilityStart: programme.startedAt,
      now,
      depth,
      startDelay,
      clockUrl,
      announces,
      baseUrl,
    };
    const text = writeMpd(window, frame);
    reply(incoming.request, incoming.response, 200, MPD, text, 'never');
  });
}
