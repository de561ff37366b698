// SPDX-License-Identifier: Apache-2.0

/** The usual lengths of ads, in seconds. */
const USUAL = [5, 6, 10, 15, 20, 30, 45, 60, 75, 90, 120];

/** At least one. The most ads that a time can have, if nothing else limits them. */
export const mostAds = (seconds: number): number => Math.max(1, Math.min(30, Math.floor(seconds / Math.min(...USUAL))));

/**
 * The lengths of ads that together fill a time without a gap: the time itself, and each usual length whose rest usual lengths can
 * fill.
 * @param seconds a whole number
 */
export function requestedDurations(seconds: number, maxAds: number): number[] {
  // The fewest ads of usual lengths that fill each time.
  const fewest = [0];
  for (let time = 1; time < seconds; time += 1)
    fewest.push(1 + Math.min(...USUAL.map((length) => fewest[time - length] ?? Number.POSITIVE_INFINITY)));
  const fitting = USUAL.filter((length) => length < seconds && 1 + (fewest[seconds - length] ?? Number.NaN) <= maxAds);
  return [...fitting, seconds];
}
