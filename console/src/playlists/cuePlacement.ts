// SPDX-License-Identifier: Apache-2.0
// Where breaks fall on an item: the same rule as on air (channels/cuePoints.ts), so that dragging shows the result.
// Cut points are seconds of the asset in ascending order; the API returns only those that a channel can use.
import type { ContentItem } from './playlistDraft.ts';

export type SpliceType = NonNullable<ContentItem['spliceType']>;

/** The nearest cut point, the earlier one of two; undefined when there are none. */
export function nearestCutPoint(points: readonly number[], seconds: number): number | undefined {
  let low = 0;
  let high = points.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (points[middle]! < seconds) low = middle + 1;
    else high = middle;
  }
  const [earlier, later] = [points[low - 1], points[low]];
  if (earlier === undefined || later === undefined) return earlier ?? later;
  return seconds - earlier <= later - seconds ? earlier : later;
}

/** The cut point a number of steps away, or the last one in that direction. @param steps negative steps go back */
export function stepCutPoint(points: readonly number[], seconds: number, steps: number): number {
  const index = points.indexOf(nearestCutPoint(points, seconds) ?? -1);
  return points[Math.min(points.length - 1, Math.max(0, index + steps))] ?? seconds;
}

/** A position that stands for the end of the item. */
export const POST_ROLL = -1;

export const toSeconds = (spliceTime: number, type: SpliceType, duration: number): number =>
  spliceTime === POST_ROLL ? duration : type === 'percent' ? (duration * spliceTime) / 100 : spliceTime;

/** Rounds to thousandths, which is finer than any segment. */
export const fromSeconds = (seconds: number, type: SpliceType, duration: number): number => {
  const value = type === 'percent' ? (seconds / duration) * 100 : seconds;
  return Math.round(value * 1000) / 1000;
};

/** Where to put another break: the cut point nearest to the middle of the longest interval without one. */
export function freeCutPoint(points: readonly number[], taken: readonly number[], duration: number): number {
  const borders = [0, ...[...taken].sort((a, b) => a - b), duration];
  let longest = { length: -1, middle: duration / 2 };
  for (let index = 1; index < borders.length; index += 1) {
    const length = borders[index]! - borders[index - 1]!;
    if (length > longest.length) longest = { length, middle: borders[index - 1]! + length / 2 };
  }
  return nearestCutPoint(points, longest.middle) ?? longest.middle;
}
