// SPDX-License-Identifier: Apache-2.0
// The ads of viewers in benchmarks.
import { clipIdOf } from '../src/ads/placement/clipIds.ts';
import type { StitchedAd } from '../src/ads/placement/decision.ts';

/** Of 30 creatives of ten seconds and 20 of fifteen, each viewer has two: one in 600 viewers has the same. */
const shared = (viewer: number): string[] => [`c${viewer % 30}x250`, `d${Math.floor(viewer / 30) % 20}x375`];

/** Three creatives in turn, of which 12,000 viewers have different ones. */
const own = (viewer: number, ads: number): string[] => {
  const creatives = [...shared(viewer), `e${Math.floor(viewer / 600) % 20}x375`];
  return Array.from({ length: ads }, (_, ad) => creatives[ad % creatives.length]!);
};

/** Media ids end with their frames. */
export const framesOf = (mediaId: string): number => Number(mediaId.split('x')[1]);

/** @param ownAds how many ads each viewer has that no other viewer has; 0 for two ads that viewers share */
export const podOf = (breakId: string, viewer: number, ownAds = 0): StitchedAd[] =>
  (ownAds > 0 ? own(viewer, ownAds) : shared(viewer)).map((mediaId, ad) => ({
    adId: clipIdOf(breakId, ad),
    mediaId,
    frames: framesOf(mediaId),
  }));
