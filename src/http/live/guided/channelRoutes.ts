// SPDX-License-Identifier: Apache-2.0
// The channel's own view, without a viewer, and the playlists of guided viewers: the same bytes at the same URL for everyone, so that
// any cache can hold them (docs/guided.md).

import { freshOdometer } from '../../../ads/placement/decision.ts';
import { memo } from '../../../cache/memo.ts';
import type { BreakUrl } from '../../../dash/write/alternatives.ts';
import { writePeriods } from '../../../dash/write/periods.ts';
import { aroundOf, baseUrlText, mpdAround } from '../../../dash/write/writeMpd.ts';
import { interstitialOf, writeGuidedMedia } from '../../../hls/interstitials.ts';
import { SESSION_VARIABLE, writeMedia } from '../../../hls/writeMedia.ts';
import { writeMultivariant } from '../../../hls/writeMultivariant.ts';
import { guidedBreaks } from '../../../playback/guided/guidedBreaks.ts';
import type { Airing } from '../../../playback/onAir/airing.ts';
import { type ChannelView, channelView, channelWindow } from '../../../playback/view/channelView.ts';
import { airingOf, checkFormat, sessionNotFound } from '../../../playback/viewings.ts';
import type { Session } from '../../../sessions/session.ts';
import { millis } from '../../../time/units.ts';
import { clockUrlOf, rungAt } from '../manifests/manifestRoutes.ts';
import { authorizedChannel, sharedQuery } from '../openingRequest.ts';
import { manifestOf, type PlayerDeps, type PlayerRequest, sessionIn } from '../playerRequest.ts';
import { MPD, MPEGURL } from '../reply.ts';
import { replyShared } from '../response/replyShared.ts';
import { guidedFilmMedia, guidedFilmMpd, hasPlan } from './filmTexts.ts';

/** Seconds. A player that reads a playlist every target duration sees it grow by then (law 4). */
const maxAgeOf = ({ ladder: { targetDuration } }: Airing): number => Math.max(1, Math.floor(targetDuration / 2));

type Kept = Pick<ChannelView, 'from' | 'to' | 'spans'> & { readonly text: string };

/** The last texts of an airing, by name: requests of one step share them. */
const lastTexts = memo((_: Airing) => new Map<string, Kept>());

/** More than a channel has playlists. MPDs contain the host that a request names, which may be any. */
const MAX_NAMES = 200;

function sharedText(airing: Airing, name: string, view: ChannelView, write: () => string): string {
  const texts = lastTexts(airing);
  const last = texts.get(name);
  const { from, to, spans } = view;
  if (last !== undefined && last.from === from && last.to === to && last.spans === spans) return last.text;
  const text = write();
  if (last === undefined && texts.size >= MAX_NAMES) texts.clear();
  texts.set(name, { from, to, spans, text });
  return text;
}

/** @returns what the channel plays in a format now @throws {AppError} KEY_MISSING, NOT_FOUND, FORBIDDEN, UNAVAILABLE, CONFLICT */
async function airingFor(
  deps: PlayerDeps,
  channelId: string,
  incoming: PlayerRequest,
  format: Session['format'],
): Promise<Airing> {
  incoming.manifest = manifestOf(channelId, format);
  const enabled = authorizedChannel(deps, channelId, incoming, { isShared: true });
  const { live } = enabled;
  await live?.catchUp();
  const life = live?.lifeFor(format);
  if (life !== undefined) await live?.use(life);
  const airing = airingOf(enabled, format);
  checkFormat(airing, format);
  return airing;
}

const announces = ({ channel }: Airing): boolean => channel.announceAds !== false;

export function mediaText(view: ChannelView, rung: number, isGuided: boolean): string {
  const { airing } = view;
  const window = channelWindow(view);
  const shift = freshOdometer(airing.ladder.rungs.length);
  if (!isGuided) return writeMedia(window, rung, shift, { ladder: airing.ladder, announces: announces(airing) });
  // Relative, so that the playlist is the same on every host.
  const listed = guidedBreaks(view).map((span) =>
    interstitialOf(span, `../{$${SESSION_VARIABLE}}/breaks/${span.break.id}.json`, view.to),
  );
  return writeGuidedMedia(window, rung, listed, shift, airing.ladder);
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
  const airing = await airingFor(deps, channelId, incoming, 'hls');
  const rung = rungAt(airing.ladder, rungId, 'channel');
  const view = channelView(airing, deps.now());
  const text = sharedText(airing, `${isGuided} ${rungId}`, view, () => mediaText(view, rung, isGuided));
  replyShared(incoming, MPEGURL, text, maxAgeOf(airing));
}

/** GET /hls/:channelId/channel.m3u8 */
export async function sendChannelMultivariant(
  deps: PlayerDeps,
  channelId: string,
  incoming: PlayerRequest,
): Promise<void> {
  const airing = await airingFor(deps, channelId, incoming, 'hls');
  const text = writeMultivariant(airing.declared, 'channel/', { query: sharedQuery(airing.channel) });
  replyShared(incoming, MPEGURL, text, maxAgeOf(airing));
}

/** The MPD names the time of its publication: that of its live edge, so that it is the same for all requests of it, on every node. */
export function mpdText(view: ChannelView, breakUrl: BreakUrl | undefined, clockUrl: string): string {
  const { airing, to, depth } = view;
  const { ladder, programme } = airing;
  const frame = {
    ladder,
    availabilityStart: programme.startedAt,
    announces: breakUrl ?? announces(airing),
    clockOffset: programme.lag,
    now: millis(to + programme.lag),
    depth,
    clockUrl,
    baseUrl: baseUrlText('channel/'),
  };
  return mpdAround(writePeriods(channelWindow(view).rows, frame).text, aroundOf(frame), frame);
}

function replyMpd(deps: PlayerDeps, airing: Airing, isGuided: boolean, incoming: PlayerRequest): void {
  const clockUrl = clockUrlOf(deps.liveUrl(incoming.request));
  const view = channelView(airing, deps.now());
  const breakUrl = isGuided ? breakUrlOf(deps, airing.channel.id, incoming) : undefined;
  const text = sharedText(airing, `${isGuided} ${clockUrl}`, view, () => mpdText(view, breakUrl, clockUrl));
  replyShared(incoming, MPD, text, maxAgeOf(airing));
}

/** GET /dash/:channelId/channel.mpd */
export const sendChannelMpd = async (deps: PlayerDeps, channelId: string, incoming: PlayerRequest): Promise<void> =>
  replyMpd(deps, await airingFor(deps, channelId, incoming, 'dash'), false, incoming);

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
  replyShared(incoming, MPEGURL, guidedFilmMedia(viewing.viewer, rung), FILM_MAX_AGE);
}

/** Seconds. The manifests of a film never change. */
const FILM_MAX_AGE = 3600;

/**
 * GET /dash/:channelId/guided.mpd. The bytes do not depend on `sid`, which players pass on when they request a break. With the key of the
 * channel, no session is read; a session of a VoD channel has what it plays.
 */
export async function sendGuidedMpd(deps: PlayerDeps, channelId: string, incoming: PlayerRequest): Promise<void> {
  if (incoming.query.has('api-key'))
    return replyMpd(deps, await airingFor(deps, channelId, incoming, 'dash'), true, incoming);
  incoming.manifest = manifestOf(channelId, 'dash');
  const place = { channelId, sessionId: sessionIn(incoming) };
  const viewing = await sessionOf(deps, place, incoming);
  if (viewing.kind !== 'film') return replyMpd(deps, viewing.airing, true, incoming);
  checkFormat(viewing.viewer.title, 'dash');
  if (!hasPlan(viewing.viewer)) throw sessionNotFound(place.sessionId);
  const text = guidedFilmMpd(viewing.viewer, breakUrlOf(deps, channelId, incoming));
  replyShared(incoming, MPD, text, FILM_MAX_AGE);
}

/** Shaka Player 5.2 resolves relative URLs of alternatives against its page. */
const breakUrlOf = (deps: PlayerDeps, channelId: string, { request }: PlayerRequest) => {
  const base = `${deps.liveUrl(request)}/dash/${encodeURIComponent(channelId)}/breaks/`;
  return (breakId: string): string => `${base}${breakId}.mpd`;
};
