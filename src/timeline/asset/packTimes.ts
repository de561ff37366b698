// SPDX-License-Identifier: Apache-2.0
import type { SegmentUrls } from './asset.ts';
import { numbersIn } from './segmentUrl.ts';

/** A shorter one may equal another number of a URL by chance. */
const DISTINCT_DIGITS = 4;

/**
 * URLs that contain the media time at which each segment starts (`$Time$`, ISO/IEC 23009-1 5.3.9.4.4); undefined when they do
 * not.
 * @param number of the first segment at the origin
 */
export function packTimes(urls: readonly string[], times: readonly number[], number?: number): SegmentUrls | undefined {
  const [first] = urls;
  if (first === undefined) return undefined;
  const isSingle = urls.length === 1;
  for (const [place, match] of numbersIn(first, isSingle, number).entries()) {
    const [digits] = match;
    if (Number(digits) !== times[0] || (isSingle && place > 0 && digits.length < DISTINCT_DIGITS)) continue;
    const prefix = first.slice(0, match.index);
    const suffix = first.slice(match.index + digits.length);
    const width = digits.startsWith('0') ? digits.length : 1;
    const contains = (url: string, index: number) =>
      url === prefix + String(times[index]).padStart(width, '0') + suffix;
    if (urls.every(contains)) return { kind: 'time', prefix, suffix, width };
  }
  return undefined;
}

/**
 * The URL of one segment by its number instead, if it contains a short time. If it is a time, the next URL shows it; players do
 * not apply the numbers that a later MPD introduces to segments that they know.
 */
export function provenTimes(urls: SegmentUrls, times: readonly number[]): SegmentUrls {
  const [time] = times;
  if (urls.kind !== 'time' || time === undefined || times.length !== 1 || String(time).length >= DISTINCT_DIGITS)
    return urls;
  return { ...urls, kind: 'number', first: time };
}
