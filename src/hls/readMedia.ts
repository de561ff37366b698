// SPDX-License-Identifier: Apache-2.0
// Reads a media playlist (RFC 8216 §4.3.2, §4.3.3) in one pass and assigns tags to segments. URIs stay as written, and
// the media are not read.
import { finish, type Sliced } from '../time/sliced.ts';
import { createMarkerCollector } from './markerTag.ts';
import type { LivePlaylist, MediaPlaylist, Segment, SegmentRange } from './mediaPlaylist.ts';
import type { InvalidPlaylist } from './readLines.ts';
import { invalidLine, readingLines, readTag } from './readLines.ts';
import type { ReadingState } from './readMediaTags.ts';
import { applyTag, newSegment } from './readMediaTags.ts';
import type { VariableSources } from './readVariables.ts';
import { substitute } from './readVariables.ts';
import { estimateLengths, hasDecimalCommas, lostUri, spoil } from './spoiledLines.ts';

/** They take two milliseconds. */
const LINES_IN_SLICE = 2000;

/**
 * @param sources for EXT-X-DEFINE: the playlist's own URL and the variables of the multivariant playlist
 * @returns the playlist, or an error about its first invalid line
 */
export const readMedia = (text: string, sources: VariableSources = {}): MediaPlaylist | InvalidPlaylist =>
  finish(readingMedia(text, sources));

export const readingMedia = (text: string, sources: VariableSources = {}): Sliced<MediaPlaylist | InvalidPlaylist> =>
  reading(text, sources);

/**
 * Reads the playlist of a channel on air, which one invalid line must not stop: it costs the segments that depend on it.
 * @returns an error if the text is not a playlist
 */
export function* readingLiveMedia(text: string, sources: VariableSources = {}): Sliced<LivePlaylist | InvalidPlaylist> {
  const warnings: string[] = [];
  const playlist = yield* reading(text, sources, (problem, effect) => warnings.push(`${problem.refused}; ${effect}`));
  return 'refused' in playlist ? playlist : { ...estimateLengths(playlist), warnings };
}

function* reading(
  text: string,
  sources: VariableSources,
  warn?: (problem: InvalidPlaylist, effect: string) => void,
): Sliced<MediaPlaylist | InvalidPlaylist> {
  const lines = yield* readingLines(text);
  if ('refused' in lines) return lines;
  const segments: Segment[] = [];
  const markers = createMarkerCollector();
  const state: ReadingState = {
    playlist: {
      version: 1,
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
    return invalidLine(
      line,
      'RANGE_START',
      'a byte range without a start must follow a range of the same resource',
      written,
    );
  }
  const segment: { -readonly [K in keyof Segment]: Segment[K] } = {
    line: next.line ?? line,
    uri: written,
    micros: next.micros ?? 0,
    keys: state.keys,
    discontinuity: next.discontinuity,
    gap: next.gap || isSpoiled,
  };
  if (next.title !== undefined) segment.title = next.title;
  if (range !== undefined && range !== 'unknown') segment.range = range;
  if (state.map !== undefined) segment.map = state.map;
  if (state.bitrate !== undefined) segment.bitrate = state.bitrate;
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
): SegmentRange | 'unknown' {
  if (range.start !== undefined) return { start: range.start, length: range.length };
  if (previous?.range === undefined || previous.uri !== uri) return 'unknown';
  return { start: previous.range.start + previous.range.length, length: range.length };
}
