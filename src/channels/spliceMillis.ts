import type { ContentItem, CuePoint } from './playlist.ts';

/** After the last frame. */
const POST_ROLL = -1;

/**
 * Where a cue point is wanted, in milliseconds from the item's start; −1 at or after its end.
 * @param duration seconds of the item, when they are known
 * @returns undefined when a percentage has no duration to be of
 */
export function spliceMillis(
  { spliceTime }: CuePoint,
  { spliceType }: ContentItem,
  duration: number | undefined,
): number | undefined {
  if (spliceType === 'percent') {
    if (spliceTime === 0) return 0;
    if (spliceTime >= 100) return POST_ROLL;
    return duration === undefined ? undefined : Math.round(duration * spliceTime * 10);
  }
  return duration !== undefined && spliceTime >= duration ? POST_ROLL : Math.round(spliceTime * 1000);
}
