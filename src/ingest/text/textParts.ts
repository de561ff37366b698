// Sidecar text tells no media time: its borders count from the start of the asset or of the part, and are put on the time of
// the pictures here.
import { cutUrls } from '../../dash/withinPeriod.ts';
import { type Flicks, flicksToTicks } from '../../time/units.ts';
import type { Rendition, Track } from '../../timeline/asset.ts';

/** A part of the pictures that text is laid beside. */
export type TextPlace = {
  readonly part: number;
  /** How many parts there are. */
  readonly parts: number;
  /** The media time of the part's start. */
  readonly zero: Flicks;
  /** Where the part's media start and end in the whole asset's. */
  readonly from: Flicks;
  readonly to: Flicks;
};

/** True when one playlist of text goes on through all parts: keys and initialisation sections change without it. */
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

/** The segments that reach into what lies between two times; one may reach into several parts, and there may be none. */
function within(track: Track, start: number, end: number): Track {
  const { borders, urls } = track;
  const count = borders.length - 1;
  let first = 0;
  while (first < count && borders[first + 1]! <= start) first += 1;
  let last = first;
  while (last < count && borders[last]! < end) last += 1;
  return { ...track, borders: borders.slice(first, last + 1), urls: cutUrls(urls, { first, end: last }) };
}
