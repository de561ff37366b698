// SPDX-License-Identifier: Apache-2.0
// The routes of a session's manifests, which every player requests every few seconds.
import { readSentMpd } from '../../../dash/write/patch.ts';
import { AppError } from '../../../errors.ts';
import { writeMultivariant } from '../../../hls/writeMultivariant.ts';
import { INSERTION_PARAMETER } from '../../../playback/guided/insertion.ts';
import {
  checkFormat,
  type FilmViewing,
  type Shown,
  sessionNotFound,
  type Viewing,
} from '../../../playback/viewings.ts';
import { REPORT_INTERVAL_MS } from '../../../time/reportInterval.ts';
import type { Millis } from '../../../time/units.ts';
import type { Ladder } from '../../../timeline/ladder/ladder.ts';
import { resumeTime } from '../../../vod/layOut.ts';
import { sharedQuery } from '../openingRequest.ts';
import { manifestOf, type PlayerDeps, type PlayerRequest } from '../playerRequest.ts';
import { MPD, MPD_PATCH, MPEGURL } from '../reply.ts';
import { type Body, replyManifest } from '../response/replyManifest.ts';
import { keptMediaOf, keptMpdOf, mediaOfCard, mpdOfCard } from './cards.ts';
import { filmMediaOf, filmMpdOf, mediaDeltaOf, mediaPlaylistOf, mpdOf, mpdPatchOf } from './manifestTexts.ts';

/** A request for a manifest that lists media. */
type Wanted = {
  readonly channelId: string;
  readonly sessionId: string;
  /** A film refuses what it does not have before the request counts as watching. */
  readonly refuse: (film: FilmViewing) => void;
  readonly send: (shown: Shown) => void;
};

/** Once per report interval and viewer. */
function reportWatching({ observe }: PlayerDeps, { viewer }: Pick<Viewing, 'viewer'>, now: Millis): void {
  const interval = Math.floor(now / REPORT_INTERVAL_MS);
  if (observe === undefined || viewer.countedInterval === interval) return;
  viewer.countedInterval = interval;
  observe.watched(viewer.session, now);
}

/** Most requests need no promise, which makes them cheaper. */
function answer(deps: PlayerDeps, { manifest }: PlayerRequest, wanted: Wanted): void | Promise<void> {
  const now = deps.now();
  const { channelId, sessionId } = wanted;
  const reject = () => deps.viewings.reject(channelId, sessionId);
  const show = (viewing: Viewing): void | Promise<void> => {
    reportWatching(deps, viewing, now);
    const shown = deps.viewings.viewAt(viewing, now);
    return shown instanceof Promise ? shown.then(wanted.send) : wanted.send(shown);
  };
  const watch = (viewing: Viewing | undefined): void | Promise<void> => {
    if (viewing === undefined) return reject();
    if (viewing.kind === 'film') wanted.refuse(viewing);
    if (manifest !== undefined) manifest.channel = viewing.channel;
    const isKept = deps.viewers.watch(viewing.viewer, now);
    return isKept === true ? show(viewing) : isKept.then((is) => (is ? show(viewing) : reject()));
  };
  const found = deps.viewings.find(channelId, sessionId, now);
  return found instanceof Promise ? found.then(watch) : watch(found);
}

/** @throws {AppError} NOT_FOUND */
export function rungAt({ rungs }: Ladder, rungId: string, place: 'channel' | 'session'): number {
  const rung = rungs.findIndex(({ id }) => id === rungId);
  if (rung >= 0) return rung;
  const hint = 'Open the multivariant playlist again.';
  throw new AppError('NOT_FOUND', `Rung "${rungId}" not found in this ${place}. ${hint}`);
}

/**
 * The directive for delta updates (RFC 8216bis §6.2.5.1). `v2` also permits to skip date ranges, which none does. Other values are
 * ignored.
 */
function wantsDelta({ query }: PlayerRequest): boolean {
  if (query.size === 0) return false;
  const skip = query.get('_HLS_skip');
  return skip === 'YES' || skip === 'v2';
}

function mediaOf(deps: PlayerDeps, shown: Shown, rungId: string, incoming: PlayerRequest): Body {
  if (shown.presentation !== undefined)
    return filmMediaOf(shown, rungAt(shown.viewer.title.ladder, rungId, 'session'), rungId);
  const rung = rungAt(shown.airing.ladder, rungId, 'channel');
  if (wantsDelta(incoming)) return mediaDeltaOf(shown, rung);
  return keptMediaOf(deps, shown, rung, rungId) ?? mediaPlaylistOf(shown, rung);
}

/** GET /hls/:channelId/:sessionId/:rung.m3u8 */
export function sendMedia(
  deps: PlayerDeps,
  channelId: string,
  sessionId: string,
  rungId: string,
  incoming: PlayerRequest,
): void | Promise<void> {
  const now = deps.now();
  const manifest = manifestOf(channelId, 'hls');
  incoming.manifest = manifest;
  const kept = wantsDelta(incoming) ? undefined : mediaOfCard(deps, channelId, sessionId, rungId, now);
  if (kept !== undefined) {
    const { card, body } = kept;
    manifest.channel = card.airing.channel;
    reportWatching(deps, card, now);
    return replyManifest(incoming.request, incoming.response, MPEGURL, body);
  }
  return answer(deps, incoming, {
    channelId,
    sessionId,
    refuse: ({ viewer }) => void rungAt(viewer.title.ladder, rungId, 'session'),
    send: (shown) =>
      replyManifest(incoming.request, incoming.response, MPEGURL, mediaOf(deps, shown, rungId, incoming)),
  });
}

/** Relative to the session, like media playlists: both formats list the same relative URLs. */
const baseUrlOf = (sessionId: string): string => `${encodeURIComponent(sessionId)}/`;

/** The last one, since most players use the same host. */
const clock = { liveUrl: '', url: '/time' };

export function clockUrlOf(liveUrl: string): string {
  if (liveUrl !== clock.liveUrl) Object.assign(clock, { liveUrl, url: `${liveUrl}/time` });
  return clock.url;
}

/** GET /dash/:channelId/:sessionId.mpd */
export function sendMpd(deps: PlayerDeps, channelId: string, sessionId: string, incoming: PlayerRequest) {
  const now = deps.now();
  const manifest = manifestOf(channelId, 'dash');
  incoming.manifest = manifest;
  const clockUrl = clockUrlOf(deps.liveUrl(incoming.request));
  const kept = mpdOfCard(deps, channelId, sessionId, clockUrl, now);
  if (kept !== undefined) {
    const { card, body } = kept;
    manifest.channel = card.airing.channel;
    reportWatching(deps, card, now);
    return replyManifest(incoming.request, incoming.response, MPD, body);
  }
  const textOf = (shown: Shown): Body => {
    const urls = { clockUrl, baseUrl: baseUrlOf(sessionId) };
    if (shown.presentation !== undefined) return filmMpdOf(shown, urls.baseUrl);
    checkFormat(shown.airing, 'dash');
    return keptMpdOf(deps, shown, urls) ?? mpdOf(shown, urls);
  };
  return answer(deps, incoming, {
    channelId,
    sessionId,
    refuse: ({ viewer }) => checkFormat(viewer.title, 'dash'),
    send: (shown) => replyManifest(incoming.request, incoming.response, MPD, textOf(shown)),
  });
}

/** GET /dash/:channelId/:sessionId/patch.mpp. Films have none. */
export function sendMpdPatch(deps: PlayerDeps, channelId: string, sessionId: string, incoming: PlayerRequest) {
  const sent = readSentMpd(incoming.query.get('since') ?? '');
  if (sent === undefined)
    throw new AppError(
      'MALFORMED',
      'The parameter "since" must be as in the PatchLocation of an MPD. Read the MPD again.',
    );
  incoming.manifest = manifestOf(channelId, 'dash');
  const refuse = () => {
    throw sessionNotFound(sessionId);
  };
  return answer(deps, incoming, {
    channelId,
    sessionId,
    refuse,
    send(shown) {
      if (shown.presentation !== undefined) return refuse();
      checkFormat(shown.airing, 'dash');
      const text = mpdPatchOf(shown, sent, baseUrlOf(sessionId));
      replyManifest(incoming.request, incoming.response, MPD_PATCH, text);
    },
  });
}

/** GET /hls/:channelId/master.m3u8. A film waits for its ads only if playback does not start at the beginning. */
export async function sendMultivariant(deps: PlayerDeps, viewing: Viewing, incoming: PlayerRequest): Promise<void> {
  const { request, response, manifest } = incoming;
  if (manifest !== undefined) manifest.channel = viewing.channel;
  const { id } = viewing.viewer.session;
  const declared = viewing.kind === 'film' ? viewing.viewer.title.declared : viewing.airing.declared;
  const guided = guidedMultivariant(viewing, incoming);
  const text =
    guided === undefined
      ? writeMultivariant(declared, `${id}/`, { startOffset: await startOffsetOf(deps, viewing) })
      : writeMultivariant(declared, guided.path, guided);
  replyManifest(request, response, MPEGURL, text, { encoding: 'utf8' });
}

/** The media playlists of a guided session; undefined if it is stitched. A player can use either, whichever it was opened for. */
function guidedMultivariant({ kind, channel, viewer }: Viewing, { query }: PlayerRequest) {
  const { session } = viewer;
  const requested = query.has('sid') ? query.get(INSERTION_PARAMETER) : null;
  const wanted = requested ?? (session.guided === undefined ? 'stitched' : 'guided');
  if (wanted !== 'guided') return undefined;
  if (kind === 'film')
    return session.kind === 'film' && session.vod.plan ? { path: `${session.id}/guided/` } : undefined;
  return { path: 'guided/', sessionId: session.id, query: sharedQuery(channel) };
}

async function startOffsetOf({ vod }: PlayerDeps, viewing: Viewing) {
  if (viewing.kind !== 'film') return viewing.viewer.session.start === undefined ? undefined : 0;
  const { resumeAt } = viewing.viewer.session.vod;
  if (resumeAt === undefined) return undefined;
  return resumeTime(await vod.presentations.settled(viewing.channel, viewing.viewer), resumeAt);
}
