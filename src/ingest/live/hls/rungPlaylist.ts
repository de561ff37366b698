// SPDX-License-Identifier: Apache-2.0
// The media playlist of one rung, one reading after the other.
import { memo } from '../../../cache/memo.ts';
import { type Attributes, writeAttributes } from '../../../hls/attributes.ts';
import type {
  Lack,
  LivePlaylist,
  MediaPlaylist,
  Segment,
  SegmentKeys,
  SegmentMap,
} from '../../../hls/mediaPlaylist.ts';
import type { Variables } from '../../../hls/readLines.ts';
import { readingLiveMedia } from '../../../hls/readMedia.ts';
import { nameOf } from '../../../live/align/segmentLists.ts';
import type { OriginSegment } from '../../../live/origin.ts';
import type { OriginFailure } from '../../../live/ports.ts';
import { numberAt } from '../../../time/row.ts';
import type { Sliced } from '../../../time/sliced.ts';
import { type Flicks, secondsToFlicks } from '../../../time/units.ts';
import type { MediaRef } from '../../../timeline/asset/asset.ts';
import { resolve } from '../../import/hlsParts.ts';
import { type FetchedManifest, shortUrl } from '../../source/mediaReader.ts';
import { createSegmentLengths, microsToFlicks, rungDates, type SharedPace } from './segmentLengths.ts';

export type ListedPlaylist = {
  readonly playlist: MediaPlaylist;
  /** The index of the first of `segments` in the playlist. */
  readonly first: number;
  readonly segments: readonly OriginSegment[];
  /** EXT-X-PART, which is not used. */
  readonly hasParts: boolean;
  /** The EXTINF values of `segments`, if they may be too inexact to count media times from. */
  readonly stated?: readonly Flicks[];
  /** One sentence for each line that is not used as written. */
  readonly warnings: readonly string[];
};

/** What later readings list of what an earlier one listed. It lasts longer than an outage of the store. */
const OVERLAP = secondsToFlicks(900);

/** @param pace of the first rung, which the others follow */
export function createRungPlaylist(pace: SharedPace = {}, rung = 0) {
  const lengthsOf = createSegmentLengths(pace, rung === 0);
  let text: string | undefined;
  let base = '';
  let listed: ListedPlaylist | undefined;
  /** The number of the first segment that is listed again. */
  let since = 0;
  return {
    /** Undefined until a playlist was taken. */
    listed: () => listed,
    /** @returns whether it has changed */
    *take(fetched: FetchedManifest, variables: Variables): Sliced<boolean | OriginFailure> {
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
      const stated = isRough && numbered.segments.slice(first).map(({ micros }) => microsToFlicks(micros));
      const about = { hasParts: hasParts(fetched.text), ...(stated && { stated }), warnings };
      listed = { playlist, first, segments, ...about };
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

// The segments of a live media playlist with their numbers, instants and absolute URLs. Playlists may list half a day, so only what
// may be new is converted.

/** Microseconds. The segments at a marker may be shorter, but not all segments. */
const SHORTEST = 100_000;
const MAX_SHORT = 1000;
const IN_SLICE = 1000;

/** `warnings`: one sentence for each URI that cannot be used. */
type RungSegments = { readonly segments: readonly OriginSegment[]; readonly warnings: readonly string[] };

/**
 * @param url of the playlist, after redirects
 * @param first the index of the first segment that is converted
 * @param before what the last reading found
 * @returns an error if no segment can be used
 */
export function* rungSegments(
  playlist: LivePlaylist,
  url: string,
  first: number,
  before: readonly OriginSegment[],
): Sliced<RungSegments | { readonly refused: string }> {
  const { segments, mediaSequence } = playlist;
  const listed = segments.slice(first);
  const short = listed.filter(({ micros }) => micros > 0 && micros < SHORTEST);
  const [shortest] = short;
  if (shortest !== undefined && short.length > MAX_SHORT)
    return { refused: `line ${shortest.line}: ${short.length} segments are shorter than 0.1 s; check their EXTINF` };
  const keyWriter = createKeyWriter(url);
  const inits = memo((map: SegmentMap) => refOf(map, url));
  const media: (Ref & { readonly segment: Segment })[] = [];
  for (const segment of listed) {
    if (media.length % IN_SLICE === IN_SLICE - 1) yield;
    const { ref, isUsable } = refOf(segment, url);
    media.push({ segment, ref, isUsable });
  }
  const earlier = (index: number): OriginSegment | undefined => {
    const known = before[mediaSequence + index - (before[0]?.number ?? 0)];
    return known !== undefined && nameOf(known.media) === nameOf(media[index - first]?.ref) ? known : undefined;
  };
  const dates = yield* rungDates(segments, first, (index) => earlier(index)?.startsAt);
  const discontinuities = countDiscontinuities(playlist, first, before, earlier);
  const warnings: string[] = [];
  const converted: OriginSegment[] = [];
  let spoiled = 0;
  for (const [at, { segment, ref, isUsable }] of media.entries()) {
    if (at % IN_SLICE === IN_SLICE - 1) yield;
    const number = mediaSequence + first + at;
    const startsAt = dates[at];
    const stretch = `d${numberAt(discontinuities, at)}`;
    const ofMap = segment.map && inits(segment.map);
    if (!isUsable || ofMap?.isUsable === false) {
      const { line } = (isUsable ? segment.map : undefined) ?? segment;
      const gap = isUsable ? 'segments without a known initialization section are gaps' : 'the segment is a gap';
      warnings.push(`line ${line}: a segment must have an http or https URI; ${gap}`);
    }
    const last = converted.at(-1) ?? before.findLast((each) => each.number < number);
    const known = earlier(first + at);
    const lacksMap = ofMap?.isUsable === false || segment.lacks?.includes('map') === true;
    const lacksKeys = segment.lacks?.includes('keys') === true;
    const init = lacksMap ? (known ?? (last?.stretch === stretch ? last : undefined))?.init : ofMap?.ref;
    const keys = lacksKeys ? known?.keys : segment.keys.length > 0 && keyWriter.ofSegment(segment.keys, number);
    const initKeys =
      lacksKeys || lacksMap ? known?.initKeys : segment.map && keyWriter.ofMap(segment.map, segment.keys);
    const isSpoiled =
      !isUsable || (lacksMap && init === undefined) || (lacksKeys && !keys) || segment.lacks?.some(isOwn) === true;
    if (isSpoiled) spoiled += 1;
    converted.push({
      number,
      ...(startsAt && { startsAt }),
      duration: microsToFlicks(segment.micros),
      media: ref,
      ...(init && { init }),
      ...(keys && { keys }),
      ...(initKeys && { initKeys }),
      stretch,
      ...((segment.gap || isSpoiled) && { isGap: true }),
    });
  }
  if (spoiled > 0 && spoiled === converted.length)
    return { refused: `${[...playlist.warnings, ...warnings][0]}; no other segment can be used` };
  return { segments: converted, warnings: [...new Set(warnings)] };
}

/** What only the segment itself lacks. */
const isOwn = (lack: Lack): boolean => lack === 'length' || lack === 'media';

type Ref = { readonly ref: MediaRef; readonly isUsable: boolean };

/** A URI that cannot be used still names its segment. */
function refOf({ uri, range }: Pick<Segment, 'uri' | 'range'>, base: string): Ref {
  const absolute = resolve(uri, base);
  const url = absolute ?? new URL(encodeURIComponent(uri), base).href;
  return { ref: { url, ...(range && { range }) }, isUsable: absolute !== undefined };
}

/**
 * The discontinuity sequence numbers of the segments from `first` on (RFC 8216 §6.2.2). Where the playlist does not count those
 * that have left it, an earlier reading does.
 */
function countDiscontinuities(
  { segments, discontinuitySequence, mediaSequence }: MediaPlaylist,
  first: number,
  before: readonly OriginSegment[],
  earlier: (index: number) => OriginSegment | undefined,
): number[] {
  let count = discontinuitySequence + segments.slice(0, first).filter(({ discontinuity }) => discontinuity).length;
  const counts = segments.slice(first).map(({ discontinuity }) => {
    if (discontinuity) count += 1;
    return count;
  });
  const [oldest, last] = [before[0], before.at(-1)];
  if (discontinuitySequence > 0 || oldest === undefined || last === undefined) return counts;
  const index = Math.max(first, oldest.number - mediaSequence);
  const same = earlier(index);
  const isAfter = mediaSequence + first > last.number;
  const missed = same ? countOf(same) - numberAt(counts, index - first) : isAfter ? countOf(last) : 0;
  return missed === 0 ? counts : counts.map((each) => each + missed);
}

const countOf = ({ stretch }: OriginSegment): number => Number(stretch.slice(1));

// The EXT-X-KEY tags of live segments, in a form that does not depend on the playlist they are in.

/** @param base the URL of the playlist */
function createKeyWriter(base: string) {
  const write = memo((keys: SegmentKeys) => ({
    lists: keys.map((key) => writeAttributes(withAbsoluteUri(key, base))),
    isNumbered: keys.map(isNumbered),
  }));
  return {
    /** The attribute lists of the tags in force at the segment with this media sequence number. */
    ofSegment(keys: SegmentKeys, number: number): readonly string[] {
      const { lists, isNumbered } = write(keys);
      if (!isNumbered.includes(true)) return lists;
      const iv = number.toString(16).padStart(32, '0');
      return lists.map((list, index) => (isNumbered[index] ? `${list},IV=0x${iv}` : list));
    },
    /** The attribute lists of the tags in force at the EXT-X-MAP; undefined if they are those of the segment. */
    ofMap({ keys: own = NONE }: SegmentMap, keys: SegmentKeys): readonly string[] | undefined {
      const isSame = own === keys || own.length + keys.length === 0;
      return isSame && !write(keys).isNumbered.includes(true) ? undefined : write(own).lists;
    },
  };
}

const NONE: SegmentKeys = [];

/** Whether the media sequence number is the IV (RFC 8216 §5.2). In other formats the IV may come with the key. */
const isNumbered = (key: Attributes): boolean =>
  !key.has('IV') && (key.get('KEYFORMAT')?.value ?? 'identity') === 'identity';

function withAbsoluteUri(key: Attributes, base: string): Attributes {
  const uri = key.get('URI');
  // `skd:` and `data:` URIs stay as written.
  if (uri === undefined || /^[a-z][a-z0-9+.-]*:/i.test(uri.value) || !URL.canParse(uri.value, base)) return key;
  return new Map(key).set('URI', { quoted: true, value: new URL(uri.value, base).href });
}
