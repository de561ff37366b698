// SPDX-License-Identifier: Apache-2.0
// URL templates (ISO/IEC 23009-1 5.3.9.4.4): identifiers between dollar signs, with an optional width.

import type { SegmentUrls } from '../../timeline/asset/asset.ts';
import { packUrls } from '../../timeline/asset/segmentUrl.ts';
import type { ExpandedTimeline } from './segmentTimeline.ts';

type SegmentVariable = { readonly name: 'Number' | 'Time'; readonly width: number };
export type FilledTemplate = readonly (string | SegmentVariable)[];
type TemplateFault = {
  readonly code: 'UNPAIRED_DOLLAR' | 'UNKNOWN_IDENTIFIER' | 'MISSING_VALUE';
  readonly reason: string;
};
type Known = { readonly RepresentationID?: string | undefined; readonly Bandwidth?: number | undefined };

const padded = (value: number | bigint | string, width: number): string => String(value).padStart(width, '0');

/** Fills in what is the same for all segments; returns a fault for an invalid template. */
export function fillTemplate(template: string, known: Known): FilledTemplate | TemplateFault {
  const filled: (string | SegmentVariable)[] = [];
  const pieces = template.split('$');
  if (pieces.length % 2 === 0) {
    return { code: 'UNPAIRED_DOLLAR', reason: 'has an unpaired "$"' };
  }
  for (const [index, piece] of pieces.entries()) {
    if (index % 2 === 0) {
      filled.push(piece);
      continue;
    }
    if (piece === '') {
      filled.push('$');
      continue;
    }
    const match = /^(RepresentationID|Bandwidth|Number|Time)(?:%0?(\d{1,2})[diu])?$/.exec(piece);
    if (match === null) {
      return { code: 'UNKNOWN_IDENTIFIER', reason: `has the unknown identifier "$${piece}$"` };
    }
    const [, name, digits = '1'] = match;
    const width = Number(digits);
    if (name === 'Number' || name === 'Time') {
      filled.push({ name, width });
      continue;
    }
    const value = known[name as keyof Known];
    if (value === undefined) {
      return { code: 'MISSING_VALUE', reason: `uses "$${name}$", but the Representation has no such attribute` };
    }
    filled.push(name === 'Bandwidth' ? padded(value, width) : String(value));
  }
  return joinTexts(filled);
}

function joinTexts(pieces: FilledTemplate): FilledTemplate {
  const joined: (string | SegmentVariable)[] = [];
  for (const piece of pieces) {
    const last = joined.at(-1);
    if (typeof piece === 'string' && typeof last === 'string') joined[joined.length - 1] = last + piece;
    else joined.push(piece);
  }
  return joined;
}

/** A text without segment variables, or undefined. */
export const constantText = (filled: FilledTemplate): string | undefined =>
  filled.every((piece) => typeof piece === 'string') ? filled.join('') : undefined;

/** The numbers and times that the URLs of a Representation's segments are made of. */
type SegmentNames = Pick<ExpandedTimeline, 'numbers' | 'time' | 'timesAreBorders'> & {
  readonly count: number;
  readonly firstNumber: number;
};

/** Resolves a relative reference; undefined when the result is not a URL. */
export type Resolve = (reference: string) => string | undefined;

/** The URLs of all segments, packed; undefined when one of them is invalid. */
export function templateUrls(filled: FilledTemplate, names: SegmentNames, resolve: Resolve): SegmentUrls | undefined {
  const variables = filled.filter((piece) => typeof piece !== 'string');
  const [only] = variables;
  if (only !== undefined && variables.length === 1) {
    const around = resolveAround(filled, resolve);
    if (around === undefined) return undefined;
    if (only.name === 'Number' && names.numbers === undefined) {
      return { kind: 'number', ...around, first: names.firstNumber, width: only.width };
    }
    if (only.name === 'Time' && names.timesAreBorders) return { kind: 'time', ...around, width: only.width };
  }
  const urls: string[] = [];
  for (let index = 0; index < names.count; index += 1) {
    const texts = filled.map((piece) => {
      if (typeof piece === 'string') return piece;
      const value = piece.name === 'Time' ? names.time(index) : (names.numbers?.[index] ?? names.firstNumber + index);
      return padded(value, piece.width);
    });
    const url = resolve(texts.join(''));
    if (url === undefined) return undefined;
    urls.push(url);
  }
  return packUrls(urls);
}

/** The URL of a single segment, and whether URLs contain its time; undefined when they are invalid. */
export function segmentNamer(
  filled: FilledTemplate,
  resolve: Resolve,
): { name: (number: number, time: bigint) => string | undefined; usesTime: boolean } | undefined {
  const variables = filled.filter((piece) => typeof piece !== 'string');
  const usesTime = variables.some(({ name }) => name === 'Time');
  const [only] = variables;
  if (only === undefined || variables.length > 1) {
    const name = (number: number, time: bigint): string | undefined =>
      resolve(
        filled
          .map((piece) =>
            typeof piece === 'string' ? piece : padded(piece.name === 'Time' ? time : number, piece.width),
          )
          .join(''),
      );
    return name(1, 1n) === undefined ? undefined : { name, usesTime };
  }
  const around = resolveAround(filled, resolve);
  if (around === undefined) return undefined;
  const { prefix, suffix } = around;
  return { name: (number, time) => prefix + padded(usesTime ? time : number, only.width) + suffix, usesTime };
}

/** Prefix and suffix of the absolute URL around the one variable, which a marker replaces while the URL is resolved. */
function resolveAround(filled: FilledTemplate, resolve: Resolve): { prefix: string; suffix: string } | undefined {
  const text = filled.filter((piece) => typeof piece === 'string').join('');
  let marker = '0variable0';
  while (text.includes(marker)) marker += '0';
  const resolved = resolve(filled.map((piece) => (typeof piece === 'string' ? piece : marker)).join(''));
  if (resolved === undefined) return undefined;
  const at = resolved.lastIndexOf(marker);
  return at < 0 ? undefined : { prefix: resolved.slice(0, at), suffix: resolved.slice(at + marker.length) };
}
