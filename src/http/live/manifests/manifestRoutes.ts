// SPDX-License-Identifier: Apache-2.0
// The routes of a session's manifests, which every player requests every few seconds.

import { crc32 } from 'node:zlib';
import type { Parts } from '../../../cache/sharedText.ts';
import {
  EXPIRED_TTL,
  PATCH_TTL,
  patchLocation,
  periodChanges,
  readSentMpd,
  type SentMpd,
  writeLastPatch,
  writePatch,
  writeSentMpd,
} from '../../../dash/write/patch.ts';
import type { Periods } from '../../../dash/write/periods.ts';
import { type MpdFrame, mpdAround } from '../../../dash/write/writeMpd.ts';
import { AppError } from '../../../errors.ts';
import { writeDelta } from '../../../hls/writeDelta.ts';
import { hasDeltas, type MediaFrame, writeMedia } from '../../../hls/writeMedia.ts';
import { writeStrips } from '../../../hls/writeStrips.ts';
import { pastView } from '../../../playback/view/pastView.ts';
import { depthOf, shiftOf, type View, viewAt, windowOf } from '../../../playback/view/view.ts';
import { finalDepth, updatedDepth } from '../../../playback/viewers/depths.ts';
import type { Viewer } from '../../../playback/viewers/viewers.ts';
import { REPORT_INTERVAL_MS } from '../../../time/reportInterval.ts';
import { type Millis, millis } from '../../../time/units.ts';
import { checkFormat } from '../checkFormat.ts';
import { type FoundViewer, findViewer, rejectSession } from '../findViewer.ts';
import type { PlayerDeps, PlayerRequest } from '../playerRequest.ts';
import { MPD, MPD_PATCH, MPEGURL } from '../reply.ts';
import { replyManifest } from '../response/replyManifest.ts';
import { findVod } from '../vod/findVod.ts';
import { sendVodMedia, sendVodMpd } from '../vod/vodManifests.ts';
import { periodsOf } from './periodsOf.ts';

/** Once per report interval and viewer. */
function reportWatching({ observe }: PlayerDeps, viewer: Viewer, now: Millis): void {
  const interval = Math.floor(now / REPORT_INTERVAL_MS);
  if (observe === undefined || viewer.countedInterval === interval) return;
  viewer.countedInterval = interval;
  observe.watched(viewer.session, now);
}

type Use = (view: View) => void;

/** Most requests need no promise, which makes them cheaper. */
function viewFor(
  deps: PlayerDeps,
  channelId: string,
  sessionId: string,
  { manifest }: PlayerRequest,
  use: Use,
): void | Promise<void> {
  const now = deps.now();
  const reject = () => rejectSession(deps, channelId, sessionId);
  const show = ({ viewer, airing }: FoundViewer): void | Promise<void> => {
    reportWatching(deps, viewer, now);
    const view = viewAt(airing, viewer, deps.decider, now);
    return view instanceof Promise ? view.then(use) : use(view);
  };
  const watch = (found: FoundViewer | undefined): void | Promise<void> => {
    if (found === undefined) return reject();
    if (manifest !== undefined) manifest.tenant = found.airing.channel.tenant;
    const isKept = deps.viewers.watch(found.viewer, now);
    return isKept === true ? show(found) : isKept.then((is) => (is ? show(found) : reject()));
  };
  const found = findViewer(deps, channelId, sessionId, now);
  return found instanceof Promise ? found.then(watch) : watch(found);
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
  const vod = findVod(deps, channelId, sessionId);
  if (vod !== undefined)
    return vod.then((found) =>
      found ? sendVodMedia(deps, found, rungId, incoming) : sendLiveMedia(deps, channelId, sessionId, rungId, incoming),
    );
  return sendLiveMedia(deps, channelId, sessionId, rungId, incoming);
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

function sendLiveMedia(
  deps: PlayerDeps,
  channelId: string,
  sessionId: string,
  rungId: string,
  incoming: PlayerRequest,
) {
  return viewFor(deps, channelId, sessionId, incoming, (view) => {
    const rung = view.airing.ladder.rungs.findIndex(({ id }) => id === rungId);
    if (rung < 0)
      throw new AppError(
        'NOT_FOUND',
        `Rung "${rungId}" not found in this channel. Open the multivariant playlist again.`,
      );
    const text = wantsDelta(incoming) ? mediaDeltaOf(view, rung) : mediaPlaylistOf(view, rung);
    replyManifest(incoming.request, incoming.response, MPEGURL, text);
  });
}

/** GET /dash/:channelId/:sessionId.mpd */
export function sendMpd(deps: PlayerDeps, channelId: string, sessionId: string, incoming: PlayerRequest) {
  incoming.manifest = { channelId, format: 'dash' };
  const vod = findVod(deps, channelId, sessionId);
  if (vod !== undefined)
    return vod.then((found) =>
      found ? sendVodMpd(deps, found, incoming) : sendLiveMpd(deps, channelId, sessionId, incoming),
    );
  return sendLiveMpd(deps, channelId, sessionId, incoming);
}

/** Relative to the session, like media playlists: both formats list the same relative URLs. */
const baseUrlOf = (sessionId: string): string => `${encodeURIComponent(sessionId)}/`;

function sendLiveMpd(deps: PlayerDeps, channelId: string, sessionId: string, incoming: PlayerRequest) {
  return viewFor(deps, channelId, sessionId, incoming, (view) => {
    checkFormat(view.airing, 'dash');
    const clockUrl = `${deps.liveUrl(incoming.request)}/time`;
    const baseUrl = baseUrlOf(sessionId);
    replyManifest(incoming.request, incoming.response, MPD, mpdOf(view, { clockUrl, baseUrl }));
  });
}

/** GET /dash/:channelId/:sessionId/patch.mpp */
export function sendMpdPatch(deps: PlayerDeps, channelId: string, sessionId: string, incoming: PlayerRequest) {
  const sent = readSentMpd(incoming.query.get('since') ?? '');
  if (sent === undefined)
    throw new AppError(
      'MALFORMED',
      'The parameter "since" must be as in the PatchLocation of an MPD. Read the MPD again.',
    );
  incoming.manifest = { channelId, format: 'dash' };
  return viewFor(deps, channelId, sessionId, incoming, (view) => {
    checkFormat(view.airing, 'dash');
    const text = mpdPatchOf(view, sent, baseUrlOf(sessionId));
    replyManifest(incoming.request, incoming.response, MPD_PATCH, text);
  });
}

// The texts of manifests: what a viewer sees, in the format of the player.

/** The same for the whole session, because Shaka Player 5.2 reads it from the first playlist only. */
const formOf = ({ viewer, airing }: View): 'plain' | 'full' =>
  hasDeltas(updatedDepth(viewer.session, airing), airing.ladder) ? 'full' : 'plain';

export function mediaPlaylistOf(view: View, rung: number): string | Parts {
  const { airing, choices, strips, from, to } = view;
  const { ladder, channel } = airing;
  const frame: MediaFrame = { ladder, announces: channel.announceAds !== false, form: formOf(view) };
  if (strips !== undefined) return writeStrips({ strips, from, to }, rung, choices, frame);
  const window = windowOf(view);
  return writeMedia(window, rung, shiftOf(view, window), frame);
}

/** The delta update of a media playlist; the playlist where there is none. */
export function mediaDeltaOf(view: View, rung: number): string | Parts {
  if (formOf(view) === 'plain') return mediaPlaylistOf(view, rung);
  const { ladder, channel } = view.airing;
  const window = windowOf(view);
  const frame: MediaFrame = { ladder, announces: channel.announceAds !== false };
  const delta = writeDelta(window, rung, shiftOf(view, window), frame);
  return delta ?? mediaPlaylistOf(view, rung);
}

/** @param clockUrl at which players read the server's clock. @param baseUrl of relative segment URLs, relative to the MPD */
export function mpdOf(view: View, { clockUrl, baseUrl }: Pick<MpdFrame, 'clockUrl' | 'baseUrl'>): string {
  const { airing, now, depth, viewer } = view;
  const { ladder, programme, channel } = airing;
  const { session } = viewer;
  // Constant for a session: players read it once, and EXT-X-START has the same value in HLS.
  const startDelay = session.start === undefined ? 0 : session.openedAt - session.start - programme.lag;
  const frame = {
    ladder,
    availabilityStart: programme.startedAt,
    clockOffset: programme.lag,
    ...{ now, depth, startDelay, clockUrl, baseUrl },
    announces: channel.announceAds !== false,
  };
  const periods = periodsOf(view, frame);
  if (!hasPatches(view)) return mpdAround(periods.text, frame);
  return mpdAround(periods.text, frame, { id: session.id, location: locationOf(view, periods, baseUrl) });
}

// The patches of a viewer's MPDs. Nothing is stored for them: what the player has is written again, from the time that it lists and
// the viewer's decisions, which never change. If the result has another check value, the player reads the whole MPD.

/** The path of a patch, relative to the base URL of the session's segments. */
const PATCH_NAME = 'patch.mpp';

/** Milliseconds. MPDs of shorter windows are small, and patches of them save few bytes. */
const MIN_DEPTH = 120_000;

/**
 * Constant for a session: Shaka Player 5.2 prepares Periods for patches only while its MPD has a location, and fails on patches of
 * others. So MPDs that cannot be patched have a location, too, which has expired.
 */
const hasPatches = ({ viewer: { session }, airing }: View): boolean => updatedDepth(session, airing) >= MIN_DEPTH;

/**
 * Players read the whole MPD until a session is this old, and again after each `RENEW_MS`. Shaka Player 5.2 needs both: the time until
 * its first update, which may be a few milliseconds, is the time between its updates until it reads a whole MPD; and it keeps
 * what it knows of Periods that patches have removed.
 */
const STARTUP_MS = 10_000;
const RENEW_MS = 300_000;
/** The depth of a window follows the live edge, which is a little behind the clock. */
const GROWN_FOR_MS = 60_000;

/**
 * Grows whenever a player reads the whole MPD; 0 while it always does. So it does while the window grows, because Shaka Player 5.2
 * does not apply a change of MPD@timeShiftBufferDepth.
 */
function renewalsAt({ viewer, airing }: View, time: Millis): number {
  const { session } = viewer;
  const age = time - session.openedAt;
  const isGrowing = depthOf(viewer, airing, millis(time - GROWN_FOR_MS)) < finalDepth(session, airing);
  return age < STARTUP_MS || isGrowing ? 0 : 1 + Math.floor(age / RENEW_MS);
}

/**
 * Of how long the text is, and of the last Period: what was published before does not change (law 1). A check of the whole text would
 * cost more than writing it.
 */
const checkOf = ({ text, last }: Periods): number => crc32(Buffer.from(last, 'latin1'), text.length);

/** @param periods of the view. @param baseUrl of relative segment URLs, relative to the MPD */
function locationOf(view: View, periods: Periods, baseUrl: string): string {
  const { now, from, to } = view;
  const sent = writeSentMpd({ publishedAt: now, from, to, check: checkOf(periods) });
  const isUsed = !periods.hasLists && renewalsAt(view, now) > 0;
  return patchLocation(`${baseUrl}${PATCH_NAME}?since=${sent}`, isUsed ? PATCH_TTL : EXPIRED_TTL);
}

/** Players request patches until PATCH_TTL by their own clocks. */
const MAX_AGE_MS = 2 * 1000 * PATCH_TTL;

const isRenewed = ({ publishedAt }: SentMpd, view: View): boolean => {
  const renewals = renewalsAt(view, publishedAt);
  return renewals === 0 || renewals !== renewalsAt(view, view.now);
};

/** Whether a player can have this MPD, and what it lists is not more than the viewer's window. */
const canBeSent = ({ publishedAt, from, to }: SentMpd, view: View): boolean =>
  publishedAt < view.now &&
  publishedAt > view.now - MAX_AGE_MS &&
  from < to &&
  from <= view.from &&
  to <= view.to &&
  from > view.from - MAX_AGE_MS &&
  to - from <= view.depth;

/** @param sent the MPD that the player has. @returns the bytes of the text (`utf8Bytes`) */
export function mpdPatchOf(view: View, sent: SentMpd, baseUrl: string): string {
  const frame = { id: view.viewer.session.id, publishedAt: sent.publishedAt, now: view.now };
  if (!hasPatches(view) || !canBeSent(sent, view) || isRenewed(sent, view)) return writeLastPatch(frame);
  const before = periodsOf(pastView(view, sent.from, sent.to));
  if (checkOf(before) !== sent.check) return writeLastPatch(frame);
  const periods = periodsOf(view);
  const changes = periodChanges(before, periods);
  return changes === undefined ? writeLastPatch(frame) : writePatch(frame, locationOf(view, periods, baseUrl), changes);
}
