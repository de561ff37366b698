// SPDX-License-Identifier: Apache-2.0
// A player requests a segment of an ad. The request proves delivery, so it is recorded before the player is redirected to
// the media that all viewers share. The media do not depend on the record: the path of the request identifies them.

import type { ClipMaker } from '../../ads/placement/breakClips.ts';
import { adSegment, type TrackedSegment } from '../../ads/placement/trackedClip.ts';
import type { Channel } from '../../channels/channel.ts';
import { AppError } from '../../errors.ts';
import type { Session } from '../../sessions/session.ts';
import { type Timers, within } from '../../time/clock.ts';
import { type Millis, millis } from '../../time/units.ts';
import type { MediaRef } from '../../timeline/asset/asset.ts';
import type { Clip } from '../../timeline/asset/clip.ts';
import type { Span } from '../../timeline/programme/span.ts';
import { deliveryOf } from './delivery.ts';
import type { RecordDelivery } from './durableRecorder.ts';

/** An enabled channel; `airing` is absent until it is on air. */
export type ServedChannel = {
  readonly channel: Channel;
  readonly airing?: AiredMedia | undefined;
};

type AiredMedia = { readonly clips: Pick<ClipMaker, 'ad'>; readonly hasMedia: (mediaId: string) => boolean };

type PlayingSession = {
  readonly session: Session;
  readonly channel: Channel;
  /** Milliseconds that its player keeps from the live edge. */
  readonly holdBack: number;
  /** Milliseconds by which its timeline is behind the clock. */
  readonly lag: number;
  /** The span of an ad in this viewer's manifests. */
  spanOf(adId: string): Span | undefined;
  /** Reads the decisions that other processes have made. */
  reload(): Promise<void>;
};

export type SegmentRequestDeps = {
  /** Enabled channels with this id, at most one of each tenant. */
  readonly channelsNamed: (channelId: string) => readonly ServedChannel[];
  readonly findSession: (channelId: string, sessionId: string, now: Millis) => Promise<PlayingSession | undefined>;
  /** Makes a medium known that another node has made. @returns false if the store of media does not respond */
  readonly loadMedia?: ((ids: readonly string[]) => Promise<boolean>) | undefined;
  readonly recordDelivery: RecordDelivery;
  /** Receives the error if a delivery could not be recorded. */
  readonly onLost: (error: unknown) => void;
  readonly now: () => Millis;
  readonly timers: Timers;
};

export type SegmentRequest = {
  readonly channelId: string;
  readonly sessionId: string;
  readonly segment: TrackedSegment;
  /** False for HEAD: the player receives no media, so nothing is delivered. */
  readonly isDelivery: boolean;
};

/** `channel` is undefined if the id is ambiguous and the session unknown. */
type RequestedMedia = { readonly media: MediaRef; readonly channel: Channel | undefined };

/** How long a response waits for the record. An unavailable store must not stop the stream. */
const RECORD_TIMEOUT_MS = 1500;

const UNKNOWN_MEDIUM = 'The media of this ad cannot be read at the moment. Retry soon.';

type SharedMedia = { readonly clip: Clip; readonly media: MediaRef };

/** @returns undefined if the media were deleted or do not have this segment */
function sharedMedia({ airing }: ServedChannel, { ad, rung, join, index }: TrackedSegment): SharedMedia | undefined {
  if (airing === undefined || !airing.hasMedia(ad.mediaId)) return undefined;
  let clip: Clip;
  try {
    const ofEach = (quarters: number) => new Array<number>(rung + 1).fill(quarters);
    const sound = join && { leads: ofEach(join.lead), ...(join.end && { trails: ofEach(join.end.trail) }) };
    clip = airing.clips.ad(ad.mediaId, ad.frames, sound);
  } catch {
    // The media cannot be cut to this length, so no manifest lists them with it.
    return undefined;
  }
  const media = adSegment(clip, rung, index - (clip.firsts[rung] ?? 0));
  return media && { clip, media };
}

/** @returns the channel that the session plays */
async function recordRequest(
  deps: SegmentRequestDeps,
  { channelId, sessionId, segment: { ad, rung, index } }: SegmentRequest,
  clip: Clip,
): Promise<Channel | undefined> {
  const now = deps.now();
  const playing = await deps.findSession(channelId, sessionId, now);
  if (playing === undefined) return undefined;
  const { session, channel, holdBack, lag } = playing;
  const findSpan = () => {
    const span = playing.spanOf(ad.adId);
    return span?.placed.clip.asset.id === clip.asset.id ? span : undefined;
  };
  // Another process may have decided the break a moment ago.
  if (findSpan() === undefined) await playing.reload();
  const span = findSpan();
  if (span === undefined) return channel;
  // After an early return, segments of the rest of the ad are not listed, so nothing of them was shown.
  if (index >= (span.placed.clip.cells[rung]?.end ?? 0)) return channel;
  // The start by the clock.
  const startsAt = millis(span.placed.startsAt + lag);
  const place = { adId: ad.adId, clip, startsAt, rung, index };
  const delivery = deliveryOf({ session, ...place, tracking: channel.tracking, holdBack, at: now });
  if (delivery !== undefined) await deps.recordDelivery(delivery);
  return channel;
}

/** @returns undefined if no channel has such a segment. @throws {AppError} UNAVAILABLE if `loadMedia` failed */
export async function requestSegment(
  deps: SegmentRequestDeps,
  request: SegmentRequest,
): Promise<RequestedMedia | undefined> {
  const channels = deps.channelsNamed(request.channelId);
  const isKnown = (await deps.loadMedia?.([request.segment.ad.mediaId])) ?? true;
  // Media belong to one ladder, so it does not matter which tenant's channel with this id supplies them.
  let shared: SharedMedia | undefined;
  for (const channel of channels) shared ??= sharedMedia(channel, request.segment);
  if (shared === undefined) {
    if (isKnown) return undefined;
    throw new AppError('UNAVAILABLE', UNKNOWN_MEDIUM, { part: 'media', retryAfter: 2 });
  }
  const { media, clip } = shared;
  const [first] = channels;
  const only = channels.every(({ channel }) => channel === first?.channel) ? first?.channel : undefined;
  if (!request.isDelivery) return { media, channel: only };
  const recorded = recordRequest(deps, request, clip).catch((error: unknown) => {
    deps.onLost(error);
    return undefined;
  });
  const played = await within(deps.timers, RECORD_TIMEOUT_MS, recorded);
  return { media, channel: only ?? played };
}
