// SPDX-License-Identifier: Apache-2.0
// Titles of VoD channels made of synthetic assets.
import { FLICKS_PER_SECOND, type Flicks, flicks } from '../../src/time/units.ts';
import type { Asset } from '../../src/timeline/asset/asset.ts';
import { makeTitle, type Title } from '../../src/vod/title.ts';
import { syntheticAsset } from './syntheticMedia.ts';

export const inFlicks = (seconds: number): Flicks => flicks(Math.round(seconds * FLICKS_PER_SECOND));

/** An asset of segments of 2 s at 25 frames a second. */
export const twoSecondAsset = (name: string, count: number, more: Partial<Asset> = {}): Asset => ({
  ...syntheticAsset({ name, segments: new Array<number>(count).fill(50) }),
  ...more,
});

export function titleOfAll(...assets: readonly Asset[]): Title {
  const keyed = assets.map((asset) => ({ key: asset.id, asset }));
  const title = makeTitle([keyed[0]!, ...keyed.slice(1)]);
  if ('misfits' in title) throw new Error(title.misfits.map(({ reason }) => reason).join('; '));
  return title;
}
