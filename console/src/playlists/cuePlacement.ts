// SPDX-License-Identifier: Apache-2.0
// Where breaks fall on an item: the same rule as on air (channels/cuePoints.ts), so that dragging shows the result.
// Cut points are seconds of the asset in ascending order; the API returns only those that a channel can use.
import { cuePointsOf, MAX_BREAKS, nearestPoint } from '../../../src/scheduling/breakRules.ts';
import { type ContentItem, type DraftCue, type DraftItem, newCue } from './playlistDraft.ts';

export type SpliceType = NonNullable<ContentItem['spliceType']>;

/** The cut point a number of steps away, or the last one in that direction. @param steps negative steps go back */
export function stepCutPoint(points: readonly number[], seconds: number, steps: number): number {
  const index = points.indexOf(nearestPoint(points, seconds) ?? -1);
  return points[Math.min(points.length - 1, Math.max(0, index + steps))] ?? seconds;
}

/** A position that stands for the end of the item. */
export const POST_ROLL = -1;

export const toSeconds = (spliceTime: number, type: SpliceType, duration: number): number =>
  spliceTime === POST_ROLL ? duration : type === 'percent' ? (duration * spliceTime) / 100 : spliceTime;

/** The API warns about a break that moves further than this. Seconds. */
export const MAX_MOVE = 5;

/** Rounds to thousandths, which is finer than any segment. */
export const fromSeconds = (seconds: number, type: SpliceType, duration: number): number => {
  const value = type === 'percent' ? (seconds / duration) * 100 : seconds;
  return Math.round(value * 1000) / 1000;
};

/** Where to put another break: the cut point nearest to the middle of the longest interval without one. */
export function freeCutPoint(points: readonly number[], taken: readonly number[], duration: number): number {
  let longest = { length: -1, middle: duration / 2 };
  let start = 0;
  for (const end of [...[...taken].sort((a, b) => a - b), duration]) {
    const length = end - start;
    if (length > longest.length) longest = { length, middle: start + length / 2 };
    start = end;
  }
  return nearestPoint(points, longest.middle) ?? longest.middle;
}

// Breaks at a regular distance.

type Regular = {
  readonly minutes: number;
  /** Seconds; undefined for the default of the channel. */
  readonly maxDuration: number | undefined;
  readonly maxAds: number | undefined;
  /** Whether the breaks that the item has are removed. */
  readonly isReplacing: boolean;
};
export type Measured = { readonly duration: number; readonly cutPoints: readonly number[] };

/** Where the breaks fall, in seconds. */
export const regularPoints = (measured: Measured, minutes: number): number[] =>
  cuePointsOf({ every: minutes * 60 }, measured).map(({ spliceTime }) => spliceTime);

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
  return { ...item, cuePoints: [...kept, ...cues].slice(0, MAX_BREAKS) };
}
