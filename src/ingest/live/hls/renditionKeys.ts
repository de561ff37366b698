// SPDX-License-Identifier: Apache-2.0
// Names the renditions of a multivariant playlist by what it states about them, not by their URLs: tokens in URLs change from
// one reading to the next. A feed stores the names as the keys of its rungs, so they must not change.
import type { Alternate, Multivariant, Variant } from '../../../hls/readMultivariant.ts';
import type { NonEmpty } from '../../../invariant.ts';
import { resolve } from '../../import/hlsParts.ts';

/** The key of a media playlist without a multivariant playlist. */
export const BARE_MEDIA = 'media';

type KeyedRendition = {
  readonly key: string;
  readonly uri: string;
  /** The line of EXT-X-STREAM-INF or EXT-X-MEDIA. */
  readonly line: number;
  readonly rendition: Variant | Alternate;
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
    ...variants.map((one) => ({ name: nameOfVariant(one), uri: one.uri, rendition: one })),
    ...alternates.flatMap((one) =>
      one.uri === undefined ? [] : [{ name: nameOfAlternate(one), uri: one.uri, rendition: one }],
    ),
  ];
  const uris = new Map<string, string[]>();
  return named.flatMap(({ name, uri, rendition }) => {
    const known = uris.get(name) ?? [];
    if (known.includes(uri)) return [];
    uris.set(name, [...known, uri]);
    const key = known.length === 0 ? name : `${name}#${known.length + 1}`;
    return [{ key, uri, line: rendition.line, rendition }];
  });
}

/** URLs by key, without URIs that are not http or https. @param url of the multivariant playlist, after redirects */
export function renditionUrls(multivariant: Multivariant, url: string): ReadonlyMap<string, string> {
  return new Map(
    renditionKeys(multivariant).flatMap(({ key, uri }) => {
      const absolute = resolve(uri, url);
      return absolute === undefined ? [] : [[key, absolute] as const];
    }),
  );
}

const rotated = <One>(all: readonly One[], first: One): One[] => {
  const index = Math.max(0, all.indexOf(first));
  return [...all.slice(index), ...all.slice(0, index)];
};

const familiesOf = (codecs: readonly string[] = []): string =>
  codecs
    .map((codec) => codec.split('.')[0])
    .sort()
    .join();

/** The groups in which an alternate may be found again: its own, those of redundant variants, and those with the same codecs. */
function groupsOf({ type, group }: Alternate, variants: readonly Variant[]): readonly (string | undefined)[] {
  const groupOf = (one: Variant): string | undefined => (type === 'AUDIO' ? one.audioGroup : one.subtitleGroup);
  const users = variants.filter((one) => groupOf(one) === group);
  const redundant = users.flatMap((user) =>
    rotated(
      variants.filter((one) => nameOfVariant(one) === nameOfVariant(user)),
      user,
    ),
  );
  const alike = variants.filter((one) =>
    users.some((user) => familiesOf(user.codecs) !== '' && familiesOf(user.codecs) === familiesOf(one.codecs)),
  );
  return [...new Set([group, ...[...redundant, ...alike].map(groupOf)])];
}

const isSameVoice = (a: Alternate, b: Alternate): boolean =>
  nameOfAlternate({ ...a, group: '' }) === nameOfAlternate({ ...b, group: '' }) &&
  a.channels === b.channels &&
  a.characteristics === b.characteristics;

/**
 * The renditions with the same content as one, itself first, in order of preference: redundant variants, which differ in their URI
 * alone (RFC 8216 §4.3.4.2), and the same name in the groups of these.
 */
export function redundantKeys(multivariant: Multivariant): (key: string) => NonEmpty<string> {
  const all = renditionKeys(multivariant);
  return (key) => {
    const own = all.find((one) => one.key === key);
    if (own === undefined) return [key];
    const { rendition } = own;
    if (!('group' in rendition)) {
      const name = nameOfVariant(rendition);
      const variants = all.filter(
        ({ rendition: one }) =>
          !('group' in one) && nameOfVariant(one) === name && one.frameRate === rendition.frameRate,
      );
      const [, ...others] = rotated(variants, own).map((one) => one.key);
      return [key, ...others];
    }
    const found = groupsOf(rendition, multivariant.variants).flatMap((group) =>
      all.filter(
        (one) => 'group' in one.rendition && one.rendition.group === group && isSameVoice(one.rendition, rendition),
      ),
    );
    const others = new Map(found.filter(({ uri }) => uri !== own.uri).map((one) => [one.uri, one.key]));
    return [key, ...others.values()];
  };
}

// Finds a rendition whose entry in the multivariant playlist has changed: encoders state other bit rates, profiles and groups
// after a restart, and some measure their bit rate again and again.

type VariantShape = { readonly size: string; readonly bandwidth: number; readonly codecs: string };

/** A bit rate that differs more is another rung of the ladder. */
const MAX_RATIO = 2;

/** How much larger one value is, as a ratio without direction; unknown ones are alike. */
const ratio = (one: number, other: number): number => Math.abs(Math.log((one || 1) / (other || 1)));

/** The parts of a key that renditionKeys.ts wrote. */
function variantShape(key: string): VariantShape | undefined {
  const [, size = '', bandwidth = '', codecs = ''] = /^v:([^:]*):(\d*):([^#]*)/.exec(key) ?? [];
  if (!key.startsWith('v:')) return undefined;
  return { size, bandwidth: Number(bandwidth), codecs: familiesOf(codecs.split(',')) };
}

/** The type and the language; groups and names change. */
const alternateShape = (key: string): string => {
  const [unnumbered = key] = key.split(/#\d+$/);
  return `${unnumbered.slice(0, unnumbered.indexOf(':'))} ${unnumbered.slice(unnumbered.lastIndexOf(':') + 1)}`;
};

/** What viewers would notice of a rendition: all but bit rates, groups and names. */
export function keyShape(key: string): string {
  const shape = variantShape(key);
  return shape === undefined ? alternateShape(key) : `${shape.size} ${shape.codecs}`;
}

/**
 * @param free the keys of renditions that no other rung uses
 * @returns the variant with the same size, the same kinds of codecs and the nearest bit rate; for audio and text, the only one
 * of its language; undefined if there is none
 */
export function nearestRendition(key: string, free: readonly string[]): string | undefined {
  const wanted = variantShape(key);
  if (wanted === undefined) {
    const found = free.filter((one) => !one.startsWith('v:') && alternateShape(one) === alternateShape(key));
    return found.length === 1 ? found[0] : undefined;
  }
  const ratioTo = ({ bandwidth }: VariantShape): number => ratio(bandwidth, wanted.bandwidth);
  const found = free.flatMap((one) => {
    const shape = variantShape(one);
    const fits = shape !== undefined && shape.size === wanted.size && shape.codecs === wanted.codecs;
    return fits && ratioTo(shape) <= Math.log(MAX_RATIO) ? [{ one, far: ratioTo(shape) }] : [];
  });
  return found.sort((a, b) => a.far - b.far)[0]?.one;
}

const heightOf = ({ size }: VariantShape): number => Number(size.split('x')[1] ?? 0);

/**
 * The variant of another size for a rung whose variant the origin does not have any more: a viewer who has chosen the rung sees the
 * programme, not slate.
 * @param all the keys of all renditions; the result may be that of another rung
 * @returns the one of the same kinds of codecs with the nearest height, and then the nearest bit rate; undefined if there is none
 */
export function variantInPlace(key: string, all: readonly string[]): string | undefined {
  const wanted = variantShape(key);
  if (wanted === undefined) return undefined;
  const found = all.flatMap((one) => {
    const shape = variantShape(one);
    return shape?.codecs === wanted.codecs ? [{ one, shape }] : [];
  });
  const far = ({ shape }: (typeof found)[number]): readonly [number, number] => [
    ratio(heightOf(shape), heightOf(wanted)),
    ratio(shape.bandwidth, wanted.bandwidth),
  ];
  return found.sort((a, b) => far(a)[0] - far(b)[0] || far(a)[1] - far(b)[1])[0]?.one;
}
