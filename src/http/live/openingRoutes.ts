// SPDX-License-Identifier: Apache-2.0
// The routes that open a session, and the multivariant playlist of an open one.
import { channelKey } from '../../channels/channelKey.ts';
import { AppError } from '../../errors.ts';
import { writeMultivariant } from '../../hls/writeMultivariant.ts';
import { airingOfSession, type EnabledChannel } from '../../playback/onAir/airing.ts';
import { openSession, readStart } from '../../playback/view/openSession.ts';
import { beginUpcoming } from '../../playback/view/view.ts';
import type { Session } from '../../sessions/session.ts';
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
import { openVodView } from './vod/vodView.ts';

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
