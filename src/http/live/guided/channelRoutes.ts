// SPDX-License-Identifier: Apache-2.0
// The channel's own view, without a viewer, and the playlists of guided viewers: the same bytes at the same URL for everyone, so that
// any cache can hold them (docs/guided.md).

import { LRUCache } from 'lru-cache';
import { freshOdometer } from '../../../ads/placement/decision.ts';
import { memo } from '../../../cache/memo.ts';
import type { Channel } from '../../../channels/channel.ts';
import { ANNEX_I } from '../../../dash/write/alternatives.ts';
import { type PeriodFrame, writePeriods } from '../../../dash/write/periods.ts';
import { aroundOf, baseUrlText, mpdAround } from '../../../dash/write/writeMpd.ts';
import { AppError } from '../../../errors.ts';
import { interstitialOf, prerollInterstitial, writeGuidedMedia } from '../../../hls/interstitials.ts';
import { SESSION_VARIABLE, writeMedia } from '../../../hls/writeMedia.ts';
import { writeMultivariant } from '../../../hls/writeMultivariant.ts';
import { guidedBreaks, prerollOf } from '../../../playback/guided/guidedBreaks.ts';
import type { Airing, EnabledChannel } from '../../../playback/onAir/airing.ts';
import { type ChannelView, channelView, channelWindow, guidedView } from '../../../playback/view/channelView.ts';
import { airingOf, checkFormat, sessionNotFound } from '../../../playback/viewings.ts';
import type { Session } from '../../../sessions/session.ts';
import { millis } from '../../../time/units.ts';
import type { Title } from '../../../vod/title.ts';
import { utf8Bytes } from '../../../xml/write.ts';
import { clockUrlOf, rungAt } from '../manifests/manifestRoutes.ts';
import { frameOf } from '../manifests/manifestTexts.ts';
import { MARKERS_PARAMETER, type MarkersOut, markersAt, requestedMarkers } from '../manifests/markersOut.ts';
import { requestedTitle } from '../openFeed.ts';
import { authorizedChannel, sharedQuery } from '../openingRequest.ts';
import { manifestOf, type PlayerDeps, type PlayerRequest, sessionIn } from '../playerRequest.ts';
import { MPD, MPEGURL } from '../reply.ts';
import { replyShared, type SharedText, sharedTextOf } from '../response/replyShared.ts';
import { filmMedia, filmMpd, guidedFilmMedia, guidedFilmMpd, hasPlan } from './filmTexts.ts';

/** Seconds. A player that reads a playlist every target duration sees it grow by then (law 4). */
export const maxAgeOf = ({ ladder: { targetDuration } }: Airing): number => Math.max(1, Math.floor(targetDuration / 2));

type Kept = Pick<ChannelView, 'from' | 'to' | 'spans'> & { readonly clockUrl: string; readonly shared: SharedText };

/** Texts of rungs, of few dialects and slates. */
const MAX_TEXTS = 1000;
const limits = { maxSize: MAX_TEXTS, sizeCalculation: () => 1 };

/** The last texts of an airing, by name: requests of one step share them. */
const lastTexts = memo((_: Airing) => new LRUCache<string, Kept>(limits));

/** @param name one of few. @param clockUrl of MPDs */
export function textOfView(name: string, view: ChannelView, write: () => string, clockUrl = ''): SharedText {
  const texts = lastTexts(view.airing);
  const last = texts.get(name);
  const { from, to, spans } = view;
  const isSame = last?.from === from && last.to === to && last.spans === spans && last.clockUrl === clockUrl;
  if (isSame) return last.shared;
  const shared = sharedTextOf(write());
  texts.set(name, { from, to, spans, clockUrl, shared });
  return shared;
}

/** What a channel shows without a viewer: what is on air, or a title. */
type Shown = { readonly channel: Channel } & (
  | { readonly kind: 'onAir'; readonly airing: Airing }
  | { readonly kind: 'film'; readonly title: Title }
);

/** @throws {AppError} KEY_MISSING, NOT_FOUND, FORBIDDEN, UNAVAILABLE, CONFLICT */
async function shownFor(
  deps: PlayerDeps,
  channelId: string,
  incoming: PlayerRequest,
  format: Session['format'],
): Promise<Shown> {
  incoming.manifest = manifestOf(channelId, format);
  const enabled = authorizedChannel(deps, channelId, incoming, { isShared: true });
  const { channel } = enabled;
  if (channel.type === 'vod') {
    const title = await requestedTitle(deps, channel, incoming.query.get('content') ?? undefined);
    checkFormat(title, format);
    return { kind: 'film', channel, title };
  }
  const airing = await airingShown(enabled, format);
  return { kind: 'onAir', channel: airing.channel, airing };
}

/** What is on air, in a format. @throws {AppError} UNAVAILABLE, CONFLICT */
export async function airingShown(enabled: EnabledChannel, format: Session['format']): Promise<Airing> {
  const { live } = enabled;
  await live?.catchUp();
  const life = live?.lifeFor(format);
  if (life !== undefined) await live?.use(life);
  const airing = airingOf(enabled, format);
  checkFormat(airing, format);
  return airing;
}

const unshifted = ({ ladder }: Airing) => freshOdometer(ladder.rungs.length);

/** A media playlist of the channel's own view. @param markers of its breaks; undefined for none */
export function channelMediaText(view: ChannelView, rung: number, markers: MarkersOut | undefined): string {
  const { airing } = view;
  const frame = { ...frameOf(airing), markers: markersAt(airing, view, markers) };
  return writeMedia(channelWindow(view), rung, unshifted(airing), frame);
}

/** The same for guided viewers. */
export function guidedMediaText(view: ChannelView, rung: number): string {
  const { airing } = view;
  // Relative, so that the playlist is the same on every host.
  const listOf = (breakId: string) => `../{$${SESSION_VARIABLE}}/breaks/${breakId}.json`;
  const preroll = prerollOf(airing);
  const listed = [
    ...(preroll === undefined ? [] : [prerollInterstitial(preroll, airing.programme.startedAt, listOf(preroll.id))]),
    ...guidedBreaks(view).map((span) => interstitialOf(span, listOf(span.break.id), view.to)),
  ];
  return writeGuidedMedia(channelWindow(view), rung, listed, unshifted(airing), airing.ladder);
}

/**
 * GET /hls/:channelId/channel/:rung.m3u8 and /hls/:channelId/guided/:rung.m3u8
 * @param isGuided whether breaks are listed as interstitials, for players that insert ads
 */
export async function sendChannelMedia(
  deps: PlayerDeps,
  channelId: string,
  isGuided: boolean,
  rungId: string,
  incoming: PlayerRequest,
): Promise<void> {
  const shown = await shownFor(deps, channelId, incoming, 'hls');
  if (shown.kind === 'film') {
    const { title } = shown;
    if (isGuided)
      throw new AppError('NOT_FOUND', 'A VoD channel has guided playlists of its sessions. Open a session.');
    return replyShared(incoming, MPEGURL, filmMedia(title, rungAt(title.ladder, rungId, 'channel')), TITLE_MAX_AGE);
  }
  const { airing } = shown;
  const rung = rungAt(airing.ladder, rungId, 'channel');
  const view = (isGuided ? guidedView : channelView)(airing, deps.now());
  const markers = isGuided ? undefined : requestedMarkers(airing.channel, incoming.query);
  const text = textOfView(`${isGuided} ${markers?.dialect} ${rungId}`, view, () =>
    isGuided ? guidedMediaText(view, rung) : channelMediaText(view, rung, markers),
  );
  replyShared(incoming, MPEGURL, text, maxAgeOf(airing));
}

/** GET /hls/:channelId/channel.m3u8 */
export async function sendChannelMultivariant(
  deps: PlayerDeps,
  channelId: string,
  incoming: PlayerRequest,
): Promise<void> {
  const shown = await shownFor(deps, channelId, incoming, 'hls');
  const isFilm = shown.kind === 'film';
  const { declared } = isFilm ? shown.title : shown.airing;
  // An invalid value is refused here, and not with each media playlist.
  requestedMarkers(shown.channel, incoming.query);
  const name = isFilm ? 'content' : MARKERS_PARAMETER;
  const value = incoming.query.get(name);
  const passedOn = value === null ? '' : `&${name}=${encodeURIComponent(value)}`;
  const text = writeMultivariant(declared, 'channel/', { query: sharedQuery(shown.channel) + passedOn });
  replyShared(incoming, MPEGURL, sharedTextOf(utf8Bytes(text)), isFilm ? TITLE_MAX_AGE : maxAgeOf(shown.airing));
}

/** The MPD names the time of its publication: that of its live edge, so that it is the same for all requests of it, on every node. */
function mpdText(
  view: ChannelView,
  clockUrl: string,
  { base = 'channel/', ...own }: Pick<PeriodFrame, 'breaksUrl' | 'hasMarkers'> & { readonly base?: string },
): string {
  const { airing, to, depth } = view;
  const { lag } = airing.programme;
  const frame = {
    ...frameOf(airing),
    ...own,
    clockOffset: lag,
    now: millis(to + lag),
    depth,
    clockUrl,
    baseUrl: baseUrlText(base),
  };
  const { text } = writePeriods(channelWindow(view).rows, frame);
  return mpdAround(own.breaksUrl === undefined ? text : `${text}\n${ANNEX_I}`, aroundOf(frame), frame);
}

/** The MPD of the channel's own view. @param markers as in `channelMediaText` @param base its BaseURL, if it has another place */
export const channelMpdText = (
  view: ChannelView,
  clockUrl: string,
  markers: MarkersOut | undefined,
  base?: string,
): string => mpdText(view, clockUrl, { hasMarkers: markers !== undefined, ...(base && { base }) });

/** The same for guided viewers. @param breaksUrl as in `alternativesStream` */
export const guidedMpdText = (view: ChannelView, clockUrl: string, breaksUrl: string): string =>
  mpdText(view, clockUrl, { breaksUrl, hasMarkers: false });

function replyMpd(
  deps: PlayerDeps,
  airing: Airing,
  isGuided: boolean,
  incoming: PlayerRequest,
  scope: 'public' | 'private' = 'public',
): void {
  const clockUrl = clockUrlOf(deps.liveUrl(incoming.request));
  const view = channelView(airing, deps.now());
  const markers = isGuided ? undefined : requestedMarkers(airing.channel, incoming.query);
  const write = () =>
    isGuided
      ? guidedMpdText(view, clockUrl, breaksUrlOf(deps, airing.channel, incoming))
      : channelMpdText(view, clockUrl, markers);
  const text = textOfView(`${isGuided} ${markers !== undefined} mpd`, view, write, clockUrl);
  replyShared(incoming, MPD, text, maxAgeOf(airing), scope);
}

/** GET /dash/:channelId/channel.mpd */
export async function sendChannelMpd(deps: PlayerDeps, channelId: string, incoming: PlayerRequest): Promise<void> {
  const shown = await shownFor(deps, channelId, incoming, 'dash');
  if (shown.kind === 'film') replyShared(incoming, MPD, filmMpd(shown.title), TITLE_MAX_AGE);
  else replyMpd(deps, shown.airing, false, incoming);
}

async function sessionOf(deps: PlayerDeps, { channelId, sessionId }: SessionPlace, incoming: PlayerRequest) {
  const { viewings, viewers, now } = deps;
  const viewing = (await viewings.find(channelId, sessionId, now())) ?? (await viewings.reject(channelId, sessionId));
  if (incoming.manifest !== undefined) incoming.manifest.channel = viewing.channel;
  await viewers.watch(viewing.viewer, now());
  return viewing;
}

type SessionPlace = { readonly channelId: string; readonly sessionId: string };

/** GET /hls/:channelId/:sessionId/guided/:rung.m3u8, of a VoD channel */
export async function sendGuidedMedia(
  deps: PlayerDeps,
  place: SessionPlace,
  rungId: string,
  incoming: PlayerRequest,
): Promise<void> {
  incoming.manifest = manifestOf(place.channelId, 'hls');
  const viewing = await sessionOf(deps, place, incoming);
  if (viewing.kind !== 'film' || !hasPlan(viewing.viewer)) throw sessionNotFound(place.sessionId);
  const rung = rungAt(viewing.viewer.title.ladder, rungId, 'session');
  replyShared(incoming, MPEGURL, guidedFilmMedia(viewing.viewer, rung), FILM_MAX_AGE, 'private');
}

/** Seconds. The playlist of a VoD channel can be edited. */
const TITLE_MAX_AGE = 60;
/**
 * Seconds. The manifests of a session of a film never change. They are `private`: where a cache leaves `sid` out of its key, all films of
 * a channel have one URL.
 */
const FILM_MAX_AGE = 3600;

/**
 * GET /dash/:channelId/guided.mpd. The bytes do not depend on `sid`, which players pass on when they request a break. With the key of the
 * channel, no session is read; a session of a VoD channel has what it plays.
 */
export async function sendGuidedMpd(deps: PlayerDeps, channelId: string, incoming: PlayerRequest): Promise<void> {
  if (incoming.query.has('api-key')) {
    const shown = await shownFor(deps, channelId, incoming, 'dash');
    if (shown.kind === 'onAir') return replyMpd(deps, shown.airing, true, incoming);
  }
  incoming.manifest = manifestOf(channelId, 'dash');
  const place = { channelId, sessionId: sessionIn(incoming) };
  const viewing = await sessionOf(deps, place, incoming);
  // Without the key, the session is what allows it.
  if (viewing.kind !== 'film') return replyMpd(deps, viewing.airing, true, incoming, 'private');
  checkFormat(viewing.viewer.title, 'dash');
  if (!hasPlan(viewing.viewer)) throw sessionNotFound(place.sessionId);
  const text = guidedFilmMpd(viewing.viewer, breaksUrlOf(deps, viewing.channel, incoming));
  replyShared(incoming, MPD, text, FILM_MAX_AGE, 'private');
}

/** Where the List MPDs of a channel's breaks are, without the session. */
const breaksUrlOf = ({ liveUrl }: PlayerDeps, { id }: Channel, { request }: PlayerRequest): string =>
  `${liveUrl(request)}/dash/${encodeURIComponent(id)}/breaks/`;
