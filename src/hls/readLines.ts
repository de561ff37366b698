import type { Attributes } from './attributes.ts';
import { readAttributes } from './attributes.ts';

/** A playlist that can't be used: which line, what was wanted, what came. */
export type Unreadable = { readonly refused: string; readonly code: UnreadableCode; readonly line?: number };

export type UnreadableCode =
  | 'NO_PLAYLIST'
  | 'NO_VARIANT'
  | 'OPEN_QUOTE'
  | 'DEFINE'
  | 'IMPORT'
  | 'QUERYPARAM'
  | 'UNDEFINED_VARIABLE'
  | 'MEDIA_TYPE'
  | 'MEDIA_GROUP'
  | 'EXTINF'
  | 'NO_EXTINF'
  | 'BYTERANGE'
  | 'RANGE_START'
  | 'MAP_URI'
  | 'KEY_METHOD'
  | 'KEY_URI'
  | 'WHOLE_NUMBER';

/** A line of someone else's text as it may stand in a message: short, on one line, in quotes. */
export const shown = (text: string): string => JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);

export const wanted = (line: number, code: UnreadableCode, what: string, came: string): Unreadable => ({
  line,
  code,
  refused: `line ${line}: ${what}, got ${shown(came)}`,
});

/**
 * The lines of a playlist, trimmed; line `i` of the text is `lines[i − 1]`. A byte order mark, CRLF and blank lines before
 * the first tag are forgiven, anything else there is not: an error page is not a playlist (RFC 8216 §4.1, §4.3.1.1).
 */
export function readLines(text: string): string[] | Unreadable {
  const lines = (text.startsWith('\uFEFF') ? text.slice(1) : text).split(/\r\n|[\r\n]/).map((line) => line.trim());
  const first = lines.findIndex((line) => line !== '');
  if (first < 0) return { code: 'NO_PLAYLIST', refused: 'a playlist begins with #EXTM3U, got nothing' };
  if (!/^#EXTM3U\b/.test(lines[first]!))
    return wanted(first + 1, 'NO_PLAYLIST', 'a playlist begins with #EXTM3U', lines[first]!);
  return lines;
}

/** Name and value of a tag line; undefined for comments and URIs. */
export function readTag(line: string): { name: string; value: string } | undefined {
  if (!line.startsWith('#EXT')) return undefined;
  const colon = line.indexOf(':');
  return colon < 0 ? { name: line.slice(1), value: '' } : { name: line.slice(1, colon), value: line.slice(colon + 1) };
}

/** The attribute list of a tag, or a refusal that names the line. */
export function readTagAttributes(value: string, line: number): Attributes | Unreadable {
  const { attributes, unclosed } = readAttributes(value);
  return unclosed === undefined ? attributes : wanted(line, 'OPEN_QUOTE', `${unclosed} wants a closing quote`, value);
}
