// SPDX-License-Identifier: Apache-2.0
import type { MediaRef, SegmentUrls, Track } from './asset.ts';

const padded = (value: number, width: number): string =>
  width > 1 ? String(value).padStart(width, '0') : String(value);

/** The URL, and byte range if any, of segment `index` of a track. */
export function segmentUrl(track: Track, index: number): MediaRef {
  const { urls } = track;
  switch (urls.kind) {
    case 'number':
      return { url: urls.prefix + padded(urls.first + index, urls.width) + urls.suffix };
    case 'time':
      return { url: urls.prefix + padded((track.mediaTime ?? 0) + track.borders[index]!, urls.width) + urls.suffix };
    case 'list':
      return { url: urls.prefix + urls.names.slice(index === 0 ? 0 : urls.ends[index - 1], urls.ends[index]) };
    case 'numberedRanges':
      return {
        url: urls.prefix + index + urls.suffix,
        range: { start: urls.starts[index]!, length: urls.lengths[index]! },
      };
    case 'ranges':
      return { url: urls.url, range: { start: urls.starts[index]!, length: urls.lengths[index]! } };
    case 'pieces': {
      const { url } = segmentUrl({ ...track, urls: urls.of }, index);
      const length = urls.lengths[index]!;
      return length === 0 ? { url } : { url, range: { start: urls.starts[index]!, length } };
    }
  }
}

const shared = (a: string, b: string): number => {
  let length = 0;
  while (length < a.length && length < b.length && a[length] === b[length]) length += 1;
  return length;
};

/** Packs the URLs of a track compactly: as consecutive numbers, else as one string with a shared prefix. */
export function packUrls(urls: readonly string[]): Track['urls'] {
  return counted(urls) ?? listed(urls);
}

/** The numbers of a URL, last first. A single URL does not show which one counts; one in its ending, as in `.m4s`, does not. */
function candidates(url: string, count: number): RegExpExecArray[] {
  const all = [...url.matchAll(/\d+/g)].reverse();
  if (count > 1) return all;
  const ending = /\.[^./]*(?:[?#].*)?$/s.exec(url)?.index ?? url.length;
  return [...all.filter(({ index }) => index < ending), ...all.filter(({ index }) => index >= ending)];
}

function counted(urls: readonly string[]): Track['urls'] | undefined {
  const [zeroth] = urls;
  if (zeroth === undefined) return undefined;
  for (const match of candidates(zeroth, urls.length)) {
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
  const prefixLength = urls.reduce((length, url) => Math.min(length, shared(urls[0]!, url)), urls[0]?.length ?? 0);
  const ends = new Uint32Array(urls.length);
  const names = urls.map((url) => url.slice(prefixLength));
  let end = 0;
  names.forEach((name, index) => {
    end += name.length;
    ends[index] = end;
  });
  return { kind: 'list', prefix: urls[0]?.slice(0, prefixLength) ?? '', names: names.join(''), ends };
}

/** Packs resources and byte ranges of one or several resources (RFC 8216 §4.3.2.2; ISO/IEC 23009-1 5.3.9.3). */
export function packRefs(refs: readonly MediaRef[]): SegmentUrls {
  const urls = refs.map(({ url }) => url);
  if (refs.every(({ range }) => range === undefined)) return packUrls(urls);
  const starts = Float64Array.from(refs, ({ range }) => range?.start ?? 0);
  const lengths = Float64Array.from(refs, ({ range }) => range?.length ?? 0);
  const [url] = urls;
  const isOne = refs.every((ref) => ref.url === url && ref.range !== undefined);
  return isOne
    ? { kind: 'ranges', url: url!, starts, lengths }
    : { kind: 'pieces', of: packUrls(urls), starts, lengths };
}
