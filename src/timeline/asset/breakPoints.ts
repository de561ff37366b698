// SPDX-License-Identifier: Apache-2.0
// Where an asset can have a break: at cut points that leave every rung a segment on both sides. Its start and its end always
// are such points, and so are the borders of its parts.
import { memo } from '../../cache/memo.ts';
import { createLastUpTo } from '../../time/search.ts';
import { type Flicks, flicks } from '../../time/units.ts';
import type { Asset, Rendition } from './asset.ts';
import { cutClip, MIN_CLIP_DURATION } from './clip.ts';

/** The asset's cut points, in order, and the search for the last one up to an instant. */
const cutPointsOf = memo((asset: Asset) => {
  const points = asset.parts.flatMap((part, index) =>
    [...part.cutPoints].filter((point) => index === 0 || point > 0).map((point) => part.start + point),
  );
  return { points, lastUpTo: createLastUpTo(points) };
});

function leavesSegments(asset: Asset, renditions: readonly Rendition[], at: number): boolean {
  const index = asset.parts.findIndex(({ start, duration }) => at > start && at < start + duration);
  const part = asset.parts[index];
  if (part === undefined) return true;
  const cut = flicks(at - part.start);
  const whole = { kind: 'content', asset, part: index } as const;
  return (
    Math.min(cut, part.duration - cut) >= MIN_CLIP_DURATION &&
    cutClip({ ...whole, from: flicks(0) }, renditions, cut) !== undefined &&
    cutClip({ ...whole, from: cut }, renditions, part.duration) !== undefined
  );
}

/** By the ids of the renditions. */
const usableOf = memo((_: Asset) => new Map<string, readonly Flicks[]>());

/** All of them, in order. Many entries of a schedule play one asset. */
export function usableCutPoints(asset: Asset, renditions: readonly Rendition[]): readonly Flicks[] {
  const known = usableOf(asset);
  const key = JSON.stringify(renditions.map(({ id }) => id));
  const usable =
    known.get(key) ??
    cutPointsOf(asset)
      .points.map(flicks)
      .filter((at) => leavesSegments(asset, renditions, at));
  known.set(key, usable);
  return usable;
}

/** Finds the points of one asset, in flicks after its start. Examines only the cut points around the requested one. @param renditions the asset's rendition for each rung */
export function breakPointsOf(asset: Asset, renditions: readonly Rendition[]) {
  const { points, lastUpTo } = cutPointsOf(asset);
  const isUsable = (point: number): boolean => leavesSegments(asset, renditions, point);
  return {
    /** The nearest break point; the earlier one of two at the same distance. Never beyond the ends. */
    nearest(requested: number): Flicks {
      let earlier = lastUpTo(requested);
      let later = earlier + 1;
      for (;;) {
        const before = points[earlier] ?? Number.NEGATIVE_INFINITY;
        const after = points[later] ?? Number.POSITIVE_INFINITY;
        const point = requested - before <= after - requested ? before : after;
        if (!Number.isFinite(point)) return flicks(0);
        if (isUsable(point)) return flicks(point);
        if (point === before) earlier -= 1;
        else later += 1;
      }
    },
    /** The last one at or before `requested`; the start of the asset when there is none. */
    atOrBefore(requested: number): Flicks {
      const earlier = points.slice(0, lastUpTo(requested) + 1);
      return flicks(earlier.findLast((point, index) => index === 0 || isUsable(point)) ?? points[0] ?? 0);
    },
  };
}

export type BreakPoints = ReturnType<typeof breakPointsOf>;
