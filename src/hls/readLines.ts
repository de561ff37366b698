// SPDX-License-Identifier: Apache-2.0
import type { Sliced } from '../time/sliced.ts';
import { type Attributes, readAttributes } from './attributes.ts';

/** An invalid playlist: the line, and one sentence with what was expected and what was found. */
export type InvalidPlaylist = { readonly refused: string; readonly code: InvalidPlaylistCode; readonly line?: number };

type InvalidPlaylistCode =
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
export function invalidLine(line: number, code: InvalidPlaylistCode, rule: string, actual: string): InvalidPlaylist {
  return { line, code, refused: `line ${line}: ${rule}; got ${excerpt(actual)}` };
}

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
  const index = lines.findIndex((line) => line !== '');
  const first = lines[index];
  if (first === undefined) return { code: 'NO_PLAYLIST', refused: 'a playlist must start with #EXTM3U; got nothing' };
  if (!/^#EXTM3U\b/.test(first))
    return invalidLine(index + 1, 'NO_PLAYLIST', 'a playlist must start with #EXTM3U', first);
  return lines;
}

/** The name and value of a tag; undefined for comments and URIs. */
export function readTag(line: string): { name: string; value: string } | undefined {
  if (!line.startsWith('#EXT')) return undefined;
  const colon = line.indexOf(':');
  return colon < 0 ? { name: line.slice(1), value: '' } : { name: line.slice(1, colon), value: line.slice(colon + 1) };
}

/** The attribute list of a tag. @param warn if present, a value without its closing quote ends with the line */
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

export type Variables = ReadonlyMap<string, string>;

/** The sources of EXT-X-DEFINE values other than the tag itself. */
export type VariableSources = {
  /** The playlist's own URL, for QUERYPARAM. */
  readonly url?: string;
  /** The variables of the multivariant playlist, for IMPORT. */
  readonly imports?: Variables;
};

const reference = /\{\$([A-Za-z0-9_-]+)\}/g;

/** The name and value that an EXT-X-DEFINE tag defines (draft-pantos-hls-rfc8216bis §4.4.2.3). */
export function readDefine(
  attributes: Attributes,
  sources: VariableSources,
  line: number,
): { name: string; value: string } | InvalidPlaylist {
  const textOf = (attribute: string): string | undefined => attributes.get(attribute)?.value;
  const name = textOf('NAME');
  if (name !== undefined) {
    const value = textOf('VALUE');
    return value === undefined
      ? { line, code: 'DEFINE', refused: `line ${line}: VALUE of EXT-X-DEFINE with NAME ${excerpt(name)} is missing` }
      : { name, value };
  }
  const imported = textOf('IMPORT');
  if (imported !== undefined) {
    const value = sources.imports?.get(imported);
    if (value !== undefined) return { name: imported, value };
    return invalidLine(line, 'IMPORT', 'IMPORT must name a variable that the multivariant playlist defines', imported);
  }
  const parameter = textOf('QUERYPARAM');
  if (parameter !== undefined) {
    const value = queryParameter(sources.url, parameter);
    if (value) return { name: parameter, value };
    const rule = "QUERYPARAM must name a parameter of the playlist's URL that has a value";
    return invalidLine(line, 'QUERYPARAM', rule, parameter);
  }
  const refused = `line ${line}: EXT-X-DEFINE must have NAME, IMPORT or QUERYPARAM; it has none`;
  return { line, code: 'DEFINE', refused };
}

const queryParameter = (url: string | undefined, name: string): string | null =>
  url !== undefined && URL.canParse(url) ? new URL(url).searchParams.get(name) : null;

/** Characters that references insert into one playlist: a short one could grow without bound. */
const MAX_INSERTED = 4 << 20;
const inserted = new WeakMap<Variables, number>();

/** Replaces `{$name}` in `text`; in a playlist without variables the text is returned unchanged. */
export function substitute(text: string, variables: Variables, line: number): string | InvalidPlaylist {
  if (variables.size === 0 || !text.includes('{$')) return text;
  let missing: string | undefined;
  let count = inserted.get(variables) ?? 0;
  const replaced = text.replace(reference, (whole, name: string) => {
    const value = variables.get(name);
    if (value === undefined) missing ??= name;
    count += value?.length ?? 0;
    return count > MAX_INSERTED ? '' : (value ?? whole);
  });
  inserted.set(variables, count);
  if (count > MAX_INSERTED)
    return invalidLine(line, 'LONG_VALUES', `variables must insert at most ${MAX_INSERTED} characters`, `${count}`);
  return missing === undefined
    ? replaced
    : invalidLine(line, 'UNDEFINED_VARIABLE', 'a reference must name a defined variable', missing);
}

/** Replaces variables in quoted strings and hexadecimal sequences only (the same draft, §4.3). */
export function substituteAttributes(
  attributes: Attributes,
  variables: Variables,
  line: number,
): Attributes | InvalidPlaylist {
  if (variables.size === 0) return attributes;
  const replaced = new Map(attributes);
  for (const [name, attribute] of attributes) {
    if (!attribute.quoted && !/^0[xX]/.test(attribute.value) && !attribute.value.startsWith('{$')) continue;
    const value = substitute(attribute.value, variables, line);
    if (typeof value !== 'string') return value;
    replaced.set(name, { ...attribute, value });
  }
  return replaced;
}
