// SPDX-License-Identifier: Apache-2.0
// The media playlist of one rung, one reading after the other.
import type { LivePlaylist, MediaPlaylist } from '../../../hls/mediaPlaylist.ts';
import type { Variables } from '../../../hls/readLines.ts';
import { readingLiveMedia } from '../../../hls/readMedia.ts';
import { nameOf } from '../../../live/align/segmentLists.ts';
import type { OriginSegment } from '../../../live/origin.ts';
import type { OriginFailure } from '../../../live/ports.ts';
import { numberAt } from '../../../time/row.ts';
import type { Sliced } from '../../../time/sliced.ts';
import { secondsToFlicks } from '../../../time/units.ts';
import { type FetchedManifest, shortUrl } from '../../source/mediaReader.ts';
import { refOf, rungSegments } from './rungSegments.ts';
import { createSegmentLengths, type SharedPace } from './segmentLengths.ts';

export type ListedPlaylist = {
  readonly playlist: MediaPlaylist;
  /** The index of the first of `segments` in the playlist. */
  readonly first: number;
  readonly segments: readonly OriginSegment[];
  /** EXT-X-PART, which is not used. */
  readonly hasParts: boolean;
  /** Whether its EXTINF values are too inexact to count media times from. */
  readonly isRough: boolean;
  /** One sentence for each line that is not used as written. */
  readonly warnings: readonly string[];
};

type RungPlaylist = {
  /** @returns whether it has changed */
  take(fetched: FetchedManifest, variables: Variables): Sliced<boolean | OriginFailure>;
  /** Undefined until a playlist was taken. */
  listed(): ListedPlaylist | undefined;
};

/** What later readings list of what an earlier one listed. It lasts longer than an outage of the store. */
const OVERLAP = secondsToFlicks(900);

/** @param pace of the first rung, which the others follow */
export function createRungPlaylist(pace: SharedPace = {}, rung = 0): RungPlaylist {
  const lengthsOf = createSegmentLengths(pace, rung === 0);
  let text: string | undefined;
  let base = '';
  let listed: ListedPlaylist | undefined;
  /** The number of the first segment that is listed again. */
  let since = 0;
  return {
    listed: () => listed,
    *take(fetched, variables) {
      if (fetched.text === text && fetched.url === base) return false;
      const { url } = fetched;
      const read = yield* readingLiveMedia(fetched.text, { url, imports: variables });
      if ('refused' in read) return { refused: `${shortUrl(url)}: ${read.refused}` };
      if (read.iFramesOnly) return { refused: `${shortUrl(url)} lists only I-frames (EXT-X-I-FRAMES-ONLY)` };
      const before = listed?.segments ?? [];
      const numbered = numberedAs(read, url, before);
      const first = firstIndex(numbered, since);
      const { playlist, isRough, warnings: ofLengths } = yield* lengthsOf(numbered, first);
      const converted = yield* rungSegments(playlist, url, first, before);
      if ('refused' in converted) return { refused: `${shortUrl(url)}: ${converted.refused}` };
      const { segments } = converted;
      const lines = shortened([...read.warnings, ...converted.warnings, ...ofLengths]);
      const warnings = lines.map((line) => `${shortUrl(url)}: ${line}`);
      listed = { playlist, first, segments, hasParts: hasParts(fetched.text), isRough, warnings };
      since = overlapOf(segments);
      text = fetched.text;
      base = url;
      return true;
    },
  };
}

/** EXT-X-PART: of a playlist of a day, one search is enough. */
export const hasParts = (text: string): boolean => text.includes('#EXT-X-PART:') && /^#EXT-X-PART:/m.test(text);

/** An origin with many invalid lines must not hide other warnings. */
const MAX_WARNINGS = 5;

export const shortened = (warnings: readonly string[]): string[] =>
  warnings.length <= MAX_WARNINGS
    ? [...warnings]
    : [...warnings.slice(0, MAX_WARNINGS), `${warnings.length - MAX_WARNINGS} more lines are invalid`];

/** Without EXT-X-MEDIA-SEQUENCE, segments that are listed again keep their numbers. */
function numberedAs(playlist: LivePlaylist, url: string, before: readonly OriginSegment[]): LivePlaylist {
  const last = before.at(-1);
  if (!playlist.isUnnumbered || last === undefined) return playlist;
  const numbers = new Map(before.map(({ media, number }) => [nameOf(media), number]));
  const listed = playlist.segments.map((segment) => numbers.get(nameOf(refOf(segment, url).ref)) ?? Number.NaN);
  const index = listed.findLastIndex((number) => !Number.isNaN(number));
  return { ...playlist, mediaSequence: index < 0 ? last.number + 1 : numberAt(listed, index) - index };
}

/** All segments if numbers start again. */
function firstIndex({ mediaSequence, segments }: MediaPlaylist, since: number): number {
  const index = since - mediaSequence;
  return index > 0 && index < segments.length ? index : 0;
}

function overlapOf(segments: readonly OriginSegment[]): number {
  let [length, first] = [0, 0];
  for (const { number, duration } of segments.toReversed()) {
    if (length >= OVERLAP) break;
    length += duration;
    first = number;
  }
  return first;
}
