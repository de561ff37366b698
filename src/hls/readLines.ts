// SPDX-License-Identifier: Apache-2.0
import type { Sliced } from '../time/sliced.ts';
import type { Attributes } from './attributes.ts';
import { readAttributes } from './attributes.ts';

/** An invalid playlist: the line, and one sentence with what was expected and what was found. */
export type InvalidPlaylist = { readonly refused: string; readonly code: InvalidPlaylistCode; readonly line?: number };

export type InvalidPlaylistCode =
  | 'NO_PLAYLIST'
  | 'NO_VARIANT'
  | 'TOO_MANY_VARIANTS'
  | 'OPEN_QUOTE'
  | 'DEFINE'
  | 'IMPORT'
  | 'LONG_VALUES'
  | 'QUERYPARAM'
  | 'UNDEFINED_VARIABLE'
  | 'MEDIA_TYPE'
  | 'MEDIA_GROUP'
  | 'EXTINF'
  | 'NO_EXTINF'
  | 'BYTERANGE'
  | 'RANGE_START'
  | 'MAP_URI'
  | 'KEY_COUNT'
  | 'KEY_METHOD'
  | 'KEY_URI'
  | 'WHOLE_NUMBER'
  | 'DATE'
  | 'NO_URI'
  | 'NO_TAG';

const CHARACTERS_IN_SLICE = 256 * 1024;

/** Text of a source as a message may quote it: short, on one line. */
export const excerpt = (text: string): string => JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);

/** @param rule what the line violates, e.g. `EXTINF must be a non-negative number of seconds` */
export const invalidLine = (
  line: number,
  code: InvalidPlaylistCode,
  rule: string,
  actual: string,
): InvalidPlaylist => ({
  line,
  code,
  refused: `line ${line}: ${rule}; got ${excerpt(actual)}`,
});

/**
 * The lines of a playlist, trimmed; line `i` of the text is `lines[i − 1]`. Accepts a byte order mark, CRLF and blank lines
 * before the first tag. Any other text there is an error: an error page is not a playlist (RFC 8216 §4.1, §4.3.1.1).
 */
export function* readingLines(text: string): Sliced<string[] | InvalidPlaylist> {
  const lines: string[] = [];
  const lineEnd = /\r\n|[\r\n]/g;
  for (let from = 0; from >= 0; ) {
    if (from > 0) yield;
    lineEnd.lastIndex = from + CHARACTERS_IN_SLICE;
    const end = lineEnd.exec(text);
    const slice = text.slice(from, end?.index);
    // Files that were not written completely before a crash contain zeros.
    const body = slice.includes('\0') ? slice.replaceAll('\0', '') : slice;
    // Splitting at a character is several times faster.
    for (const line of body.split(body.includes('\r') ? /\r\n|[\r\n]/ : '\n')) lines.push(line.trim());
    from = end === null ? -1 : lineEnd.lastIndex;
  }
  // A byte order mark is white space, so that it is gone.
  const first = lines.findIndex((line) => line !== '');
  if (first < 0) return { code: 'NO_PLAYLIST', refused: 'a playlist must start with #EXTM3U; got nothing' };
  if (!/^#EXTM3U\b/.test(lines[first]!))
    return invalidLine(first + 1, 'NO_PLAYLIST', 'a playlist must start with #EXTM3U', lines[first]!);
  return lines;
}

/** The name and value of a tag; undefined for comments and URIs. */
export function readTag(line: string): { name: string; value: string } | undefined {
  if (!line.startsWith('#EXT')) return undefined;
  const colon = line.indexOf(':');
  return colon < 0 ? { name: line.slice(1), value: '' } : { name: line.slice(1, colon), value: line.slice(colon + 1) };
}

/**
 * The attribute list of a tag.
 * @param warn if present, a value without its closing quote ends with the line
 */
export function readTagAttributes(
  value: string,
  line: number,
  warn?: (problem: InvalidPlaylist) => void,
): Attributes | InvalidPlaylist {
  const { attributes, unclosed } = readAttributes(value);
  if (unclosed === undefined) return attributes;
  const problem = invalidLine(line, 'OPEN_QUOTE', `${unclosed} must have a closing quote`, value);
  if (warn === undefined) return problem;
  warn(problem);
  return new Map(attributes).set(unclosed, { value: value.slice(value.lastIndexOf('"') + 1).trim(), quoted: true });
}
