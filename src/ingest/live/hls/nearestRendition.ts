// SPDX-License-Identifier: Apache-2.0
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
  const families = codecs.split(',').map((codec) => codec.split('.')[0]!);
  return { size, bandwidth: Number(bandwidth), codecs: families.sort().join() };
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
