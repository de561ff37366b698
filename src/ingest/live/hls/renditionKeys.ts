// SPDX-License-Identifier: Apache-2.0
// Names the renditions of a multivariant playlist by what it states about them, not by their URLs: tokens in URLs change from
// one reading to the next. A feed stores the names as the keys of its rungs, so they must not change.
import type { Alternate, Multivariant, Variant } from '../../../hls/readMultivariant.ts';
import { resolve } from '../../import/hlsParts.ts';

/** The key of a media playlist without a multivariant playlist. */
export const BARE_MEDIA = 'media';

export type KeyedRendition = {
  readonly key: string;
  readonly uri: string;
  /** Of EXT-X-STREAM-INF or EXT-X-MEDIA. */
  readonly line: number;
};

function nameOfVariant({ width, height, bandwidth, codecs }: Variant): string {
  const size = width === undefined ? '' : `${width}x${height}`;
  return `v:${size}:${bandwidth ?? ''}:${codecs?.join(',') ?? ''}`;
}

const nameOfAlternate = ({ type, group, name, language }: Alternate): string =>
  `${type.toLowerCase()}:${group}:${name}:${language ?? ''}`;

/**
 * In the order of the playlist, variants first. Where several have one name, the second and further ones are numbered
 * (`…#2`); entries with the same name and URI are one rendition.
 */
export function renditionKeys({ variants, alternates }: Multivariant): KeyedRendition[] {
  const named = [
    ...variants.map((variant) => ({ name: nameOfVariant(variant), uri: variant.uri, line: variant.line })),
    ...alternates.flatMap((alternate) => {
      const { uri, line } = alternate;
      return uri === undefined ? [] : [{ name: nameOfAlternate(alternate), uri, line }];
    }),
  ];
  const uris = new Map<string, string[]>();
  return named.flatMap(({ name, uri, line }) => {
    const known = uris.get(name) ?? [];
    if (known.includes(uri)) return [];
    uris.set(name, [...known, uri]);
    return [{ key: known.length === 0 ? name : `${name}#${known.length + 1}`, uri, line }];
  });
}

/**
 * The absolute URL of each rendition; several keys may have the same one. URIs that are not http or https are left out.
 * @param url of the multivariant playlist, after redirects
 */
export function renditionUrls(multivariant: Multivariant, url: string): ReadonlyMap<string, string> {
  return new Map(
    renditionKeys(multivariant).flatMap(({ key, uri }) => {
      const absolute = resolve(uri, url);
      return absolute === undefined ? [] : [[key, absolute] as const];
    }),
  );
}
