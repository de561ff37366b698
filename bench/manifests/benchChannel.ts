// SPDX-License-Identifier: Apache-2.0
// A channel of synthetic assets on air. No two channels share an asset; they share ads, as in the product.
import type { ConditionedMedia } from '../../src/ads/creative/creative.ts';
import { clipMakerFor, type FindMedia } from '../../src/ads/placement/breakClips.ts';
import type { Channel } from '../../src/channels/channel.ts';
import { type Airing, createPlacements } from '../../src/playback/onAir/airing.ts';
import type { Ladder } from '../../src/timeline/ladder/ladder.ts';
import { syntheticChannel } from '../../test/laws/syntheticChannel.ts';
import { syntheticAsset, syntheticMedia } from '../../test/laws/syntheticMedia.ts';
import { framesOf } from '../benchPods.ts';
import type { BenchShape } from './shape.ts';

const RATE = { n: 25, d: 1 };
const SEGMENT_FRAMES = 50;
/** Channels are at different places of their schedules. */
const STAGGER_SECONDS = 7.3;

const libraries = new Map<string, FindMedia>();

/** Channels with equal ladders find the same media. */
function libraryOf(ladder: Ladder): FindMedia {
  const media = new Map<string, ConditionedMedia>();
  const key = JSON.stringify(ladder);
  const library =
    libraries.get(key) ??
    ((id) => {
      const known = media.get(id) ?? syntheticMedia(id, framesOf(id) || 0, ladder);
      media.set(id, known);
      return known;
    });
  libraries.set(key, library);
  return library;
}

/** When the breaks of an item start, in seconds of its content. */
function cuesOf({ contentSeconds, itemSeconds }: BenchShape): number[] {
  const count = Math.max(1, Math.round(itemSeconds / contentSeconds));
  return Array.from({ length: count }, (_, index) => contentSeconds * (index + 0.5));
}

/** How long the channel has been on air: the last break of an item has begun, and its next item follows the break. */
function secondsOnAir(shape: BenchShape, number: number): number {
  const cues = cuesOf(shape);
  const item = shape.itemSeconds + cues.length * shape.breakSeconds;
  const into = cues.at(-1)! + (cues.length - 1) * shape.breakSeconds + shape.intoBreakSeconds;
  const before = Math.max(0, Math.floor((shape.uptimeSeconds - into) / item));
  return before * item + into + ((number * STAGGER_SECONDS) % item);
}

/** @param now when the first request comes */
export function benchChannel(shape: BenchShape, number: number, now: number): Airing {
  const cuePoints = cuesOf(shape).map((spliceTime) => ({ spliceTime, maxDuration: shape.breakSeconds }));
  const segments = new Array((shape.itemSeconds * RATE.n) / SEGMENT_FRAMES).fill(SEGMENT_FRAMES);
  const items = Array.from({ length: shape.items }, (_, index) => ({
    asset: syntheticAsset({
      ...{ name: `channel${number}.video${index}`, rate: RATE, sampleRate: 48_000, segments },
      qualities: shape.qualities,
    }),
    cuePoints,
  }));
  const channel = syntheticChannel(items, Math.floor(now - 1000 * secondsOnAir(shape, number)));
  return {
    channel: {
      ...{ id: `channel${number}`, playlistSize: shape.playlistSeconds, timeShiftWindow: shape.timeShiftSeconds },
      ...{ tenant: 't', tracking: 'server', apiKey: 'k' },
    } as Channel,
    ...{ life: 'life', ladder: channel.ladder, declared: channel.ladder, programme: channel.programme },
    clips: clipMakerFor(channel.ladder, libraryOf(channel.ladder)),
    hasMedia: () => true,
    signalling: undefined,
    placements: createPlacements(),
  };
}
