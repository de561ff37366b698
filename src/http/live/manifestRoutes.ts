// SPDX-License-Identifier: Apache-2.0
// The routes of a session's manifests, which every player requests every few seconds.
import { writeMpd } from '../../dash/write/writeMpd.ts';
import { AppError } from '../../errors.ts';
import { writeMedia } from '../../hls/writeMedia.ts';
import { type View, viewAt } from '../../playback/view/view.ts';
import type { Viewer } from '../../playback/viewers/viewers.ts';
import { REPORT_INTERVAL_MS } from '../../reports/event.ts';
import type { Millis } from '../../time/units.ts';
import { checkFormat } from './checkFormat.ts';
import { findViewer, rejectSession } from './findViewer.ts';
import type { PlayerDeps, PlayerRequest } from './playerRequest.ts';
import { MPD, MPEGURL, reply } from './reply.ts';
import { findVod } from './vod/findVod.ts';
import { sendVodMedia, sendVodMpd } from './vod/vodManifests.ts';

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

function sendLiveMedia(
  deps: PlayerDeps,
  channelId: string,
  sessionId: string,
  rungId: string,
  incoming: PlayerRequest,
) {
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
  const vod = findVod(deps, channelId, sessionId);
  if (vod !== undefined)
    return vod.then((found) =>
      found ? sendVodMpd(deps, found, incoming) : sendLiveMpd(deps, channelId, sessionId, incoming),
    );
  return sendLiveMpd(deps, channelId, sessionId, incoming);
}

function sendLiveMpd(deps: PlayerDeps, channelId: string, sessionId: string, incoming: PlayerRequest) {
  return viewFor(deps, channelId, sessionId, incoming, ({ window, airing, now, depth, viewer: { session } }) => {
    checkFormat(airing, 'dash');
    const { ladder, programme, channel } = airing;
    const clockUrl = `${deps.liveUrl(incoming.request)}/time`;
    const announces = channel.announceAds !== false;
    // Relative to the session, like media playlists: both formats list the same relative URLs.
    const baseUrl = `${encodeURIComponent(sessionId)}/`;
    // Constant for a session: players read it once, and EXT-X-START has the same value in HLS.
    const startDelay = session.start === undefined ? 0 : session.openedAt - session.start - programme.lag;
    const frame = {
      ladder,
      availabilityStart: programme.startedAt,
      clockOffset: programme.lag,
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
