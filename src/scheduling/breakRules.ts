// SPDX-License-Identifier: Apache-2.0
// Where breaks at regular distances fall. The console shows the same, so this file has no imports but types.
import type { CuePoint } from '../channels/playlist.ts';
import type { BreakRule } from './schedule.ts';

/** Seconds of the entry, in ascending order. */
export type BreakSource = {
  readonly duration: number;
  /** Where its asset can have a break; none if they are not known. */
  readonly cutPoints: readonly number[];
  /** Where its chapters start. */
  readonly chapters?: readonly number[];
};

/** The number of breaks that an entry may have. */
export const MAX_BREAKS = 500;
/** A break this close to the start or the end would be a pre-roll or a post-roll. */
const MARGIN = 1;
/** A break moves to the start of a chapter that is at most so many seconds, and at most a quarter of `every`, away. */
const CHAPTER_REACH = 120;
const SECONDS_PER_HOUR = 3600;
/** Regular positions that are tried: a limit for distances of milliseconds. */
const MAX_TRIED = 10_000;

/**
 * @returns at most MAX_BREAKS cue points in seconds: for each regular position, the nearest cut point that is at most half of
 * `every` away from it, and at least as far from the break before. Where an hour of content would have more than `maxPerHour`,
 * a break is later, or left out
 */
export function cuePointsOf(rule: BreakRule, { duration, cutPoints, chapters = [] }: BreakSource): CuePoint[] {
  const { every, firstAfter = every, notInLast = 0, maxPerHour = Number.POSITIVE_INFINITY } = rule;
  const latest = duration - Math.max(notInLast, MARGIN);
  const isWithin = (at: number): boolean => at > MARGIN && at <= latest;
  const usable = cutPoints.filter(isWithin);
  const starts = chapters.filter(isWithin);
  const reach = Math.min(CHAPTER_REACH, every / 4);
  const points: number[] = [];
  let first = 0;
  for (let i = 0; every > 0 && i < MAX_TRIED && points.length < MAX_BREAKS; i += 1) {
    const at = firstAfter + i * every;
    if (at > latest) break;
    if (!isWithin(at)) continue;
    const hourly = points.length < maxPerHour ? 0 : (points[points.length - maxPerHour] ?? latest) + SECONDS_PER_HOUR;
    const earliest = Math.max(hourly, (points.at(-1) ?? -every) + every / 2);
    const chapter = nearestPoint(starts, at) ?? at;
    const wanted = Math.max(earliest, Math.abs(chapter - at) <= reach ? chapter : at);
    while ((usable[first] ?? earliest) < earliest) first += 1;
    const point = cutPoints.length === 0 ? wanted : nearestPoint(usable, wanted, first);
    if (point !== undefined && isWithin(point) && Math.abs(point - at) <= every / 2) points.push(point);
  }
  const { maxDuration, maxAds } = rule;
  const limits = { ...(maxDuration === undefined ? {} : { maxDuration }), ...(maxAds === undefined ? {} : { maxAds }) };
  return points.map((spliceTime) => ({ spliceTime, ...limits }));
}

/** The nearest of ascending points from index `first` on, the earlier one of two; undefined when there are none. */
export function nearestPoint(points: readonly number[], seconds: number, first = 0): number | undefined {
  let low = first;
  let high = points.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((points[middle] ?? Number.POSITIVE_INFINITY) < seconds) low = middle + 1;
    else high = middle;
  }
  const earlier = low > first ? points[low - 1] : undefined;
  const later = points[low];
  if (earlier === undefined || later === undefined) return earlier ?? later;
  return seconds - earlier <= later - seconds ? earlier : later;
}
