// SPDX-License-Identifier: Apache-2.0
// Reads the cue points of an item. The elements are found by their local names in any namespace; `splicetime` is in
// milliseconds. Where that is not exact, Midroll's own attribute `splicetime` has the value of the playlist. A list without
// elements is text: positions in seconds, as in the feeds of Google Ad Manager (dfpvideo:cuepoints), JW Player and others.
import { withoutUndefined } from '../invariant.ts';
import type { XmlElement } from '../xml/element.ts';
import type { FeedNotice, ReadCuePoint } from './feed.ts';
import { adAttribute, anyChildren, quoted, readSeconds, textOf } from './feedElements.ts';

const MAX_CUE_POINTS = 500;
const MAX_COUNTED = 5000;

type Notice = Omit<FeedNotice, 'item'>;
type Read = { readonly cuePoints?: readonly ReadCuePoint[]; readonly faults: readonly Notice[] };

/** @param holders elements that may contain lists of cue points: the item, its groups and contents */
export function readCuePoints(holders: readonly XmlElement[]): Read {
  const cues = cuesOf(holders);
  if (cues.length === 0) return { faults: [] };
  const extra = cues[MAX_CUE_POINTS];
  if (extra !== undefined) {
    const count = cues.length > MAX_COUNTED ? `more than ${MAX_COUNTED}` : cues.length;
    const message = `must have at most ${MAX_CUE_POINTS} items; got ${count}`;
    return { cuePoints: [], faults: [{ line: extra.line, path: 'cuePoints', message }] };
  }
  const faults: Notice[] = [];
  const cuePoints = cues.flatMap((cue, index) => {
    const read = readAny(cue, (field, expected, actual, line) => {
      const message = `must be ${expected}; got ${actual === undefined ? 'nothing' : quoted(actual)}`;
      faults.push({ line, path: `cuePoints/${index}/${field}`, message });
    });
    return read === undefined ? [] : [read];
  });
  return { cuePoints, faults };
}

/** The cue points, until there are too many to count. */
function cuesOf(holders: readonly XmlElement[]): readonly Cue[] {
  const cues: Cue[] = [];
  for (const holder of holders) {
    for (const list of anyChildren(holder, 'cuepoints')) {
      const elements = anyChildren(list, 'cuepoint');
      const texts = elements.length > 0 ? [] : (textOf(list)?.split(/[\s,;]+/, MAX_COUNTED + 2) ?? []);
      for (const element of elements) cues.push(element);
      for (const text of texts) if (text !== '') cues.push({ line: list.line, text });
      if (cues.length > MAX_COUNTED) return cues;
    }
  }
  return cues;
}

/** An element, or a position in the text of a list. */
type Cue = XmlElement | { readonly line: number; readonly text: string };

function readAny(cue: Cue, reject: Reject): ReadCuePoint | undefined {
  if ('children' in cue) return readCuePoint(cue, reject);
  const { line, text } = cue;
  const spliceTime = text === '-1' ? -1 : readSeconds(text);
  if (spliceTime === undefined) reject('spliceTime', 'seconds, HH:MM:SS or -1', text, line);
  return spliceTime === undefined ? undefined : { line, spliceTime };
}

type Reject = (field: string, expected: string, actual: string | undefined, line: number) => void;

/** A field is a child element, or an attribute of the cue point. */
function fieldOf(cue: XmlElement, name: string): { text: string | undefined; line: number } {
  const child = anyChildren(cue, name).find(textOf);
  return { text: textOf(child) ?? (cue.attributes[name]?.trim() || undefined), line: (child ?? cue).line };
}

function readCuePoint(cue: XmlElement, reject: Reject): ReadCuePoint | undefined {
  const duration = fieldOf(cue, 'duration');
  const count = fieldOf(cue, 'maxcount');
  const spliceTime = readPosition(cue, reject);
  const maxDuration = duration.text === undefined ? undefined : readSeconds(duration.text);
  const maxAds = count.text === undefined ? undefined : readWhole(count.text);
  if (duration.text !== undefined && maxDuration === undefined)
    reject('maxDuration', 'seconds or HH:MM:SS', duration.text, duration.line);
  if (count.text !== undefined && maxAds === undefined) reject('maxAds', 'a whole number', count.text, count.line);
  if (spliceTime === undefined) return undefined;
  return { line: cue.line, spliceTime, ...withoutUndefined({ maxDuration, maxAds }) };
}

const readWhole = (text: string): number | undefined => (/^\d{1,9}$/.test(text) ? Number(text) : undefined);

/** The text of a cue point without elements is its position. */
function readPosition(cue: XmlElement, reject: Reject): number | undefined {
  const exact = adAttribute(cue, 'splicetime')?.trim();
  const field = fieldOf(cue, 'splicetime');
  const text = exact ?? field.text ?? (cue.children.length === 0 ? textOf(cue) : undefined);
  if (text === '-1') return -1;
  const read = text === undefined ? undefined : readSeconds(text);
  if (read === undefined)
    reject('spliceTime', exact === undefined ? 'milliseconds, HH:MM:SS or -1' : 'a number', text, field.line);
  // Text with a colon is a time of hours, minutes and seconds, not a number of milliseconds.
  return exact !== undefined || read === undefined || text?.includes(':') ? read : read / 1000;
}
