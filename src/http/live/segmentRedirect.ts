// SPDX-License-Identifier: Apache-2.0
// The route of an ad segment in a session: a redirect to the media that all viewers share.
import { readTrackedPath, redirectTarget } from '../../ads/placement/trackedClip.ts';
import type { Channel } from '../../channels/channel.ts';
import type { EnabledChannel } from '../../playback/onAir/airing.ts';
import type { Viewer } from '../../playback/viewers/viewers.ts';
import type { Millis } from '../../time/units.ts';
import { holdBackMillis } from '../../timeline/ladder/ladder.ts';
import type { Span } from '../../timeline/programme/span.ts';
import type { RecordDelivery } from '../../tracking/deliveries/durableRecorder.ts';
import type { LateDeliveries } from '../../tracking/deliveries/lateDeliveries.ts';
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
  /** Keeps deliveries whose session cannot be read. */
  readonly late: Pick<LateDeliveries, 'keep'>;
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

/** A request, and what happens if its delivery cannot be recorded. */
type Delivering = SegmentRequest & { readonly at: Millis; readonly onLost: (error: unknown) => void };

const requestDeps = (deps: SegmentRedirectDeps, { at, onLost }: Delivering): SegmentRequestDeps => ({
  channelsNamed: (channelId) => deps.airings.named(channelId).flatMap(servedBy),
  async findSession(channelId, sessionId) {
    const now = deps.now();
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
  onLost,
  now: () => at,
  timers: deps.timers,
});

/** @returns undefined if no VoD channel with this id has the session or the segment */
async function requestVodSegment(deps: SegmentRedirectDeps, requested: Delivering) {
  for (const channel of vodChannels(deps, requested.channelId)) {
    const own = await vodDeps(deps, channel, requested);
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
  { sessionId, isDelivery, at, onLost }: Delivering,
): Promise<SegmentRequestDeps | undefined> {
  const { presentations, titles } = deps.vod;
  const found = await presentations.adsOf(channel, sessionId).catch((error: unknown) => {
    if (isDelivery) onLost(error);
    return titles.laddersOf(channel);
  });
  if (found === undefined) return undefined;
  const ladders = 'ladder' in found ? [found.ladder] : found;
  return {
    ...deps,
    onLost,
    now: () => at,
    channelsNamed: () => ladders.map((ladder) => ({ channel, airing: presentations.mediaFor(ladder) })),
    async findSession() {
      if (!('session' in found)) return undefined;
      const { session, spans } = found;
      return { session, channel, holdBack: 0, lag: 0, spanOf: (adId) => spans.get(adId), reload: async () => {} };
    },
  };
}

/** Requests a segment, and keeps its delivery for later if the session cannot be read. */
async function request(deps: SegmentRedirectDeps, requested: SegmentRequest, at: Millis) {
  const record = () => request(deps, requested, at);
  const onLost = (error: unknown) => deps.late.keep({ sessionId: requested.sessionId, at, record }, error);
  const delivering = { ...requested, at, onLost };
  return (
    (await requestVodSegment(deps, delivering)) ?? (await requestSegment(requestDeps(deps, delivering), delivering))
  );
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
