// SPDX-License-Identifier: Apache-2.0
import { type ContentItem, type CuePoint, POST_ROLL } from './playlist.ts';

/**
 * The requested position of a cue point in milliseconds from the item's start; −1 at or after its end.
 * @param duration of the item in seconds, if known
 * @returns undefined for a percentage of an unknown duration
 */
export function spliceMillis(
  { spliceTime }: CuePoint,
  { spliceType }: ContentItem,
  duration: number | undefined,
): number | undefined {
  if (spliceTime === POST_ROLL) return POST_ROLL;
  if (spliceType === 'percent') {
    if (spliceTime === 0) return 0;
    if (spliceTime >= 100) return POST_ROLL;
    return duration === undefined ? undefined : Math.round(duration * spliceTime * 10);
  }
  return duration !== undefined && spliceTime >= duration ? POST_ROLL : Math.round(spliceTime * 1000);
}
