// SPDX-License-Identifier: Apache-2.0
// The routes that open a session, and the multivariant playlist of an open one.

import type { Channel } from '../../channels/channel.ts';
import { channelKey } from '../../channels/channelKey.ts';
import { AppError } from '../../errors.ts';
import { writeMultivariant } from '../../hls/writeMultivariant.ts';
import { airingOfSession, type EnabledChannel } from '../../playback/onAir/airing.ts';
import { openSession, readStart } from '../../playback/view/openSession.ts';
import { beginUpcoming } from '../../playback/view/view.ts';
import type { VodViewer } from '../../playback/vod/vodViewer.ts';
import type { Session } from '../../sessions/session.ts';
import { type Flicks, flicksToMicros } from '../../time/units.ts';
import type { Presentation } from '../../vod/layOut.ts';
import { resumeTime } from '../../vod/resumeTime.ts';
import type { OpenedSession } from '../contract/airContract.ts';
import { authorizedChannel } from './authorizedChannel.ts';
import { checkFormat } from './checkFormat.ts';
import { airingOf, type FoundViewer, findViewer, rejectSession } from './findViewer.ts';
import { openingParameters } from './openingParameters.ts';
import type { PlayerDeps, PlayerRequest } from './playerRequest.ts';
import { MPEGURL, replyJson } from './reply.ts';
import { replyManifest } from './response/replyManifest.ts';
import { sessionLinks } from './sessionLinks.ts';
import { viewerOf } from './viewerOf.ts';
import { findVod } from './vod/findVod.ts';
import { openVod } from './vod/openVod.ts';
import { sendVodMultivariant } from './vod/vodManifests.ts';

async function open(
  deps: PlayerDeps,
  authorized: EnabledChannel,
  incoming: PlayerRequest,
  format: Session['format'],
): Promise<FoundViewer> {
  const life = authorized.live?.lifeFor(format);
  if (life !== undefined) await authorized.live?.use(life);
  const now = deps.now();
  const airing = airingOf(authorized, authorized.channel.id, format);
  checkFormat(airing, format);
  const startText = incoming.query.get('start');
  const start =
    startText === null ? undefined : readStart(startText, airing.channel.timeShiftWindow, airing.programme.edgeAt(now));
  if (typeof start === 'string') throw new AppError('VALIDATION_ERROR', `Invalid query: ${start}.`);
  const opening = {
    format,
    parameters: openingParameters(incoming.query, (token) => deps.isPreviewToken?.(token, airing.channel) === true),
    viewer: viewerOf(incoming.request, deps.proxies),
  };
  deps.allowOpening?.(opening.viewer.address, channelKey(airing.channel));
  const viewer = await openSession(airing, opening, start, deps.sessions, deps.viewers, now);
  deps.observe?.opened(viewer.session);
  const own = airingOfSession(airing, viewer.session);
  beginUpcoming(own, viewer, deps.decider, deps.now());
  return { viewer, airing: own };
}

/** GET /dash/view/:channelId and /hls/view/:channelId */
export async function openView(
  deps: PlayerDeps,
  channelId: string,
  incoming: PlayerRequest,
  format: Session['format'],
) {
  const authorized = authorizedChannel(deps, channelId, incoming);
  const { request, response } = incoming;
  const opened: OpenedSession =
    authorized.channel.type === 'vod'
      ? await openVodView(deps, authorized.channel, incoming, format)
      : sessionLinks(deps.liveUrl(request), (await open(deps, authorized, incoming, format)).viewer.session, format);
  replyJson(request, response, 200, opened);
}

async function liveMultivariant({ viewer, airing }: FoundViewer, { request, response, manifest }: PlayerRequest) {
  if (manifest !== undefined) manifest.tenant = airing.channel.tenant;
  const startOffset = viewer.session.start === undefined ? undefined : 0;
  const text = writeMultivariant(airing.declared, `${viewer.session.id}/`, startOffset);
  replyManifest(request, response, MPEGURL, text, 'utf8');
}

/** GET /hls/:channelId/master.m3u8 */
export async function openMultivariant(deps: PlayerDeps, channelId: string, incoming: PlayerRequest) {
  incoming.manifest = { channelId, format: 'hls' };
  const sid = incoming.query.get('sid');
  if (sid) {
    const vod = await findVod(deps, channelId, sid);
    if (vod !== undefined) return sendVodMultivariant(deps, vod, incoming);
    const live = await findViewer(deps, channelId, sid, deps.now());
    return liveMultivariant(live ?? (await rejectSession(deps, channelId, sid)), incoming);
  }
  const authorized = authorizedChannel(deps, channelId, incoming);
  const { channel } = authorized;
  if (channel.type === 'vod') {
    const viewer = await openVod(deps, channel, incoming, 'hls');
    return sendVodMultivariant(deps, { viewer, channel }, incoming);
  }
  return liveMultivariant(await open(deps, authorized, incoming, 'hls'), incoming);
}

// The response of the view routes for VoD: the URLs of the session, and its breaks on both clocks.

/** Seconds with the precision of manifests. */
const seconds = (length: Flicks): number => flicksToMicros(length) / 1e6;

function vodTimes({ session, title, adTitles }: VodViewer, presentation: Presentation) {
  const { frameRate } = title.ladder;
  const starts = new Map(presentation.spans.map(({ adId, placed }) => [adId, placed.startsAt - session.openedAt]));
  const startOf = (adId: string): number => starts.get(adId)! / 1000;
  const start = resumeTime(presentation, session.vod?.resumeAt);
  return {
    durationSeconds: seconds(presentation.duration),
    contentDurationSeconds: seconds(presentation.contentDuration),
    ...(start === undefined ? {} : { startSeconds: seconds(start) }),
    breaks: presentation.breaks.map(({ id, contentTime, streamTime, duration, ads }) => ({
      id,
      contentTime: seconds(contentTime),
      streamTime: seconds(streamTime),
      duration: seconds(duration),
      ads: ads.map(({ adId, frames }) => ({
        id: adId,
        ...(adTitles?.has(adId) ? { title: adTitles.get(adId)! } : {}),
        streamTime: startOf(adId),
        duration: Math.round((1e6 * frames * frameRate.d) / frameRate.n) / 1e6,
      })),
    })),
  };
}

/** Opens a session and waits until its ads are decided. In DASH, an MPD anchor (ISO/IEC 23009-1 Annex C.4) contains the start. */
async function openVodView(
  deps: PlayerDeps,
  channel: Channel,
  incoming: PlayerRequest,
  format: Session['format'],
): Promise<OpenedSession> {
  const viewer = await openVod(deps, channel, incoming, format);
  const times = vodTimes(viewer, await deps.vod.presentations.settled(channel, viewer));
  const links = sessionLinks(deps.liveUrl(incoming.request), viewer.session, format);
  const anchor = format === 'dash' && times.startSeconds ? `#t=${times.startSeconds}` : '';
  return { ...links, mediaURL: links.mediaURL + anchor, ...times };
}
