// SPDX-License-Identifier: Apache-2.0
// Reads a media playlist (RFC 8216 §4.3.2, §4.3.3) in one pass and assigns tags to segments. URIs stay as written, and
// the media are not read.
import { finish, type Sliced } from '../time/sliced.ts';
import type { ByteRange } from '../timeline/asset/asset.ts';
import { createMarkerCollector } from './markerTag.ts';
import type { LivePlaylist, MediaPlaylist, Segment } from './mediaPlaylist.ts';
import {
  type InvalidPlaylist,
  invalidLine,
  readingLines,
  readTag,
  substitute,
  type VariableSources,
} from './readLines.ts';
import { applyTag, newSegment, type ReadingState } from './readMediaTags.ts';

/** Reading so many lines takes two milliseconds. */
const LINES_IN_SLICE = 2000;

/**
 * @param sources for EXT-X-DEFINE: the playlist's own URL and the variables of the multivariant playlist
 * @returns the playlist, or an error about its first invalid line
 */
export const readMedia = (text: string, sources: VariableSources = {}): MediaPlaylist | InvalidPlaylist =>
  finish(readingMedia(text, sources));

/**
 * Reads the playlist of a channel on air, which one invalid line must not stop: it costs the segments that depend on it.
 * @returns an error if the text is not a playlist
 */
export function* readingLiveMedia(text: string, sources: VariableSources = {}): Sliced<LivePlaylist | InvalidPlaylist> {
  const warnings: string[] = [];
  const playlist = yield* readingMedia(text, sources, (problem, effect) =>
    warnings.push(`${problem.refused}; ${effect}`),
  );
  return 'refused' in playlist ? playlist : { ...estimateLengths(playlist), warnings };
}

/** @param warn if present, an invalid line does not end the reading */
export function* readingMedia(
  text: string,
  sources: VariableSources = {},
  warn?: (problem: InvalidPlaylist, effect: string) => void,
): Sliced<MediaPlaylist | InvalidPlaylist> {
  const lines = yield* readingLines(text);
  if ('refused' in lines) return lines;
  const segments: Segment[] = [];
  const markers = createMarkerCollector();
  const state: ReadingState = {
    playlist: {
      mediaSequence: 0,
      discontinuitySequence: 0,
      ended: false,
      iFramesOnly: false,
      segments,
      markers: markers.tags,
    },
    ...(warn && { warn: (problem) => warn(problem, 'the value ends with the line') }),
    hasDecimalComma: hasDecimalCommas(lines),
    variables: new Map(),
    sources,
    keys: [],
    lacks: new Set(),
    next: newSegment(),
  };
  for (const [index, content] of lines.entries()) {
    if (index % LINES_IN_SLICE === LINES_IN_SLICE - 1) yield;
    if (content === '') continue;
    const line = index + 1;
    const tag = readTag(content);
    let problem: InvalidPlaylist | undefined;
    if (content.startsWith('#')) {
      const replaced = substitute(content, state.variables, line);
      markers.add(typeof replaced === 'string' ? replaced : content, line, segments.length);
    }
    if (tag !== undefined) {
      const lost = warn && lostUri(state.next, tag.name, line);
      if (lost !== undefined) {
        warn?.(lost, spoil(state, 'URI', lost));
        addSegment(state, segments, `missing-${state.playlist.mediaSequence + segments.length}`, line);
      }
      problem = applyTag(state, tag.name, tag.value, line);
    } else if (!content.startsWith('#') && !markers.extend(content, line, state.next.line !== undefined)) {
      problem = addSegment(state, segments, content, line);
      if (problem !== undefined && warn !== undefined) {
        warn(problem, spoil(state, 'URI', problem));
        if (problem.code !== 'NO_TAG') addSegment(state, segments, content, line);
        continue;
      }
    }
    if (problem === undefined) continue;
    if (warn === undefined) return problem;
    warn(problem, spoil(state, tag?.name ?? '', problem));
  }
  return state.playlist;
}

/** @returns a problem of a segment that lacks nothing yet; then it is not added */
function addSegment(
  state: ReadingState,
  segments: Segment[],
  content: string,
  line: number,
): InvalidPlaylist | undefined {
  const { next } = state;
  const lacks = [...next.lacks, ...state.lacks];
  const isSpoiled = next.lacks.size > 0;
  // A segment that lost its EXTINF has a URI. Packagers write spaces into URIs, but never markup.
  if (state.warn !== undefined && (next.line === undefined ? /[\s<>]/ : /[<>]/).test(content))
    return invalidLine(line, 'NO_TAG', 'a line must be a tag or a URI', content);
  if (next.micros === undefined && !isSpoiled)
    return invalidLine(line, 'NO_EXTINF', 'a segment must have EXTINF before its URI', content);
  const uri = substitute(content, state.variables, line);
  if (typeof uri !== 'string' && !isSpoiled) return uri;
  const written = typeof uri === 'string' ? uri : content;
  const range = next.range && completeRange(next.range, written, segments.at(-1));
  if (range === 'unknown' && !isSpoiled) {
    const rule = 'a byte range without a start must follow a range of the same resource';
    return invalidLine(line, 'RANGE_START', rule, written);
  }
  const segment: { -readonly [K in keyof Segment]: Segment[K] } = {
    line: next.line ?? line,
    uri: written,
    micros: next.micros ?? 0,
    keys: state.keys,
    discontinuity: next.discontinuity,
    gap: next.gap || isSpoiled,
  };
  if (range !== undefined && range !== 'unknown') segment.range = range;
  if (state.map !== undefined) segment.map = state.map;
  if (next.programDateTime !== undefined) segment.programDateTime = next.programDateTime;
  if (lacks.length > 0) segment.lacks = lacks;
  segments.push(segment);
  state.next = newSegment();
  return undefined;
}

/** A range without a start continues the range before it in the same resource (RFC 8216 §4.3.2.2). */
function completeRange(
  range: { length: number; start?: number },
  uri: string,
  previous: Segment | undefined,
): ByteRange | 'unknown' {
  if (range.start !== undefined) return { start: range.start, length: range.length };
  if (previous?.range === undefined || previous.uri !== uri) return 'unknown';
  return { start: previous.range.start + previous.range.length, length: range.length };
}

// What an invalid line of a live playlist costs: the segments that depend on it become gaps, and keep their numbers.

const GAP = 'the segment is a gap';

/** @param tag the tag that is invalid; `URI` for the line of a segment. @returns the effect, for the warning */
function spoil(state: ReadingState, tag: string, { code }: InvalidPlaylist): string {
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
function lostUri(
  { micros, line, programDateTime }: ReadingState['next'],
  tag: string,
  at: number,
): InvalidPlaylist | undefined {
  const isNext =
    tag === 'EXTINF'
      ? line !== undefined
      : tag === 'EXT-X-PROGRAM-DATE-TIME' && micros !== undefined && programDateTime !== undefined;
  if (!isNext) return undefined;
  return invalidLine(at, 'NO_URI', 'a segment must have a URI before the tags of the next one', `#${tag}`);
}

/**
 * The lengths that are not known: those of the segments before, or of the first one with a length, on average. Audio segments
 * differ by a frame, and a length that is wrong by a frame leaves a rendition without a border in common with the others.
 */
function estimateLengths(playlist: MediaPlaylist): Omit<LivePlaylist, 'warnings'> {
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
function hasDecimalCommas(lines: readonly string[]): boolean {
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
