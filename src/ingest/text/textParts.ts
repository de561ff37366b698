// SPDX-License-Identifier: Apache-2.0
// Sidecar text has no media times. Its borders count from the start of the asset or of the part, and are moved to the media
// time of the video here.
import { cutUrls } from '../../dash/withinPeriod.ts';
import { type Flicks, flicksToTicks } from '../../time/units.ts';
import type { Rendition, Track } from '../../timeline/asset/asset.ts';

/** The part of the video that text accompanies. */
export type TextPlace = {
  readonly part: number;
  /** The number of parts. */
  readonly parts: number;
  /** The media time at the start of the part. */
  readonly zero: Flicks;
  /** The start and end of the part's media within those of the asset. */
  readonly from: Flicks;
  readonly to: Flicks;
};

/** True if one text playlist spans all parts: a change of keys or initialization sections need not divide text. */
export const isUndivided = ({ kind, tracks }: Rendition): boolean => kind === 'text' && tracks.length === 1;

export function placeText(rendition: Rendition, { part, parts, zero, from, to }: TextPlace): Track {
  const { timescale, tracks } = rendition;
  const shift = flicksToTicks(zero, timescale);
  if (tracks.length === parts) return shifted(tracks[part]!, shift);
  const [whole] = tracks;
  const [start, end] = [flicksToTicks(from, timescale), flicksToTicks(to, timescale)];
  return shifted(within(whole!, start, end), shift - start);
}

const shifted = (track: Track, shift: number): Track => ({ ...track, borders: track.borders.map((b) => b + shift) });

/** The segments that overlap an interval. A segment may overlap several parts, and a part may have none. */
function within(track: Track, start: number, end: number): Track {
  const { borders, urls } = track;
  const count = borders.length - 1;
  let first = 0;
  while (first < count && borders[first + 1]! <= start) first += 1;
  let last = first;
  while (last < count && borders[last]! < end) last += 1;
  return { ...track, borders: borders.slice(first, last + 1), urls: cutUrls(urls, { first, end: last }) };
}
