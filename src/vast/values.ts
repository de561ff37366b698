// SPDX-License-Identifier: Apache-2.0
// Reads the values of VAST as ad servers write them: URLs, times, offsets, bit rates.
import { type Flicks, millis, millisToFlicks } from '../time/units.ts';
import type { VastOffset } from './response.ts';

/** The same text where it is not percent-encoded. */
export const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/** Decodes a URL that is percent-encoded as a whole, up to three times. */
function unencoded(text: string): string {
  let url = text;
  for (let times = 0; times < 3 && /^https?(:|%(25)*3A)%(25)*2F|^https?%(25)*3A/i.test(url); times += 1) {
    url = decoded(url);
  }
  return url;
}

/** A URL without padding, line breaks, control characters and repeated escaping. Macros are kept. */
function cleaned(text: string): string {
  const url = unencoded(text.trim())
    .split(/[\t\r\n]/)
    .map((piece) => piece.trim())
    .join('')
    .replace(/\p{Cc}/gu, '')
    .replace(/&(amp;)+/g, '&')
    .trim();
  return withSlashes(url).replaceAll(' ', '%20');
}

/** Normalizes slashes like the URL Standard: backslashes are slashes, and any number of them may precede the host. */
function withSlashes(url: string): string {
  const path = url.search(/[?#]/);
  const end = path < 0 ? url.length : path;
  const slashed = url.slice(0, end).replaceAll('\\/', '/').replaceAll('\\', '/') + url.slice(end);
  return slashed.replace(/^(https?):(?:\/?(?=[^/?#@:])|\/{3,}(?=[^/?#]*[.:]))/i, '$1://');
}

/** Words that ad servers write in place of a missing URL. */
const placeholder = /^(n\/?a|null|nil|none|undefined|nan|true|false|empty|-+|\.+|\d)$/i;

/** Resolves a URL without a scheme. Without a base, only URLs that name a host can be resolved. */
function absolute(url: string, base: string | undefined): string | undefined {
  if (/^www\./i.test(url)) return absolute(`//${url}`, base);
  if (!/^[/?.~\p{L}\p{N}_]/u.test(url) || /^[^/?#]*:/.test(url) || placeholder.test(url)) return undefined;
  return base ? resolveUrl(url, base) : url.startsWith('//') ? `https:${url}` : undefined;
}

/** A URL that is read as it is written, like almost all of them. */
const CLEAN_URL = /^https?:\/\/[a-z\d[][\x21-\x5b\x5d-\x7e]*$/;

/** An http(s) URL, or undefined. @param base URL of the document, against which relative URLs are resolved */
export function readUrl(text: string, base?: string): string | undefined {
  if (CLEAN_URL.test(text) && !text.includes('&amp;')) return text;
  const written = cleaned(text);
  const url = /^https?:/i.test(written) ? written : absolute(written, base);
  return url !== undefined && /^https?:\/\/[^/?#]/i.test(url) ? url : undefined;
}

/** An http(s) URL, or data in the URL itself (RFC 2397). */
export const readResource = (text: string, base?: string): string | undefined =>
  /^\s*data:[^,]*,/i.test(text) ? text.replace(/[\t\r\n]/g, '').trim() : readUrl(text, base);

/** The target of a click: http(s), or a URL that opens an app, but never one that runs code. */
export function readLink(text: string, base?: string): string | undefined {
  const url = cleaned(text);
  return (
    readUrl(url, base) ?? (/^(?!javascript|data|vbscript|about|file)[a-z][a-z\d+.-]*:[^:]/i.test(url) ? url : undefined)
  );
}

/** The placeholder for a missing URL (VAST 4.2 §3.4.4). */
export const NO_URL = 'about:blank';

export const isPlaceholderUrl = (text: string): boolean => PLACEHOLDER_URL.test(text);
const PLACEHOLDER_URL = /^\s*about:blank\s*$/i;

/** Whether an element states that there is no URL: it is empty or contains the placeholder. */
export const isNoUrl = (text: string): boolean => text.trim() === '' || isPlaceholderUrl(text);

const DAY = 86_400;
/** A bare number above this is in milliseconds: no ad lasts an hour. */
const MAX_BARE_SECONDS = 3_600;

function secondsOf(text: string): number | undefined {
  // HH:MM:SS.mmm (VAST 4.2 §3.8.1), HH:MM:SS, MM:SS, and SMPTE's HH:MM:SS:FF without its frames.
  const clock = /^(?:(\d{1,3}):)?(\d{1,3}):(\d{1,3})(?:[.,](\d{1,9})|:\d{1,3})?$/.exec(text);
  if (clock) {
    const [, hours = '0', minutes, seconds, fraction = '0'] = clock;
    return Number(hours) * 3600 + Number(minutes) * 60 + Number(`${seconds}.${fraction}`);
  }
  const bare = /^(?:PT)?(\d{1,9}(?:\.\d{1,9})?)\s*(?:s|sec|seconds)?$/i.exec(text);
  if (!bare) return undefined;
  const value = Number(bare[1]);
  return value > MAX_BARE_SECONDS ? value / 1000 : value;
}

/** A time in whole milliseconds, also from bare seconds; undefined when it is invalid or longer than a day. */
export function readTime(text: string): Flicks | undefined {
  const seconds = secondsOf(text.trim());
  return seconds === undefined || seconds >= DAY ? undefined : millisToFlicks(millis(Math.round(seconds * 1000)));
}

/** A time or a percentage, as in @skipoffset and progress events (§3.8, §3.14.1). */
export function readOffset(text: string): VastOffset | undefined {
  const percent = /^(\d{1,3}(?:\.\d{1,9})?)\s*%$/.exec(text.trim());
  if (percent) {
    const value = Math.round(Number(percent[1]) * 1000) / 1000;
    return value <= 100 ? { kind: 'percent', percent: value } : undefined;
  }
  const at = readTime(text);
  return at === undefined ? undefined : { kind: 'time', at };
}

/** kbit/s. Not even a mezzanine exceeds this. */
const MAX_KBITS = 200_000;
/** Bits per pixel at 25 frames a second. Not even a mezzanine exceeds this. */
const MAX_BITS_PER_PIXEL = 4;

/** kbit/s, from a number that may be in bit/s. Where the number alone is ambiguous, the size of the picture decides. */
export function kbitsOf(value: number, width: number | undefined, height: number | undefined): number {
  const kbits = Math.max(1, Math.round(value / 1000));
  const bitsPerPixel = width && height ? (value * 1000) / (width * height * 25) : 0;
  const isInBits = value > MAX_KBITS || (bitsPerPixel > MAX_BITS_PER_PIXEL && kbits >= 50);
  return isInBits ? kbitsOf(kbits, width, height) : value;
}

// Resolves relative URLs as specified in RFC 3986 §5.2, but as text: macros and characters that are invalid in URLs are
// kept.

const pattern = /^(https?):\/\/([^/?#]*)([^?#]*)([^#]*)/i;

/** RFC 3986 §5.2.4. */
function withoutDots(path: string): string {
  const kept: string[] = [];
  const segments = path.split('/');
  segments.forEach((segment, index) => {
    const isLast = index === segments.length - 1;
    if (segment === '..') {
      if (kept.length > 1) kept.pop();
    } else if (segment !== '.') kept.push(segment);
    if (isLast && (segment === '.' || segment === '..')) kept.push('');
  });
  return kept.join('/');
}

/** @param reference without a scheme @returns undefined when the base, the document's URL, is not an http(s) URL */
export function resolveUrl(reference: string, base: string): string | undefined {
  const parts = pattern.exec(base);
  if (parts === null) return undefined;
  const [, scheme = '', authority = '', basePath = ''] = parts;
  if (reference.startsWith('//')) return `${scheme}:${reference}`;
  // Credentials in the document's URL are not for the URLs inside it.
  const origin = `${scheme}://${authority.slice(authority.lastIndexOf('@') + 1)}`;
  const path = basePath === '' ? '/' : basePath;
  if (reference.startsWith('?')) return `${origin}${path}${reference}`;
  const [, ownPath = '', rest = ''] = /^([^?#]*)(.*)$/s.exec(reference) ?? [];
  const joined = ownPath.startsWith('/') ? ownPath : path.slice(0, path.lastIndexOf('/') + 1) + ownPath;
  return `${origin}${withoutDots(joined)}${rest}`;
}
