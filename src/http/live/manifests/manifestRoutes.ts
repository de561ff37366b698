// SPDX-License-Identifier: Apache-2.0
// The routes of a session's manifests, which every player requests every few seconds.

import { readSentMpd } from '../../../dash/write/patch/patchLocation.ts';
import { AppError } from '../../../errors.ts';
import { type View, viewAt } from '../../../playback/view/view.ts';
import type { Viewer } from '../../../playback/viewers/viewers.ts';
import { REPORT_INTERVAL_MS } from '../../../reports/event.ts';
import type { Millis } from '../../../time/units.ts';
import { checkFormat } from '../checkFormat.ts';
import { type FoundViewer, findViewer, rejectSession } from '../findViewer.ts';
import type { PlayerDeps, PlayerRequest } from '../playerRequest.ts';
import { MPD, MPD_PATCH, MPEGURL } from '../reply.ts';
import { replyManifest } from '../response/replyManifest.ts';
import { findVod } from '../vod/findVod.ts';
import { sendVodMedia, sendVodMpd } from '../vod/vodManifests.ts';
import { mediaDeltaOf, mediaPlaylistOf, mpdOf } from './manifestTexts.ts';
import { mpdPatchOf } from './mpdPatch.ts';

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
