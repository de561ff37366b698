// SPDX-License-Identifier: Apache-2.0
// The route of an ad segment in a session: a redirect to the media that all viewers share.
import { readTrackedPath, redirectTarget } from '../../ads/placement/trackedClip.ts';
import type { Channel } from '../../channels/channel.ts';
import type { EnabledChannel } from '../../playback/onAir/airing.ts';
import type { Viewer } from '../../playback/viewers/viewers.ts';
import { holdBackMillis } from '../../timeline/ladder/holdBack.ts';
import type { Span } from '../../timeline/programme/span.ts';
import type { RecordDelivery } from '../../tracking/deliveries/recordDelivery.ts';
import {
  requestSegment,
  type SegmentRequest,
  type SegmentRequestDeps,
  type ServedChannel,
} from '../../tracking/deliveries/segmentRequest.ts';
import { findViewer } from './findViewer.ts';
import type { PlayerDeps, PlayerRequest } from './playerRequest.ts';
import { replyRedirect, unknownPath } from './reply.ts';
import { vodChannels } from './vod/findVod.ts';

export type SegmentRedirectDeps = PlayerDeps & {
  readonly recordDelivery: RecordDelivery;
  readonly loadMedia?: SegmentRequestDeps['loadMedia'];
  /** URL of the media at a shared path, if they are served from elsewhere, such as a CDN. */
  readonly mediaUrl: (channel: Channel, path: string) => Promise<string | undefined> | undefined;
  /** Receives the error if a delivery could not be recorded. */
  readonly onLost: (error: unknown, sessionId: string) => void;
};

function adSpan({ choices }: Viewer, adId: string): Span | undefined {
  for (const { spans } of choices.decided) {
    const found = spans.find((span) => span.adId === adId);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** A live channel serves the ads of each of its feeds, also of one that is idle. */
const servedBy = ({ channel, airing, live }: EnabledChannel): ServedChannel[] =>
  live === undefined ? [{ channel, airing }] : live.media.map((media) => ({ channel, airing: media }));

const requestDeps = (deps: SegmentRedirectDeps): SegmentRequestDeps => ({
  channelsNamed: (channelId) => deps.airings.named(channelId).flatMap(servedBy),
  async findSession(channelId, sessionId, now) {
    const found = await findViewer(deps, channelId, sessionId, now);
    if (found === undefined) return undefined;
    const { viewer, airing } = found;
    return {
      session: viewer.session,
      channel: airing.channel,
      holdBack: holdBackMillis(airing.ladder),
      lag: airing.programme.lag,
      spanOf: (adId) => adSpan(viewer, adId),
      reload: async () => void (await deps.viewers.reload(airing, viewer, now)),
    };
  },
  loadMedia: deps.loadMedia,
  recordDelivery: deps.recordDelivery,
  onLost: deps.onLost,
  now: deps.now,
  timers: deps.timers,
});

/** @returns undefined if no VoD channel with this id has the session or the segment */
async function requestVodSegment(deps: SegmentRedirectDeps, requested: SegmentRequest) {
  for (const channel of vodChannels(deps, requested.channelId)) {
    const own = await vodDeps(deps, channel, requested.sessionId);
    const found = own && (await requestSegment(own, requested));
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * VoD: the media of an ad belong to the ladder of its title. If the session cannot be read, the ladders that this process has
 * used for the channel lead to the media, so that an outage does not stop the stream.
 */
async function vodDeps(
  deps: SegmentRedirectDeps,
  channel: Channel,
  sessionId: string,
): Promise<SegmentRequestDeps | undefined> {
  const { presentations, titles } = deps.vod;
  const found = await presentations.adsOf(channel, sessionId).catch((error: unknown) => {
    deps.onLost(error, sessionId);
    return titles.laddersOf(channel);
  });
  if (found === undefined) return undefined;
  const ladders = 'ladder' in found ? [found.ladder] : found;
  return {
    ...deps,
    channelsNamed: () => ladders.map((ladder) => ({ channel, airing: presentations.mediaFor(ladder) })),
    async findSession() {
      if (!('session' in found)) return undefined;
      const { session, spans } = found;
      return { session, channel, holdBack: 0, lag: 0, spanOf: (adId) => spans.get(adId), reload: async () => {} };
    },
  };
}

/** GET /hls/:channelId/:sessionId/:adId/:media/:frames/:rung/:segment, and the same below /dash */
export function createSegmentRedirect(deps: SegmentRedirectDeps) {
  const segmentDeps = requestDeps(deps);
  return async (parts: readonly string[], path: string, { request, response }: PlayerRequest): Promise<void> => {
    const [, channelId, sessionId, ...rest] = parts as [string, string, string, ...string[]];
    const segment = readTrackedPath(rest);
    const isDelivery = request.method === 'GET';
    const requested = segment && { channelId, sessionId, segment, isDelivery };
    const found =
      requested && ((await requestVodSegment(deps, requested)) ?? (await requestSegment(segmentDeps, requested)));
    if (found === undefined) throw unknownPath(path);
    const { media, channel } = found;
    replyRedirect(response, (channel && (await deps.mediaUrl(channel, media.url))) ?? redirectTarget(media));
  };
}
