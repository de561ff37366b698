// SPDX-License-Identifier: Apache-2.0
// What distributors request: the channel's own view with their markers and their slate, and its guide. The key is part of the path and
// all URLs within are relative, so that any cache can hold the responses (docs/distribution.md).
import { memo } from '../../../cache/memo.ts';
import { AppError } from '../../../errors.ts';
import { writeMultivariant } from '../../../hls/writeMultivariant.ts';
import { rebased } from '../../../hls/writeVodMedia.ts';
import type { GuideText } from '../../../planning/schedule/guides.ts';
import type { Airing, EnabledChannel } from '../../../playback/onAir/airing.ts';
import { type ChannelView, channelView } from '../../../playback/view/channelView.ts';
import { channelNotFound } from '../../../playback/viewings.ts';
import type { Session } from '../../../sessions/session.ts';
import { utf8Bytes } from '../../../xml/write.ts';
import { JSON_TYPE } from '../../writeJson.ts';
import { airingShown, channelMediaText, channelMpdText, maxAgeOf, textOfView } from '../guided/channelRoutes.ts';
import { clockUrlOf, rungAt } from '../manifests/manifestRoutes.ts';
import { markersFor } from '../manifests/markersOut.ts';
import { manifestOf, type PlayerDeps, type PlayerRequest } from '../playerRequest.ts';
import { MPD, MPEGURL } from '../reply.ts';
import { replyShared, sharedTextOf } from '../response/replyShared.ts';
import type { Distribution, Distributors } from './distribution.ts';
import { withSlate } from './ownSlate.ts';

type Deps = PlayerDeps & { readonly distributors: Distributors };
/** From the path. */
type Place = { readonly channelId: string; readonly key: string };

/** @throws {AppError} NOT_FOUND, FORBIDDEN, CONFLICT */
async function authorized(
  { airings, distributors, onMissing }: Deps,
  { channelId, key }: Place,
  { manifest }: PlayerRequest,
): Promise<{ readonly distribution: Distribution; readonly enabled: EnabledChannel }> {
  if (airings.named(channelId).length === 0) throw channelNotFound(channelId);
  const distribution = await distributors.find(channelId, key);
  if (distribution === undefined) throw new AppError('FORBIDDEN', 'Invalid key of a distributor.');
  const enabled = airings.find(distribution.channel);
  if (enabled === undefined) throw channelNotFound(channelId);
  const { channel, airing } = enabled;
  if (manifest !== undefined) manifest.channel = channel;
  if (channel.type === 'vod') throw new AppError('CONFLICT', 'A VoD channel has no view for distributors.');
  if (airing === undefined) onMissing?.(channel);
  return { distribution, enabled };
}

/** `name`: those who get the same share it. */
async function viewFor(deps: Deps, place: Place, format: Session['format'], incoming: PlayerRequest) {
  incoming.manifest = manifestOf(place.channelId, format);
  const { distribution, enabled } = await authorized(deps, place, incoming);
  const airing = await airingShown(enabled, format);
  const { markersOut, markersOutAhead, slateManifestUrl: url } = distribution;
  const markers = markersFor(airing.channel, markersOut, markersOutAhead);
  const slateId = url === undefined ? undefined : deps.distributors.slateOf(url, airing);
  const name = `distributor ${markers?.dialect} ${markers?.ahead} ${slateId}`;
  return { airing, name, markers, slateId, view: () => channelView(airing, deps.now()) };
}

const shownIn = (view: ChannelView, slateId: string | undefined): ChannelView =>
  slateId === undefined ? view : withSlate(view, slateId);

/** GET /hls/:channelId/distributors/:key/channel.m3u8 */
export async function sendDistributorMultivariant(deps: Deps, place: Place, incoming: PlayerRequest): Promise<void> {
  const { airing } = await viewFor(deps, place, 'hls', incoming);
  replyShared(incoming, MPEGURL, multivariantOf(airing), maxAgeOf(airing));
}

const multivariantOf = memo((airing: Airing) => sharedTextOf(utf8Bytes(writeMultivariant(airing.declared, ''))));

/** GET /hls/:channelId/distributors/:key/:rung.m3u8 */
export async function sendDistributorMedia(
  deps: Deps,
  place: Place,
  rungId: string,
  incoming: PlayerRequest,
): Promise<void> {
  const { airing, name, markers, slateId, view: viewNow } = await viewFor(deps, place, 'hls', incoming);
  const rung = rungAt(airing.ladder, rungId, 'channel');
  const view = viewNow();
  // One folder below the playlists of the own view.
  const write = () => rebased(channelMediaText(shownIn(view, slateId), rung, markers), '../');
  replyShared(incoming, MPEGURL, textOfView(`${name} ${rungId}`, view, write), maxAgeOf(airing));
}

/** GET /dash/:channelId/distributors/:key/channel.mpd */
export async function sendDistributorMpd(deps: Deps, place: Place, incoming: PlayerRequest): Promise<void> {
  const { airing, name, markers, slateId, view: viewNow } = await viewFor(deps, place, 'dash', incoming);
  const clockUrl = clockUrlOf(deps.liveUrl(incoming.request));
  const view = viewNow();
  const write = () => channelMpdText(shownIn(view, slateId), clockUrl, markers, '../');
  replyShared(incoming, MPD, textOfView(`${name} mpd`, view, write, clockUrl), maxAgeOf(airing));
}

const XMLTV = 'application/xml';
/** Seconds. A change of the schedule is visible at once, and a cache requests a guide at most once a second. */
const GUIDE_MAX_AGE = 1;

const sharedGuide = memo((text: GuideText) => ({ xmltv: sharedTextOf(text.xmltv), json: sharedTextOf(text.json) }));

/** GET /guide/:channelId/:key/xmltv.xml and /guide/:channelId/:key/guide.json */
export async function sendGuide(
  deps: Deps,
  place: Place,
  form: keyof GuideText,
  incoming: PlayerRequest,
): Promise<void> {
  const { distribution, enabled } = await authorized(deps, place, incoming);
  const shared = sharedGuide(await deps.distributors.guide(enabled.channel, distribution.listsFiller));
  replyShared(incoming, form === 'xmltv' ? XMLTV : JSON_TYPE, shared[form], GUIDE_MAX_AGE);
}
