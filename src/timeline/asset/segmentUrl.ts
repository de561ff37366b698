// SPDX-License-Identifier: Apache-2.0
import { type ByteRange, borderAt, type MediaRef, type SegmentUrls, type Track } from './asset.ts';

const padded = (value: number, width: number): string =>
  width > 1 ? String(value).padStart(width, '0') : String(value);

/** The URL, and byte range if any, of segment `index` of a track. */
export function segmentUrl(track: Track, index: number): MediaRef {
  const { urls } = track;
  switch (urls.kind) {
    case 'number':
      return { url: urls.prefix + padded(urls.first + index, urls.width) + urls.suffix };
    case 'time':
      return {
        url: urls.prefix + padded((track.mediaTime ?? 0) + borderAt(track.borders, index), urls.width) + urls.suffix,
      };
    case 'list':
      return { url: urls.prefix + urls.names.slice(index === 0 ? 0 : urls.ends[index - 1], urls.ends[index]) };
    case 'numberedRanges':
      return { url: urls.prefix + index + urls.suffix, range: rangeAt(urls, index) };
    case 'ranges':
      return { url: urls.url, range: rangeAt(urls, index) };
    case 'pieces': {
      const { url } = segmentUrl({ ...track, urls: urls.of }, index);
      const range = rangeAt(urls, index);
      return range.length === 0 ? { url } : { url, range };
    }
  }
}

const rangeAt = ({ starts, lengths }: Extract<SegmentUrls, { starts: Float64Array }>, index: number): ByteRange => ({
  start: borderAt(starts, index),
  length: borderAt(lengths, index),
});

const shared = (a: string, b: string): number => {
  let length = 0;
  while (length < a.length && length < b.length && a[length] === b[length]) length += 1;
  return length;
};

/**
 * Packs the URLs of a track compactly: as consecutive numbers, else as one string with a shared prefix.
 * @param number of the first segment at the origin
 */
export function packUrls(urls: readonly string[], number?: number): Track['urls'] {
  return counted(urls, number) ?? listed(urls);
}

/** Names of renditions: `v0`, `720p`. */
const isLabel = (url: string, { 0: { length }, index }: RegExpExecArray): boolean =>
  /(?:^|[^a-z])[a-z]$/i.test(url.slice(0, index)) || /^[a-z]/i.test(url.slice(index + length));

/** Each is tried with all segments. */
const MAX_NUMBERS = 20;

/**
 * The numbers of a URL that may differ from segment to segment, the likeliest first. Several URLs show which one does, a single
 * one does not: `0` in `v0/1.m4s` is part of a name. So only the name of its file without the ending counts there, or else
 * folders and parameters that are numbers.
 * @param number the one that the origin gives the segment of a single URL; its URL may contain it
 */
function numbersIn(url: string, isSingle: boolean, number?: number): RegExpExecArray[] {
  const all = [...url.matchAll(/\d+/g)].reverse();
  if (!isSingle) return all.slice(0, MAX_NUMBERS);
  const path = url.replace(/[?#].*/s, '');
  const name = path.lastIndexOf('/') + 1;
  const dot = path.lastIndexOf('.');
  const named = all.filter(({ index }) => index >= name && (dot < name || index < dot));
  const rankOf = (match: RegExpExecArray) => (Number(match[0]) === number ? 0 : isLabel(url, match) ? 2 : 1);
  if (named.length > 0) return named.sort((a, b) => rankOf(a) - rankOf(b));
  return all.filter(({ 0: { length }, index }) => {
    const around = url[index - 1] + (url[index + length] ?? '&');
    return index < name ? around === '//' : /^=[&#]$/.test(around);
  });
}

function counted(urls: readonly string[], hint: number | undefined): Track['urls'] | undefined {
  const [zeroth] = urls;
  if (zeroth === undefined) return undefined;
  for (const match of numbersIn(zeroth, urls.length === 1, hint)) {
    const digits = match[0];
    const number = Number(digits);
    if (!Number.isSafeInteger(number + urls.length)) continue;
    const prefix = zeroth.slice(0, match.index);
    const suffix = zeroth.slice(match.index + digits.length);
    const width = digits.startsWith('0') ? digits.length : 1;
    const isCounted = urls.every((url, index) => url === prefix + padded(number + index, width) + suffix);
    if (isCounted) return { kind: 'number', prefix, suffix, first: number, width };
  }
  return undefined;
}

function listed(urls: readonly string[]): Track['urls'] {
  const [first = ''] = urls;
  const prefixLength = urls.reduce((length, url) => Math.min(length, shared(first, url)), first.length);
  const ends = new Uint32Array(urls.length);
  const names = urls.map((url) => url.slice(prefixLength));
  let end = 0;
  names.forEach((name, index) => {
    end += name.length;
    ends[index] = end;
  });
  return { kind: 'list', prefix: first.slice(0, prefixLength), names: names.join(''), ends };
}

/** Packs resources and byte ranges of one or several resources (RFC 8216 §4.3.2.2; ISO/IEC 23009-1 5.3.9.3). */
export function packRefs(refs: readonly MediaRef[], number?: number): SegmentUrls {
  const urls = refs.map(({ url }) => url);
  const [url] = urls;
  if (url === undefined || refs.every(({ range }) => range === undefined)) return packUrls(urls, number);
  const starts = Float64Array.from(refs, ({ range }) => range?.start ?? 0);
  const lengths = Float64Array.from(refs, ({ range }) => range?.length ?? 0);
  const isOne = refs.every((ref) => ref.url === url && ref.range !== undefined);
  return isOne ? { kind: 'ranges', url, starts, lengths } : { kind: 'pieces', of: packUrls(urls), starts, lengths };
}

/** A shorter one may equal another number of a URL by chance. */
const DISTINCT_DIGITS = 4;

/**
 * URLs that contain the media time at which each segment starts (`$Time$`, ISO/IEC 23009-1 5.3.9.4.4); undefined when they do
 * not.
 * @param number of the first segment at the origin
 */
export function packTimes(urls: readonly string[], times: readonly number[], number?: number): SegmentUrls | undefined {
  const [first] = urls;
  if (first === undefined) return undefined;
  const isSingle = urls.length === 1;
  for (const [place, match] of numbersIn(first, isSingle, number).entries()) {
    const [digits] = match;
    if (Number(digits) !== times[0] || (isSingle && place > 0 && digits.length < DISTINCT_DIGITS)) continue;
    const prefix = first.slice(0, match.index);
    const suffix = first.slice(match.index + digits.length);
    const width = digits.startsWith('0') ? digits.length : 1;
    const contains = (url: string, index: number) =>
      url === prefix + String(times[index]).padStart(width, '0') + suffix;
    if (urls.every(contains)) return { kind: 'time', prefix, suffix, width };
  }
  return undefined;
}

/**
 * The URL of one segment by its number instead, if it contains a short time. If it is a time, the next URL shows it; players do
 * not apply the numbers that a later MPD introduces to segments that they know.
 */
export function provenTimes(urls: SegmentUrls, times: readonly number[]): SegmentUrls {
  const [time] = times;
  if (urls.kind !== 'time' || time === undefined || times.length !== 1 || String(time).length >= DISTINCT_DIGITS)
    return urls;
  return { first: time, ...urls, kind: 'number' };
}

/**
 * The base URL of media that Midroll serves, relative to a media playlist (`hls/channel/session/rung.m3u8`) and to the
 * BaseURL of an MPD (`dash/channel/session/`). It is relative because a proxy may add a path prefix.
 */
export const MEDIA_BASE = '../../..';
