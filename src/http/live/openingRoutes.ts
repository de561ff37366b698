// SPDX-License-Identifier: Apache-2.0
// The routes that open a session, and the multivariant playlist of an open one.
import { channelKey } from '../../channels/channelKey.ts';
import { AppError } from '../../errors.ts';
import { writeMultivariant } from '../../hls/writeMultivariant.ts';
import type { EnabledChannel } from '../../playback/onAir/airing.ts';
import { openSession, readStart } from '../../playback/view/openSession.ts';
import { beginUpcoming } from '../../playback/view/view.ts';
import type { Session } from '../../sessions/session.ts';
import type { OpenedSession } from '../airContract.ts';
import { checkFormat } from './checkFormat.ts';
import { airingOf, channelNotFound, type FoundViewer, findViewer, rejectSession } from './findViewer.ts';
import { openingParameters } from './openingParameters.ts';
import type { PlayerDeps, PlayerRequest } from './playerRequest.ts';
import { MPEGURL, reply, replyJson } from './reply.ts';
import { checkSignature } from './signedOpening.ts';
import { viewerOf } from './viewerOf.ts';

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
  if (typeof start === 'string') throw new AppError('VALIDATION_ERROR', `Invalid query: ${start}.`);
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

/** GET /dash/view/:channelId and /hls/view/:channelId */
export async function openView(
  deps: PlayerDeps,
  channelId: string,
  incoming: PlayerRequest,
  format: Session['format'],
) {
  const { viewer } = await open(deps, channelId, incoming, format);
  const { session } = viewer;
  const liveUrl = deps.liveUrl(incoming.request);
  const base = `${liveUrl}/${format}/${encodeURIComponent(channelId)}`;
  const manifest =
    format === 'dash'
      ? { mediaURL: `${base}/${session.id}.mpd`, vastURL: `${base}/${session.id}/vast` }
      : { mediaURL: `${base}/master.m3u8?sid=${session.id}`, vastURL: `${base}/${session.id}/vast.xml` };
  const opened: OpenedSession = {
    ...manifest,
    sessionId: session.id,
    trackingURL: `${liveUrl}/tracking/${session.id}`,
  };
  replyJson(incoming.request, incoming.response, 200, opened);
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
