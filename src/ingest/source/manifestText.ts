// SPDX-License-Identifier: Apache-2.0
// The limits of every manifest that is parsed: anyone can name a URL, and parsing costs far more than reading. A manifest above a
// limit is not decoded. What is below is decoded and parsed in slices (inTurns.ts).
import { numberAt } from '../../time/row.ts';
import type { Sliced } from '../../time/sliced.ts';
import { decodingXml } from '../../xml/decodeXml.ts';
import type { ManifestDecoder } from '../ports.ts';
import { inTurns } from './inTurns.ts';
import type { Refusal } from './presentation.ts';

/** A day of segments of two seconds, with 145 bytes for each. */
export const MANIFEST_BYTES = 6 * 2 ** 20;
/** A day of segments of two seconds is 43,200. */
const MAX_SEGMENTS = 50_000;
/** Four lines for each segment. */
const MAX_LINES = 200_000;
/** Bytes. Less is counted and decoded in the turn in which it is received. */
const IN_SLICE = 256 * 1024;
const MAX_LINE_BYTES = 64 * 1024;
/** Start tags and end tags. */
const MAX_TAGS = 200_000;
/** Lines and tags of all manifests of one source: 15 playlists of a day. */
const MAX_OF_SOURCE = 2_000_000;
/** Attributes and references in one tag and the text after it. */
const MAX_SIGNS = 2000;

const [LINE_FEED, RETURN, AMPERSAND, LESS, EQUALS] = [0x0a, 0x0d, 0x26, 0x3c, 0x3d];
/** The first and the fifth character of `#EXTINF`. */
const [HASH, LETTER_I] = [0x23, 0x49];

type Refused = { readonly refused: string };

type Size = { readonly items: number };

/** For all manifests of one source. */
export function createManifestDecoder(): ManifestDecoder {
  let total = 0;
  const refusal = (): string | undefined =>
    total <= MAX_OF_SOURCE
      ? undefined
      : `is not read: the manifests of this source have ${total} lines and tags so far; at most ${MAX_OF_SOURCE} are supported. ${LIST_LESS}`;
  const decode = async (bytes: Uint8Array): Promise<string | Refused> => {
    const length = bytes.length > IN_SLICE ? bytes.length : 0;
    const size = await inTurns(length, isXml(bytes) ? xmlSize(bytes) : playlistSize(bytes));
    if ('refused' in size) return size;
    total += size.items;
    const refused = refusal();
    return refused === undefined ? inTurns(length, decodingXml(bytes)) : { refused };
  };
  return Object.assign(decode, { refusal });
}

export const manifestText: ManifestDecoder = (bytes) => createManifestDecoder()(bytes);

/** Whether the first sign is `<`. In UTF-16, a zero byte is before or after it. */
const isXml = (bytes: Uint8Array): boolean => /^[^#<]*</.test(Buffer.from(bytes.subarray(0, 1024)).toString('latin1'));

function* playlistSize(bytes: Uint8Array): Sliced<Size | Refused> {
  const { length } = bytes;
  let [lines, segments, start] = [1, 0, 0];
  for (let at = 0; at < length; ) {
    if (at > 0) yield;
    for (const end = Math.min(at + IN_SLICE, length); at < end; at += 1) {
      const code = numberAt(bytes, at);
      if (code > RETURN && at < length - 1) continue;
      const isEnd = code === LINE_FEED || code === RETURN;
      if (!isEnd && at < length - 1) continue;
      if (at - start > MAX_LINE_BYTES)
        return refuse(`${at - start} bytes in line ${lines}`, MAX_LINE_BYTES, 'Shorten the line');
      // No other tag has this letter in this place.
      if (bytes[start] === HASH && bytes[start + 4] === LETTER_I) segments += 1;
      start = at + 1;
      if (isEnd && (code === LINE_FEED || bytes[start] !== LINE_FEED)) lines += 1;
    }
  }
  if (lines > MAX_LINES) return refuse(`${lines} lines`, MAX_LINES, LIST_LESS);
  return segments > MAX_SEGMENTS ? refuse(`${segments} segments`, MAX_SEGMENTS, LIST_LESS) : { items: lines };
}

function* xmlSize(bytes: Uint8Array): Sliced<Size | Refused> {
  let [tags, signs, lines] = [0, 0, 1];
  const { length } = bytes;
  for (let at = 0; at < length; ) {
    if (at > 0) yield;
    for (const end = Math.min(at + IN_SLICE, length); at < end; at += 1) {
      const code = numberAt(bytes, at);
      if (code > EQUALS) continue;
      if (code === LESS) [tags, signs] = [tags + 1, 0];
      else if (code === EQUALS || code === AMPERSAND) signs += 1;
      else if (code === LINE_FEED) lines += 1;
      if (signs > MAX_SIGNS)
        return refuse(`${signs} attributes and references in one element in line ${lines}`, MAX_SIGNS, 'Use fewer');
    }
  }
  return tags > MAX_TAGS ? refuse(`${tags} tags`, MAX_TAGS, LIST_LESS) : { items: tags };
}

const refuse = (actual: string, limit: number, advice: string): Refused => ({
  refused: `has ${actual}; at most ${limit} are supported. ${advice}`,
});

const LIST_LESS = 'Let the packager list a shorter window, or use longer segments';

/** The format by the beginning of the text: names and types are often wrong. @returns undefined if it is neither */
export function manifestFormat(text: string): 'hls' | 'dash' | undefined {
  const start = text.replace(/^\uFEFF/, '').trimStart();
  if (start.startsWith('#EXTM3U')) return 'hls';
  return /^<(!DOCTYPE\s+)?([A-Za-z_][\w.-]*:)?MPD[\s>]/.test(afterProlog(start)) ? 'dash' : undefined;
}

/** What follows XML declarations and comments, however long they are (XML 1.0 §2.8). */
function afterProlog(text: string): string {
  let at = 0;
  for (;;) {
    const end = text.startsWith('<!--', at) ? '-->' : text.startsWith('<?', at) ? '?>' : undefined;
    const close = end === undefined ? -1 : text.indexOf(end, at);
    if (end === undefined || close < 0) return text.slice(at, at + 200);
    at = close + end.length;
    while (/\s/.test(text[at] ?? '')) at += 1;
  }
}

/** @param text neither HLS nor DASH */
export function refuseFormat(text: string): Refusal {
  const start = text.replace(/^\uFEFF/, '').trimStart();
  const found = start === '' ? 'an empty file' : JSON.stringify(start.slice(0, 60));
  return {
    code: 'NO_MANIFEST',
    refused: `the URL must lead to an HLS playlist (#EXTM3U) or a DASH manifest (MPD); got ${found}`,
  };
}
