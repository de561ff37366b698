// SPDX-License-Identifier: Apache-2.0
// Finds a rendition whose entry in the multivariant playlist has changed: encoders state other bit rates, profiles and groups
// after a restart, and some measure their bit rate again and again.

type VariantShape = { readonly size: string; readonly bandwidth: number; readonly codecs: string };

/** A bit rate that differs more is another rung of the ladder. */
const MAX_RATIO = 2;

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
  const ratioTo = ({ bandwidth }: VariantShape): number =>
    Math.abs(Math.log((bandwidth || 1) / (wanted.bandwidth || 1)));
  const found = free.flatMap((one) => {
    const shape = variantShape(one);
    const fits = shape !== undefined && shape.size === wanted.size && shape.codecs === wanted.codecs;
    return fits && ratioTo(shape) <= Math.log(MAX_RATIO) ? [{ one, far: ratioTo(shape) }] : [];
  });
  return found.sort((a, b) => a.far - b.far)[0]?.one;
}
