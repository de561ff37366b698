// SPDX-License-Identifier: Apache-2.0
// Breaks at a regular distance, each at the cut point nearest to it.
import { fromSeconds, nearestCutPoint } from './cuePlacement.ts';
import { type DraftCue, type DraftItem, newCue } from './playlistDraft.ts';

export type Regular = {
  readonly minutes: number;
  /** Seconds; undefined for the default of the channel. */
  readonly maxDuration: number | undefined;
  readonly maxAds: number | undefined;
  /** Whether the breaks that the item has are removed. */
  readonly isReplacing: boolean;
};
export type Measured = { readonly duration: number; readonly cutPoints: readonly number[] };

/** The number of breaks that an item may have. */
const MAX_CUES = 500;
/** Seconds. A break this close to the start or the end would be a pre-roll or a post-roll. */
const MARGIN = 1;

/** Where the breaks fall, in seconds. */
export function regularPoints({ duration, cutPoints }: Measured, minutes: number): number[] {
  const step = minutes * 60;
  if (!(step > 0)) return [];
  const points: number[] = [];
  for (let at = step; at < duration - MARGIN && points.length < MAX_CUES; at += step) {
    const point = nearestCutPoint(cutPoints, at) ?? at;
    const isNear = Math.abs(point - at) <= step / 2;
    const isWithin = point > MARGIN && point < duration - MARGIN;
    if (isNear && isWithin && points.at(-1) !== point) points.push(point);
  }
  return points;
}

const isSet = (value: number | undefined): value is number => value !== undefined && !Number.isNaN(value);

/** The item with its new breaks, in the unit of the item. */
export function withBreaksEvery(item: DraftItem, measured: Measured, regular: Regular): DraftItem {
  const { maxDuration, maxAds, minutes, isReplacing } = regular;
  const kept = isReplacing ? [] : item.cuePoints;
  const taken = new Set(kept.map(({ spliceTime }) => spliceTime));
  const cues = regularPoints(measured, minutes).flatMap((point): DraftCue[] => {
    const spliceTime = fromSeconds(point, item.spliceType, measured.duration);
    if (taken.has(spliceTime)) return [];
    const { key } = newCue(spliceTime);
    return [{ key, spliceTime, ...(isSet(maxDuration) ? { maxDuration } : {}), ...(isSet(maxAds) ? { maxAds } : {}) }];
  });
  return { ...item, cuePoints: [...kept, ...cues].slice(0, MAX_CUES) };
}
