// The routes that players use: opening a session, and the manifests of one.
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
import { STRETCH } from '../../reports/event.ts';
import type { SessionStore } from '../../sessions/ports.ts';
import type { Session } from '../../sessions/session.ts';
import type { Timers } from '../../time/clock.ts';
import type { Millis } from '../../time/units.ts';
import type { OpenedSession } from '../airContract.ts';
import type { Proxies, RequestSource } from '../proxies.ts';
import { viewerOf } from './address.ts';
import { airingOf, findWatching, noChannel, refuse, type Watching } from './findWatching.ts';
import type { LiveObserver } from './observer.ts';
import type { AllowOpening } from './openingLimits.ts';
import { openingParameters } from './openingParameters.ts';
import { reply, replyJson } from './reply.ts';
import { checkSignature } from './signedOpening.ts';

export type PlayerDeps = {
  readonly airings: Airings;
  readonly viewers: Viewers;
  readonly sessions: SessionStore;
  readonly decider: BreakDecider;
  readonly now: () => Millis;
  readonly timers: Timers;
  readonly proxies: Proxies;
  /** `{live_url}`, without a slash at the end: as configured, else as the request names it. */
  readonly liveUrl: (request: RequestSource) => string;
  /** Absent where sessions are opened without a limit. */
  readonly allowOpening?: AllowOpening;
  readonly observe?: LiveObserver;
  /** Called when a player requests a channel that is not on air yet. */
  readonly onMissing?: (channel: Channel) => void;
};

export type Asked = {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly query: URLSearchParams;
  /** Of performance.now. */
  readonly startedAt: number;
  /** Set for requests of manifests; `tenant` as soon as it is known whose channel of this id is meant. */
  manifest?: { readonly channelId: string; readonly format: Session['format']; tenant?: string };
};

const MPEGURL = 'application/vnd.apple.mpegurl';
const MPD = 'application/dash+xml';

/**
 * The channel that id and key name together. Nothing is said about a channel, nor whether it is on air, to those who do
 * not hold its key.
 */
function keyedChannel(
  { airings, onMissing }: PlayerDeps,
  channelId: string,
  { query, manifest }: Asked,
): EnabledChannel {
  const key = query.get('api-key');
  if (key === null) throw new AppError('KEY_MISSING', "The query parameter api-key, the channel's key, is missing.");
  const named = airings.named(channelId);
  if (named.length === 0) throw noChannel(channelId);
  const keyed = named.find(({ channel }) => channel.apiKey === key);
  if (keyed === undefined) throw new AppError('FORBIDDEN', 'Invalid API key.');
  if (manifest !== undefined) manifest.tenant = keyed.channel.tenant;
  if (keyed.airing === undefined) onMissing?.(keyed.channel);
  return keyed;
}

/** What the other view has and this one cannot show, or undefined. */
function unshowable({ ladder, signalling }: Airing, format: Session['format']): string | undefined {
  const isClear = signalling === undefined || signalling === 'both';
  if (!isClear && signalling !== format) {
    return `content whose encryption its source tells only in ${signalling === 'hls' ? 'HLS' : 'DASH'}`;
  }
  if (format === 'hls') return undefined;
  if (ladder.container === 'ts') return 'MPEG-TS';
  return ladder.layout === 'muxed' ? 'audio and video in one file' : undefined;
}

/** @throws {AppError} CONFLICT where the channel has no view in this format */
export function checkFormat(airing: Airing, format: Session['format']): void {
  const what = unshowable(airing, format);
  if (what === undefined) return;
  const [here, there] = format === 'dash' ? ['DASH', 'HLS'] : ['HLS', 'DASH'];
  throw new AppError(
    'CONFLICT',
    `This channel plays ${what}: its ${there} view has it, there is no ${here} view of it.`,
  );
}

async function open(deps: PlayerDeps, channelId: string, asked: Asked, format: Session['format']): Promise<Watching> {
  const keyed = keyedChannel(deps, channelId, asked);
  const now = deps.now();
  checkSignature(keyed.channel, asked.query, now);
  const airing = airingOf(keyed, channelId);
  checkFormat(airing, format);
  const wanted = asked.query.get('start');
  const start = wanted === null ? undefined : readStart(wanted, airing.channel.timeShiftWindow, now);
  if (typeof start === 'string') throw new AppError('VALIDATION_ERROR', start);
  const opening = { format, parameters: openingParameters(asked.query), viewer: viewerOf(asked.request, deps.proxies) };
  deps.allowOpening?.(opening.viewer.address, channelKey(airing.channel));
  const viewer = await openSession(airing, opening, start, deps.sessions, deps.viewers, now);
  deps.observe?.opened(viewer.session);
  beginUpcoming(airing, viewer, deps.decider, deps.now());
  return { viewer, airing };
}

/** Now when the value is there, later when it is promised: most requests wait for nothing, and none pays for it. */
const then = <Value>(
  value: Value | Promise<Value>,
  use: (value: Value) => void | Promise<void>,
): void | Promise<void> => (value instanceof Promise ? value.then(use) : use(value));

/** Once in each stretch that reports tell apart. */
function tellWatched({ observe }: PlayerDeps, viewer: Viewer, now: Millis): void {
  const stretch = Math.floor(now / STRETCH);
  if (observe === undefined || viewer.countedInterval === stretch) return;
  viewer.countedInterval = stretch;
  observe.watched(viewer.session, now);
}

function viewFor(
  deps: PlayerDeps,
  channelId: string,
  sessionId: string,
  { manifest }: Asked,
  use: (view: View) => void,
): void | Promise<void> {
  const now = deps.now();
  return then(findWatching(deps, channelId, sessionId, now), (found) => {
    if (found === undefined) return refuse(deps, channelId, sessionId);
    const { viewer, airing } = found;
    if (manifest !== undefined) manifest.tenant = airing.channel.tenant;
    return then(deps.viewers.watch(viewer, now), (isKept) => {
      if (!isKept) return refuse(deps, channelId, sessionId);
      tellWatched(deps, viewer, now);
      return then(viewAt(airing, viewer, deps.decider, now), use);
    });
  });
}

/** GET /dash/view/:channelId and /hls/view/:channelId */
export async function openView(deps: PlayerDeps, channelId: string, asked: Asked, format: Session['format']) {
  const { viewer } = await open(deps, channelId, asked, format);
  const { session } = viewer;
  const base = `${deps.liveUrl(asked.request)}/${format}/${encodeURIComponent(channelId)}`;
  const links: OpenedSession =
    format === 'dash'
      ? { mediaURL: `${base}/${session.id}.mpd`, vastURL: `${base}/${session.id}/vast` }
      : { mediaURL: `${base}/master.m3u8?sid=${session.id}`, vastURL: `${base}/${session.id}/vast.xml` };
  replyJson(asked.request, asked.response, 200, links);
}

/** GET /hls/:channelId/master.m3u8 */
export async function openMultivariant(deps: PlayerDeps, channelId: string, asked: Asked) {
  asked.manifest = { channelId, format: 'hls' };
  const sid = asked.query.get('sid');
  const { viewer, airing } = sid
    ? ((await findWatching(deps, channelId, sid, deps.now())) ?? (await refuse(deps, channelId, sid)))
    : await open(deps, channelId, asked, 'hls');
  asked.manifest.tenant = airing.channel.tenant;
  const startOffset = viewer.session.start === undefined ? undefined : 0;
  const text = writeMultivariant(airing.declared, `${viewer.session.id}/`, startOffset);
  reply(asked.request, asked.response, 200, MPEGURL, text, 'never');
}

/** GET /hls/:channelId/:sessionId/:rung.m3u8 */
export function sendMedia(deps: PlayerDeps, channelId: string, sessionId: string, rungId: string, asked: Asked) {
  asked.manifest = { channelId, format: 'hls' };
  return viewFor(deps, channelId, sessionId, asked, ({ window, airing, shift }) => {
    const rung = airing.ladder.rungs.findIndex(({ id }) => id === rungId);
    if (rung < 0) throw new AppError('NOT_FOUND', `The channel has no rung ${rungId}.`);
    reply(
      asked.request,
      asked.response,
      200,
      MPEGURL,
      writeMedia(window, rung, airing.ladder, shift, airing.channel.announceAds !== false),
      'never',
      'latin1',
    );
  });
}

/** GET /dash/:channelId/:sessionId.mpd */
export function sendMpd(deps: PlayerDeps, channelId: string, sessionId: string, asked: Asked) {
  asked.manifest = { channelId, format: 'dash' };
  return viewFor(deps, channelId, sessionId, asked, ({ window, airing, now, depth, viewer: { session } }) => {
    checkFormat(airing, 'dash');
    const { ladder, programme, channel } = airing;
    const clockUrl = `${deps.liveUrl(asked.request)}/time`;
    const announces = channel.announceAds !== false;
    // Below the MPD as media playlists lie below their session: what is relative is so to the same place.
    const baseUrl = `${encodeURIComponent(sessionId)}/`;
    // What a session began with stays: players read it once, and EXT-X-START says the same in HLS.
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
    reply(asked.request, asked.response, 200, MPD, text, 'never');
  });
}
