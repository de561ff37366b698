// SPDX-License-Identifier: Apache-2.0
// The ads of viewers in benchmarks.

import type { StitchedAd } from '../src/ads/placement/decision.ts';
import { clipIdOf } from '../src/ads/placement/decision.ts';

/** Of 30 creatives for the first ad and 20 for the second, each viewer has one: one in 600 viewers has the same two. */
const pools = [30, 20, 20];

/** Media ids end with their frames. */
export const framesOf = (mediaId: string): number => Number(mediaId.split('x')[1]);

/** A viewer's creatives, the same in each break; with three or more, 12,000 viewers have different ones. */
export function creativesOf(viewer: number, frames: readonly number[]): string[] {
  return frames.map((length, ad) => {
    const pool = ad % pools.length;
    const before = pools.slice(0, pool).reduce((product, size) => product * size, 1);
    return idOf(`${'cde'[pool]}${Math.floor(viewer / before) % pools[pool]!}x${length}`);
  });
}

const ids = new Map<string, string>();

/** The same string for all viewers, as in the product, where it is that of the creative. */
function idOf(text: string): string {
  const id = ids.get(text) ?? text;
  ids.set(text, id);
  return id;
}

export const podOf = (breakId: string, viewer: number, frames: readonly number[]): StitchedAd[] =>
  creativesOf(viewer, frames).map((mediaId, ad) => ({
    adId: clipIdOf(breakId, ad),
    mediaId,
    frames: framesOf(mediaId),
  }));
