// SPDX-License-Identifier: Apache-2.0
// Reads the text and times of simple TTML (W3C TTML2, IMSC 1 text profile). Positions, colors and fonts are left to the
// player. Subtitles that are images are refused.
import type { Sliced } from '../time/sliced.ts';
import type { XmlElement } from '../xml/element.ts';
import { readingXml } from '../xml/read.ts';
import type { Cue } from './cue.ts';

type Clock = { readonly frameRate: number; readonly tickRate: number };

const attributeOf = ({ attributes }: XmlElement, local: string): string | undefined =>
  attributes[local] ?? Object.entries(attributes).find(([name]) => name.endsWith(`:${local}`))?.[1];

/** Ten hours of cues of two seconds, each with a span and a line break, have 54,000. */
const MAX_ELEMENTS = 60_000;
const CHILDREN_IN_SLICE = 500;

export type TtmlRefusal = { readonly refused: string; readonly code: 'NO_TTML' | 'PICTURES' };

/** @returns cues in media time, in milliseconds (ISO/IEC 14496-30 §5) */
export function* readingTtml(text: string): Sliced<{ readonly cues: Cue[] } | TtmlRefusal> {
  // In a sample, images follow the document that refers to them (ISO/IEC 14496-30 §5.6).
  const end = /<\/(?:[\w-]+:)?tt\s*>/.exec(text);
  const document = end === null ? text : text.slice(0, end.index + end[0].length);
  const read = yield* readingXml(document, { maxElements: MAX_ELEMENTS });
  if (!('root' in read)) {
    return { code: 'NO_TTML', refused: `a sample must be a TTML document; line ${read.line}: ${read.reason}` };
  }
  const { root } = read;
  if (root.local !== 'tt') {
    return { code: 'NO_TTML', refused: `a sample must be a TTML document; got <${root.local.slice(0, 40)}>` };
  }
  const cues: Cue[] = [];
  const body = root.children.find(({ local }) => local === 'body');
  if (body !== undefined) yield* gather(body, 0, Number.POSITIVE_INFINITY, clockOf(root), cues);
  if (cues.length === 0 && hasPictures(root)) {
    return { code: 'PICTURES', refused: 'its subtitles are images; publish them as text' };
  }
  return { cues };
}

const hasPictures = (element: XmlElement): boolean =>
  element.local === 'image' ||
  attributeOf(element, 'backgroundImage') !== undefined ||
  element.children.some(hasPictures);

function clockOf(root: XmlElement): Clock {
  const [numerator = 1, denominator = 1] = (attributeOf(root, 'frameRateMultiplier') ?? '').split(/[ :]/).map(Number);
  const nominal = Number(attributeOf(root, 'frameRate') ?? 30);
  const frameRate = nominal * (numerator > 0 && denominator > 0 ? numerator / denominator : 1);
  return {
    frameRate,
    tickRate: Number(attributeOf(root, 'tickRate')) || (attributeOf(root, 'frameRate') ? frameRate : 1),
  };
}

/** A time expression (TTML2 §12.3), for example `00:00:01.5`, `00:00:01:12`, `1.5s` or `36t`, in milliseconds. */
function readTime(text: string | undefined, { frameRate, tickRate }: Clock): number | undefined {
  const clock = /^(\d+):(\d{2}):(\d{2}(?:\.\d+)?)(?::(\d+(?:\.\d+)?))?$/.exec(text?.trim() ?? '');
  if (clock !== null) {
    const [hours = 0, minutes = 0, seconds = 0, frames = 0] = clock.slice(1).map((value) => Number(value ?? 0));
    return Math.round(1000 * ((hours * 60 + minutes) * 60 + seconds + frames / frameRate));
  }
  const [, value, unit = ''] = /^(\d+(?:\.\d+)?)(h|m|s|ms|f|t)$/.exec(text?.trim() ?? '') ?? [];
  const units: Record<string, number> = {
    h: 3_600_000,
    m: 60_000,
    s: 1000,
    ms: 1,
    f: 1000 / frameRate,
    t: 1000 / tickRate,
  };
  const size = units[unit];
  return size === undefined ? undefined : Math.round(Number(value) * size);
}

/** Times count from the start of the enclosing element (§12.2, `par`). */
function* gather(element: XmlElement, from: number, to: number, clock: Clock, cues: Cue[]): Sliced<void> {
  const begin = readTime(attributeOf(element, 'begin'), clock);
  const end = readTime(attributeOf(element, 'end'), clock);
  const duration = readTime(attributeOf(element, 'dur'), clock);
  const start = from + (begin ?? 0);
  const stop = Math.min(to, end === undefined ? to : from + end, duration === undefined ? to : start + duration);
  const isText = element.local === 'p' || element.local === 'span';
  const isTimed = (one: XmlElement): boolean => attributeOf(one, 'begin') !== undefined || one.children.some(isTimed);
  if (!isText || element.children.some(isTimed)) {
    for (const [index, child] of element.children.entries()) {
      if (index % CHILDREN_IN_SLICE === CHILDREN_IN_SLICE - 1) yield;
      yield* gather(child, start, stop, clock, cues);
    }
    return;
  }
  const text = cueText(element);
  if (text !== '' && Number.isFinite(stop) && start < stop) cues.push({ start, end: stop, text });
}

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

function written(element: XmlElement): string {
  const parts = element.mixed ?? (element.children.length > 0 ? element.children : [element.text]);
  return parts
    .map((part) => {
      if (typeof part === 'string') return part.replace(/\s+/g, ' ').replace(/[&<>]/g, (sign) => escapes[sign] ?? sign);
      return part.local === 'br' ? '\n' : part.local === 'metadata' ? '' : written(part);
    })
    .join('');
}

const cueText = (element: XmlElement): string =>
  written(element)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join('\n');
