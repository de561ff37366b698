// A segment of a viewer's ad: the request is the proof of delivery, the answer a redirect to the media that all share.
// The media come whatever becomes of the record: they stand in the address.
import { adSegment } from '../../ads/placement/adSegment.ts';
import { readTrackedPath, redirectTarget, type TrackedSegment } from '../../ads/placement/trackedClip.ts';
import type { Channel } from '../../channels/channel.ts';
import { AppError } from '../../errors.ts';
import type { Airing, EnabledChannel } from '../../playback/onAir/airing.ts';
import type { Viewer } from '../../playback/viewers/viewers.ts';
import { within } from '../../time/clock.ts';
import type { MediaRef } from '../../timeline/asset.ts';
import type { Clip } from '../../timeline/clip.ts';
import { holdBackMillis } from '../../timeline/holdBack.ts';
import type { Span } from '../../timeline/span.ts';
import { deliveryOf } from '../../tracking/delivery.ts';
import type { RecordDelivery } from '../../tracking/recordDelivery.ts';
import { findWatching } from './findWatching.ts';
import type { Asked, PlayerDeps } from './player.ts';
import { replyRedirect } from './reply.ts';

export type TrackedDeps = PlayerDeps & {
  readonly recordDelivery: RecordDelivery;
  /** Where the media at a shared path lie for viewers of a channel; undefined: here. */
  readonly elsewhere: (channel: Channel, path: string) => string | undefined;
  /** A delivery that could not be written down. */
  readonly onLost: (error: unknown, sessionId: string) => void;
};

/** Milliseconds that a viewer waits for the record, wherever it is kept: a store that is away does not stop the stream. */
const PATIENCE = 1500;

type SharedMedia = { readonly clip: Clip; readonly media: MediaRef };

/** What all viewers share; undefined when its media are gone, or no such segment is in them. */
function sharedMedia({ hasMedia, clips }: Airing, { ad, rung, index }: TrackedSegment): SharedMedia | undefined {
  if (!hasMedia(ad.mediaId)) return undefined;
  let clip: Clip;
  try {
    clip = clips.ad(ad.mediaId, ad.frames);
  } catch {
    // Nobody's media play at this length.
    return undefined;
  }
  const media = adSegment(clip, rung, index - (clip.firsts[rung] ?? 0));
  return media && { clip, media };
}

/** The name of media tells their ladder: where several tenants have a channel of this id, those that show them agree. */
function mediaOnAir(named: readonly EnabledChannel[], segment: TrackedSegment): SharedMedia | undefined {
  for (const { airing } of named) {
    const shared = airing && sharedMedia(airing, segment);
    if (shared !== undefined) return shared;
  }
  return undefined;
}

const spanOf = ({ choices }: Viewer, { ad }: TrackedSegment, shared: Clip): Span | undefined => {
  for (const { spans } of choices.decided) {
    const found = spans.find(({ adId }) => adId === ad.adId);
    if (found !== undefined) return found.placed.clip.asset.id === shared.asset.id ? found : undefined;
  }
  return undefined;
};

/** @returns the channel that the session watches */
async function note(
  deps: TrackedDeps,
  channelId: string,
  sessionId: string,
  segment: TrackedSegment,
  shared: Clip,
): Promise<Channel | undefined> {
  const now = deps.now();
  const watching = await findWatching(deps, channelId, sessionId, now);
  if (watching === undefined) return undefined;
  const { viewer, airing } = watching;
  // Another process may have decided the break a moment ago.
  if (spanOf(viewer, segment, shared) === undefined) await deps.viewers.reload(airing, viewer, now);
  const span = spanOf(viewer, segment, shared);
  if (span === undefined) return airing.channel;
  const { rung, index } = segment;
  const { tracking } = airing.channel;
  const holdBack = holdBackMillis(airing.ladder);
  const delivery = deliveryOf({ session: viewer.session, span, rung, index, tracking, holdBack, at: now });
  if (delivery !== undefined) await deps.recordDelivery(delivery);
  return airing.channel;
}

/** GET /hls/:channelId/:sessionId/:adId/:media/:frames/:rung/:segment, and the same below /dash */
export async function sendTracked(deps: TrackedDeps, parts: readonly string[], path: string, asked: Asked) {
  const [, channelId, sessionId, ...rest] = parts as [string, string, string, ...string[]];
  const segment = readTrackedPath(rest);
  const named = deps.airings.named(channelId);
  const found = segment && mediaOnAir(named, segment);
  if (segment === undefined || found === undefined) throw new AppError('NOT_FOUND', `There is nothing at ${path}.`);
  let channel = named.length === 1 ? named[0]!.channel : undefined;
  // Whoever only looks whether it is there has not been given anything.
  if (asked.request.method === 'GET') {
    const noted = note(deps, channelId, sessionId, segment, found.clip).catch((error: unknown) => {
      deps.onLost(error, sessionId);
      return undefined;
    });
    const watched = await within(deps.timers, PATIENCE, noted);
    channel ??= watched;
  }
  const { media } = found;
  const there = channel && deps.elsewhere(channel, media.url);
  replyRedirect(asked.response, there ?? redirectTarget(media));
}
