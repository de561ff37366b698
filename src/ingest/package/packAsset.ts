// SPDX-License-Identifier: Apache-2.0
// Serializes an asset for the store. Rows of numbers are written as differences, and repeated differences as a count: a
// regular asset of two hours takes a few hundred bytes per rendition.
import type { Asset } from '../../timeline/asset/asset.ts';

/** To be increased when the format changes. */
const VERSION = 1;

const arrays = { f: Float64Array, u: Uint32Array } as const;
type Packed = { readonly $f: string } | { readonly $u: string };

export const packAsset = (asset: Asset): string => JSON.stringify({ version: VERSION, asset }, packRows);

/** A replacer for JSON.stringify of anything that contains an asset. */
export function packRows(_: string, value: unknown): unknown {
  if (value instanceof Float64Array) return { $f: packRow(value) };
  if (value instanceof Uint32Array) return { $u: packRow(value) };
  return value;
}

/** The reviver for JSON.parse of text that was written with `packRows`. */
export function unpackRows(_: string, value: unknown): unknown {
  if (!isPacked(value)) return value;
  return '$f' in value ? unpackRow(value.$f, 'f') : unpackRow(value.$u, 'u');
}

/** @returns undefined if the text has another format version: the asset must be imported again */
export function unpackAsset(text: string): Asset | undefined {
  const { version, asset } = JSON.parse(text, unpackRows) as { version: number; asset: Asset };
  return version === VERSION ? asset : undefined;
}

const isPacked = (value: unknown): value is Packed =>
  typeof value === 'object' && value !== null && ('$f' in value || '$u' in value);

/** `first difference*times difference …`, as whole numbers in base 36. */
function packRow(row: Float64Array | Uint32Array): string {
  const fields: string[] = [];
  let [before, step, times] = [0, 0, 0];
  const flush = (): void => {
    if (times > 0) fields.push(times === 1 ? step.toString(36) : `${step.toString(36)}*${times.toString(36)}`);
  };
  for (const value of row) {
    const difference = value - before;
    if (difference === step && times > 0) times += 1;
    else {
      flush();
      [step, times] = [difference, 1];
    }
    before = value;
  }
  flush();
  return fields.join(' ');
}

function unpackRow(text: string, kind: keyof typeof arrays): Float64Array | Uint32Array {
  const fields =
    text === '' ? [] : text.split(' ').map((word) => word.split('*').map((part) => Number.parseInt(part, 36)));
  const row = new arrays[kind](fields.reduce((length, [, times = 1]) => length + times, 0));
  let [at, value] = [0, 0];
  for (const [step = 0, times = 1] of fields) {
    for (let i = 0; i < times; i += 1) {
      value += step;
      row[at] = value;
      at += 1;
    }
  }
  return row;
}
