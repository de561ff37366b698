// SPDX-License-Identifier: Apache-2.0
// Where an asset can have a break: at cut points that leave every rung a segment on both sides. Its start and its end always
// are such points, and so are the borders of its parts.
import { memo } from '../../cache/memo.ts';
import { type Flicks, flicks } from '../../time/units.ts';
import type { Asset, Rendition } from './asset.ts';
import { cutClip, MIN_CLIP_DURATION } from './clip.ts';

/** Finds the points of one asset, in flicks after its start. Examines only the cut points around the requested one. */
export type BreakPoints = {
  /** Of two at the same distance, the earlier. Never beyond the ends. */
  nearest(requested: number): Flicks;
  /** The last one at or before `requested`; the start of the asset when there is none. */
  atOrBefore(requested: number): Flicks;
};

/** The asset's cut points, in order. */
const cutPointsOf = memo((asset: Asset): readonly number[] =>
  asset.parts.flatMap((part, index) =>
    [...part.cutPoints].filter((point) => index === 0 || point > 0).map((point) => part.start + point),
  ),
);

function leavesSegments(asset: Asset, renditions: readonly Rendition[], at: number): boolean {
  const index = asset.parts.findIndex(({ start, duration }) => at > start && at < start + duration);
  const part = asset.parts[index];
  if (part === undefined) return true;
  const cut = flicks(at - part.start);
  return (
    Math.min(cut, part.duration - cut) >= MIN_CLIP_DURATION &&
    cutClip('content', asset, renditions, index, flicks(0), cut) !== undefined &&
    cutClip('content', asset, renditions, index, cut, part.duration) !== undefined
  );
}

/** All of them, in order. */
export const usableCutPoints = (asset: Asset, renditions: readonly Rendition[]): Flicks[] =>
  cutPointsOf(asset)
    .filter((point) => leavesSegments(asset, renditions, point))
    .map(flicks);

/** The index of the first point at or after `at`. */
function firstFrom(points: readonly number[], at: number): number {
  let low = 0;
  let high = points.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (points[middle]! < at) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** @param renditions the asset's rendition for each rung */
export function breakPointsOf(asset: Asset, renditions: readonly Rendition[]): BreakPoints {
  const points = cutPointsOf(asset);
  const isUsable = (index: number): boolean => leavesSegments(asset, renditions, points[index]!);
  return {
    nearest(requested) {
      let later = firstFrom(points, requested);
      let earlier = later - 1;
      while (earlier >= 0 || later < points.length) {
        const isEarlier =
          later >= points.length || (earlier >= 0 && requested - points[earlier]! <= points[later]! - requested);
        const index = isEarlier ? earlier-- : later++;
        if (isUsable(index)) return flicks(points[index]!);
      }
      return flicks(0);
    },
    atOrBefore(requested) {
      let index = firstFrom(points, requested);
      if (points[index] !== requested) index -= 1;
      while (index > 0 && !isUsable(index)) index -= 1;
      return flicks(points[Math.max(index, 0)] ?? 0);
    },
  };
}
