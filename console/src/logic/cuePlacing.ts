// Where cue points stand on an item and where their breaks land: the same rule as on air, so that what is seen while
// dragging is what will be. Cut points are seconds of the asset, growing; those that the interface names can all be used.

export type SpliceType = 'seconds' | 'percent';

/** The cut point nearest to an instant, the earlier of two; undefined when there are none. */
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

/** The next cut point in a direction, or the same at an end. @param steps negative goes back */
export function stepCutPoint(points: readonly number[], seconds: number, steps: number): number {
  const at = points.indexOf(nearestCutPoint(points, seconds) ?? -1);
  return points[Math.min(points.length - 1, Math.max(0, at + steps))] ?? seconds;
}

export const toSeconds = (spliceTime: number, type: SpliceType, duration: number): number =>
  type === 'percent' ? (duration * spliceTime) / 100 : spliceTime;

/** Thousandths are finer than any segment is long. */
export const fromSeconds = (seconds: number, type: SpliceType, duration: number): number => {
  const value = type === 'percent' ? (seconds / duration) * 100 : seconds;
  return Math.round(value * 1000) / 1000;
};

/** A good place for one break more: the cut point nearest to the middle of the longest stretch without one. */
export function freeSpot(points: readonly number[], taken: readonly number[], duration: number): number {
  const borders = [0, ...[...taken].sort((a, b) => a - b), duration];
  let best = { length: -1, middle: duration / 2 };
  for (let index = 1; index < borders.length; index += 1) {
    const length = borders[index]! - borders[index - 1]!;
    if (length > best.length) best = { length, middle: borders[index - 1]! + length / 2 };
  }
  return nearestCutPoint(points, best.middle) ?? best.middle;
}
