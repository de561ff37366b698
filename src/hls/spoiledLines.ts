// SPDX-License-Identifier: Apache-2.0
// What an invalid line of a live playlist costs: the segments that depend on it become gaps, and keep their numbers.
import type { LivePlaylist, MediaPlaylist, Segment } from './mediaPlaylist.ts';
import { type InvalidPlaylist, invalidLine } from './readLines.ts';
import type { ReadingState } from './readMediaTags.ts';

const GAP = 'the segment is a gap';

/** @param tag the tag that is invalid; `URI` for the line of a segment. @returns the effect, for the warning */
export function spoil(state: ReadingState, tag: string, { code }: InvalidPlaylist): string {
  switch (tag) {
    case 'URI':
      if (code === 'NO_TAG') return 'the line is ignored';
      state.next.lacks.add(code === 'NO_EXTINF' ? 'length' : 'media');
      return GAP;
    case 'EXTINF':
      state.next.lacks.add('length');
      return GAP;
    case 'EXT-X-BYTERANGE':
      state.next.lacks.add('media');
      return GAP;
    case 'EXT-X-MAP':
      delete state.map;
      state.lacks.add('map');
      return 'segments without a known initialization section are gaps until the next EXT-X-MAP';
    case 'EXT-X-KEY':
      state.keys = [];
      state.lacks.add('keys');
      return 'segments without a known key are gaps until the next EXT-X-KEY';
    case 'EXT-X-MEDIA-SEQUENCE':
      state.playlist.isUnnumbered = true;
      return 'segments are numbered as before';
    case 'EXT-X-TARGETDURATION':
      return 'the duration of the longest segment is used';
    default:
      return 'the tag is ignored';
  }
}

/** The URI of a segment is missing: the tags of the next one follow those of the one before it. */
export function lostUri(
  { micros, line, programDateTime }: ReadingState['next'],
  tag: string,
  at: number,
): InvalidPlaylist | undefined {
  const isNext =
    tag === 'EXTINF'
      ? line !== undefined
      : tag === 'EXT-X-PROGRAM-DATE-TIME' && micros !== undefined && programDateTime !== undefined;
  return isNext
    ? invalidLine(at, 'NO_URI', 'a segment must have a URI before the tags of the next one', `#${tag}`)
    : undefined;
}

/**
 * The lengths that are not known: those of the segments before, or of the first one with a length, on average. Audio segments differ by
 * a frame, and a length that is wrong by a frame leaves a rendition without a border in common with the others.
 */
export function estimateLengths(playlist: MediaPlaylist): Omit<LivePlaylist, 'warnings'> {
  const { targetDuration = 0 } = playlist;
  const isUnknown = ({ lacks }: Segment): boolean => lacks?.includes('length') ?? false;
  if (!playlist.segments.some(isUnknown)) return playlist;
  const known = playlist.segments.flatMap((segment) => (isUnknown(segment) ? [] : [segment.micros]));
  const newest = known.slice(-MAX_AVERAGED);
  const usual = (like: number): number => {
    const alike = newest.filter((each) => Math.abs(each - like) <= LONGEST_FRAME);
    return alike.length === 0 ? like : Math.round(alike.reduce((sum, each) => sum + each, 0) / alike.length);
  };
  let before = known[0];
  const segments = playlist.segments.map((segment) => {
    if (isUnknown(segment)) {
      const micros = before === undefined ? targetDuration * 1_000_000 : usual(before);
      return segment.micros === 0 ? { ...segment, micros } : segment;
    }
    before = segment.micros;
    return segment;
  });
  return { ...playlist, segments };
}

/** Microseconds: of 2048 samples at 44.1 kHz. */
const LONGEST_FRAME = 46_440;
/** Each unknown length is compared with so many: all of a playlist of a day would take seconds. */
const MAX_AVERAGED = 60;

/** Digits of a fraction; a shorter number after the comma may be a title. */
const FRACTION = /^#EXTINF:\s*\d+,(\d{3,9})(?:(,)|$)/;

/**
 * Encoders that write the numbers of a locale write all of them like this: `5,005`. Whole titles may look the same, but titles that
 * are numbers count.
 */
export function hasDecimalCommas(lines: readonly string[]): boolean {
  let before: string | undefined;
  let count = 0;
  let isCounting = true;
  for (const line of lines) {
    if (!line.startsWith('#EXTINF:')) continue;
    const [, fraction, comma] = FRACTION.exec(line) ?? [];
    if (fraction === undefined || (before !== undefined && fraction.length !== before.length)) return false;
    if (comma !== undefined || (before !== undefined && Number(fraction) !== Number(before) + 1)) isCounting = false;
    before = fraction;
    count += 1;
  }
  return count > 0 && !isCounting;
}
