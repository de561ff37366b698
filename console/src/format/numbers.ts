// SPDX-License-Identifier: Apache-2.0
// Numbers as operators read them.

const byteUnits = ['B', 'kB', 'MB', 'GB', 'TB'];

const round = (value: number, digits: number): string =>
  value.toLocaleString('en-GB', { maximumFractionDigits: digits });

/** `12,345` */
export const formatCount = (count: number): string => round(count, 0);

/** A dash in place of what is not known, or does not exist. */
export const orDash = <Value>(value: Value | undefined, format: (value: Value) => string): string =>
  value === undefined ? '–' : format(value);

/** `1 ad`, `12,345 ads` */
export const plural = (count: number, singular: string): string =>
  `${formatCount(count)} ${singular}${count === 1 ? '' : 's'}`;

/** `73%`, `12.3%`. @param ratio 0 to 1 */
export const formatPercent = (ratio: number, digits = 0): string => `${round(ratio * 100, digits)}%`;

/** `+12%`, `−3%`, `±0%`; undefined without a value to compare with. */
export function formatChange(value: number, previous: number | undefined): string | undefined {
  if (previous === undefined || previous === 0) return undefined;
  const percent = Math.round(((value - previous) / Math.abs(previous)) * 100);
  return `${percent > 0 ? '+' : percent < 0 ? '−' : '±'}${Math.abs(percent)}%`;
}

/** `999 B`, `1.5 kB`, `2.5 GB` */
export function formatBytes(bytes: number): string {
  let [value, unit] = [bytes, 0];
  while (value >= 1000 && unit < byteUnits.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${value < 10 && unit > 0 ? value.toFixed(1) : Math.round(value)} ${byteUnits[unit]}`;
}

/** @param unit the unit of a report field */
export function formatValue(value: number, unit: string): string {
  if (unit === 'ratio') return formatPercent(value, 1);
  if (unit === 'bytes') return formatBytes(value);
  const text = round(value, Math.abs(value) < 10 ? 2 : Math.abs(value) < 100 ? 1 : 0);
  return unit === 's' || unit === 'ms' ? `${text} ${unit}` : text;
}

/** Distinct picture heights, the tallest first: `360p, 216p`. */
export const formatHeights = (renditions: readonly { readonly height?: number }[]): string =>
  [...new Set(renditions.flatMap(({ height }) => (height === undefined ? [] : [height])))]
    .sort((a, b) => b - a)
    .map((height) => `${height}p`)
    .join(', ');
