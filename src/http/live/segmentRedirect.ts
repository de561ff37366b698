// SPDX-License-Identifier: Apache-2.0
// The route of an ad segment in a session: a redirect to the media that all viewers share.
import { readTrackedPath, redirectTarget } from '../../ads/placement/trackedClip.ts';
import type { Channel } from '../../channels/channel.ts';
import type { EnabledChannel } from '../../playback/onAir/airing.ts';
import { adAt, type FilmAds } from '../../playback/viewings.ts';
import type { Millis } from '../../time/units.ts';
import { holdBackMillis } from '../../timeline/ladder/ladder.ts';
import type { RecordDelivery } from '../../tracking/deliveries/durableRecorder.ts';
import type { LateDeliveries } from '../../tracking/deliveries/lateDeliveries.ts';
import {
  requestSegment,
  type SegmentRequest,
  type SegmentRequestDeps,
  type ServedChannel,
} from '../../tracking/deliveries/segmentRequest.ts';
import type { PlayerDeps, PlayerRequest } from './playerRequest.ts';
import { replyRedirect, unknownPath } from './reply.ts';

export type SegmentRedirectDeps = PlayerDeps & {
  readonly recordDelivery: RecordDelivery;
  readonly loadMedia?: SegmentRequestDeps['loadMedia'];
  /** URL of the media at a shared path, if they are served from elsewhere, such as a CDN. */
  readonly mediaUrl: (channel: Channel, path: string) => Promise<string | undefined> | undefined;
  /** Keeps deliveries whose session cannot be read. */
  readonly late: Pick<LateDeliveries, 'keep'>;
};

/** What supplies the media of a channel: of a live one each of its feeds, also one that is idle. */
const servedBy = ({ channel, airing, live }: EnabledChannel): ServedChannel[] =>
  live === undefined ? [{ channel, airing }] : live.media.map((media) => ({ channel, airing: media }));

/** Which channels supply the media of a request, and how its session is found. */
type Source = Pick<SegmentRequestDeps, 'channelsNamed' | 'findSession'>;

/** Media of a session that is on air do not depend on it: it is found only when its delivery is recorded. */
const onAirSource = ({ airings, viewings, viewers, presence, now }: SegmentRedirectDeps): Source => ({
  channelsNamed: (channelId) => airings.named(channelId).flatMap(servedBy),
  async findSession(channelId, sessionId) {
    const at = now();
    const viewing = await viewings.find(channelId, sessionId, at);
    if (viewing === undefined || viewing.kind === 'film') return undefined;
    const { viewer, airing, channel } = viewing;
    presence.note(viewer.session, at);
    return {
      session: viewer.session,
      channel,
      holdBack: holdBackMillis(airing.ladder),
      lag: airing.programme.lag,
      spanOf: (adId) => adAt(viewing, adId),
      reload: () => viewers.reload(airing, viewer, at),
    };
  },
});

/** The media of an ad of a film belong to the ladder of its title. */
const filmSource = ({ vod }: SegmentRedirectDeps, film: FilmAds): Source => ({
  channelsNamed: () => [{ channel: film.channel, airing: vod.presentations.mediaFor(film.ads.ladder) }],
  findSession: async () => ({
    session: film.ads.session,
    channel: film.channel,
    holdBack: 0,
    lag: 0,
    spanOf: (adId) => adAt(film, adId),
    reload: async () => {},
  }),
});

/**
 * Where the session of a film cannot be read, the ladders that this process has used for its channel lead to the media, so that an
 * outage does not stop the stream.
 */
const knownMedia = ({ airings, vod }: SegmentRedirectDeps): Source => ({
  channelsNamed: (channelId) =>
    airings.named(channelId).flatMap((enabled): ServedChannel[] => {
      const { channel } = enabled;
      if (channel.type !== 'vod') return servedBy(enabled);
      return vod.titles.laddersOf(channel).map((ladder) => ({ channel, airing: vod.presentations.mediaFor(ladder) }));
    }),
  findSession: async () => undefined,
});

async function sourceOf(
  deps: SegmentRedirectDeps,
  requested: SegmentRequest,
  onLost: (error: unknown) => void,
): Promise<Source> {
  try {
    const film = await deps.viewings.filmAds(requested.channelId, requested.sessionId);
    return film === undefined ? onAirSource(deps) : filmSource(deps, film);
  } catch (error) {
    if (requested.isDelivery) onLost(error);
    return knownMedia(deps);
  }
}

/** Requests a segment, and keeps its delivery for later if the session cannot be read. */
async function request(deps: SegmentRedirectDeps, requested: SegmentRequest, at: Millis) {
  const record = () => request(deps, requested, at);
  const onLost = (error: unknown) => deps.late.keep({ sessionId: requested.sessionId, at, record }, error);
  const { loadMedia, recordDelivery, timers } = deps;
  const source = await sourceOf(deps, requested, onLost);
  return requestSegment({ loadMedia, recordDelivery, onLost, now: () => at, timers, ...source }, requested);
}

/** GET /hls/:channelId/:sessionId/:adId/:media/:frames/:rung/:segment, and the same below /dash */
export function createSegmentRedirect(deps: SegmentRedirectDeps) {
  return async (
    parts: readonly string[],
    path: string,
    { request: incoming, response }: PlayerRequest,
  ): Promise<void> => {
    const [, channelId, sessionId, ...rest] = parts as [string, string, string, ...string[]];
    const segment = readTrackedPath(rest);
    const isDelivery = incoming.method === 'GET';
    const found = segment && (await request(deps, { channelId, sessionId, segment, isDelivery }, deps.now()));
    if (found === undefined) throw unknownPath(path);
    const { media, channel } = found;
    replyRedirect(response, (channel && (await deps.mediaUrl(channel, media.url))) ?? redirectTarget(media));
  };
}
