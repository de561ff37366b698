// SPDX-License-Identifier: Apache-2.0
// Reads a media playlist (RFC 8216 §4.3.2, §4.3.3) in one pass and assigns tags to segments. URIs stay as written, and
// the media are not read.
import { createMarkerCollector } from './markerTag.ts';
import type { MediaPlaylist, Segment, SegmentRange } from './mediaPlaylist.ts';
import type { InvalidPlaylist } from './readLines.ts';
import { invalidLine, readLines, readTag } from './readLines.ts';
import type { ReadingState } from './readMediaTags.ts';
import { applyTag, newSegment } from './readMediaTags.ts';
import type { VariableSources } from './readVariables.ts';
import { substitute } from './readVariables.ts';

/**
 * @param sources for EXT-X-DEFINE: the playlist's own URL and the variables of the multivariant playlist
 * @returns the playlist, or an error about its first invalid line
 */
export function readMedia(text: string, sources: VariableSources = {}): MediaPlaylist | InvalidPlaylist {
  const lines = readLines(text);
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
    variables: new Map(),
    sources,
    keys: [],
    next: newSegment(),
  };
  for (const [index, content] of lines.entries()) {
    if (content === '') continue;
    const tag = readTag(content);
    let problem: InvalidPlaylist | undefined;
    if (content.startsWith('#')) {
      const replaced = substitute(content, state.variables, index + 1);
      markers.add(typeof replaced === 'string' ? replaced : content, index + 1, segments.length);
    }
    if (tag !== undefined) {
      problem = applyTag(state, tag.name, tag.value, index + 1);
    } else if (!content.startsWith('#') && !markers.extend(content, index + 1, state.next.micros !== undefined)) {
      problem = addSegment(state, segments, content, index + 1);
    }
    if (problem !== undefined) return problem;
  }
  return state.playlist;
}

function addSegment(
  state: ReadingState,
  segments: Segment[],
  content: string,
  line: number,
): InvalidPlaylist | undefined {
  const { next } = state;
  if (next.micros === undefined)
    return invalidLine(line, 'NO_EXTINF', 'a segment must have EXTINF before its URI', content);
  const uri = substitute(content, state.variables, line);
  if (typeof uri !== 'string') return uri;
  const range = next.range && completeRange(next.range, uri, segments.at(-1));
  if (range === 'unknown') {
    return invalidLine(
      line,
      'RANGE_START',
      'a byte range without a start must follow a range of the same resource',
      uri,
    );
  }
  const segment: { -readonly [K in keyof Segment]: Segment[K] } = {
    line: next.line ?? line,
    uri,
    micros: next.micros,
    keys: state.keys,
    discontinuity: next.discontinuity,
    gap: next.gap,
  };
  if (next.title !== undefined) segment.title = next.title;
  if (range !== undefined) segment.range = range;
  if (state.map !== undefined) segment.map = state.map;
  if (state.bitrate !== undefined) segment.bitrate = state.bitrate;
  if (next.programDateTime !== undefined) segment.programDateTime = next.programDateTime;
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
