// Reads a media playlist (RFC 8216 §4.3.2, §4.3.3) in one pass. It knows which tag applies to which segment; it refuses to
// know where the media lie (URIs stay as written) and what they hold.
import type { MediaPlaylist, Segment, SegmentRange } from './mediaPlaylist.ts';
import type { Unreadable } from './readLines.ts';
import { readLines, readTag, wanted } from './readLines.ts';
import type { ReadingState } from './readMediaTags.ts';
import { applyTag, freshSegment } from './readMediaTags.ts';
import type { VariableSources } from './readVariables.ts';
import { substitute } from './readVariables.ts';

/**
 * @param sources for EXT-X-DEFINE: the playlist's own URL and what the multivariant playlist defined
 * @returns the playlist, durations in millionths of a second; or the first line that can't be read, and why
 */
export function readMedia(text: string, sources: VariableSources = {}): MediaPlaylist | Unreadable {
  const lines = readLines(text);
  if ('refused' in lines) return lines;
  const segments: Segment[] = [];
  const state: ReadingState = {
    playlist: { version: 1, mediaSequence: 0, discontinuitySequence: 0, ended: false, iFramesOnly: false, segments },
    variables: new Map(),
    sources,
    keys: [],
    next: freshSegment(),
  };
  for (const [index, content] of lines.entries()) {
    if (content === '') continue;
    const tag = readTag(content);
    let problem: Unreadable | undefined;
    if (tag !== undefined) problem = applyTag(state, tag.name, tag.value, index + 1);
    else if (!content.startsWith('#')) problem = addSegment(state, segments, content, index + 1);
    if (problem !== undefined) return problem;
  }
  return state.playlist;
}

function addSegment(state: ReadingState, segments: Segment[], content: string, line: number): Unreadable | undefined {
  const { next } = state;
  if (next.micros === undefined) return wanted(line, 'NO_EXTINF', 'a segment wants EXTINF before its URI', content);
  const uri = substitute(content, state.variables, line);
  if (typeof uri !== 'string') return uri;
  const range = next.range && completeRange(next.range, uri, segments.at(-1));
  if (range === 'unknown') {
    return wanted(
      line,
      'RANGE_START',
      'a byte range without a start wants a segment of the same resource before it',
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
  state.next = freshSegment();
  return undefined;
}

/** A range without a start follows on its predecessor's, in the same resource (RFC 8216 §4.3.2.2). */
function completeRange(
  given: { length: number; start?: number },
  uri: string,
  previous: Segment | undefined,
): SegmentRange | 'unknown' {
  if (given.start !== undefined) return { start: given.start, length: given.length };
  if (previous?.range === undefined || previous.uri !== uri) return 'unknown';
  return { start: previous.range.start + previous.range.length, length: given.length };
}
