// SPDX-License-Identifier: Apache-2.0
// SegmentTimeline (ISO/IEC 23009-1 5.3.9.6): S elements to segment borders.
import { defined } from '../../invariant.ts';
import type { Sliced } from '../../time/sliced.ts';
import type { XmlElement } from '../../xml/element.ts';
import { childrenNamed, invalidAttribute, MpdFault, wholeAttribute } from '../mpdFault.ts';

export type ExpandedTimeline = {
  /** count + 1 borders in ticks. Where S elements leave a gap, a segment lasts until the next one begins. */
  readonly borders: Float64Array;
  /** The start times of the manifest, exact beyond 2^53 too. */
  readonly time: (index: number) => bigint;
  /** Whether `borders` contains every one of these times exactly. */
  readonly timesAreBorders: boolean;
  /** Segment numbers; absent when they are consecutive from @startNumber (no S@n changes them). */
  readonly numbers?: readonly number[];
  /** Lines of S elements that do not start where the one before them ends: a gap, or an overlap (negative), in ticks. */
  readonly jumps: readonly { readonly line: number; readonly ticks: number }[];
};

/** A day of segments of two seconds is 43,200. */
export const MAX_SEGMENTS = 50_000;
/** S, or SegmentURL. */
export const ELEMENTS_IN_SLICE = 2000;

/** A remainder of up to this share of a segment does not add a segment to an open repeat. */
const FILL_TOLERANCE = 0.01;

/** @param count of segments up to and including those of an S. @throws MpdFault if there are too many */
export function checkCount(count: number, { line }: XmlElement): void {
  if (count <= MAX_SEGMENTS) return;
  const problem = `the SegmentTimeline lists too many segments; at most ${MAX_SEGMENTS} are supported`;
  throw new MpdFault(line, 'TOO_MANY_SEGMENTS', problem);
}

/** @param index of a segment, or for the end of the last one their number */
export const borderAt = (borders: ArrayLike<number>, index: number): number =>
  defined(borders[index], 'segments have borders');

/** S@t. @throws MpdFault */
export function timeOfS(s: XmlElement): bigint | undefined {
  const text = s.attributes.t?.trim();
  if (text === undefined) return undefined;
  return /^\d{1,20}$/.test(text) ? BigInt(text) : invalidAttribute(s, 't', 'a whole number');
}

/**
 * @param end ticks at which the Period ends, for an open repeat (@r = −1); undefined when unknown
 * @param firstNumber @startNumber
 * @throws MpdFault when an S is invalid
 */
export function* expandTimeline(
  timeline: XmlElement,
  end: number | undefined,
  firstNumber: number,
): Sliced<ExpandedTimeline> {
  const entries = childrenNamed(timeline, 'S');
  const firstTime = entries[0] === undefined ? 0n : (timeOfS(entries[0]) ?? 0n);
  // Times are relative to `origin`, so that they stay exact beyond 2^53 (as with 100 ns since 1970).
  const origin = firstTime > 1n << 52n ? firstTime : 0n;
  const starts: number[] = [];
  const numbers: number[] = [];
  const jumps: { line: number; ticks: number }[] = [];
  let at = Number(firstTime - origin);
  let number = firstNumber;
  let isConsecutive = true;
  for (const [index, s] of entries.entries()) {
    if (index % ELEMENTS_IN_SLICE === ELEMENTS_IN_SLICE - 1) yield;
    const time = timeOfS(s);
    const start = time === undefined ? at : Number(time - origin);
    if (start !== at) jumps.push({ line: s.line, ticks: start - at });
    const duration = wholeAttribute([s], 'd', 1) ?? invalidAttribute(s, 'd', 'a positive whole number');
    const problem = 'S@k (segment sequences) is not supported; use one S for each segment';
    if ((wholeAttribute([s], 'k') ?? 1) > 1) throw new MpdFault(s.line, 'SEGMENT_SEQUENCES', problem);
    const ownNumber = wholeAttribute([s], 'n');
    if (ownNumber !== undefined && ownNumber !== number) {
      number = ownNumber;
      isConsecutive = false;
    }
    const repeats = repeatsOf(s, start, duration, { next: entries[index + 1], end, origin });
    checkCount(starts.length + repeats + 1, s);
    at = start;
    for (let repeat = 0; repeat <= repeats; repeat += 1) {
      starts.push(at);
      numbers.push(number);
      number += 1;
      at += duration;
    }
  }
  const last = starts.at(-1);
  if (last === undefined)
    throw new MpdFault(timeline.line, 'NO_SEGMENT', 'SegmentTimeline has no S; it needs at least one');
  checkOrder(starts, timeline);
  const offset = Number(origin);
  return {
    borders: Float64Array.from([...starts, Math.max(at, last + 1)], (start) => start + offset),
    time: (index) => BigInt(borderAt(starts, index)) + origin,
    timesAreBorders: origin === 0n,
    ...(isConsecutive ? {} : { numbers }),
    jumps,
  };
}

type Around = { readonly next: XmlElement | undefined; readonly end: number | undefined; readonly origin: bigint };

/** What to do about a Period without an end. */
export const SET_END = 'set Period@duration or MPD@mediaPresentationDuration';

/** @r; −1 repeats until the next S with @t, else until the end of the Period (5.3.9.6.2). */
function repeatsOf(s: XmlElement, start: number, duration: number, { next, end, origin }: Around): number {
  const repeats = wholeAttribute([s], 'r', Number.NEGATIVE_INFINITY) ?? 0;
  if (repeats >= 0) return repeats;
  const nextTime = next && timeOfS(next);
  const until = nextTime === undefined ? end && end - Number(origin) : Number(nextTime - origin);
  const problem = 'S@r is −1, but the end of the Period is unknown';
  if (until === undefined) throw new MpdFault(s.line, 'PERIOD_END', `${problem}; ${SET_END}`);
  return Math.max(0, Math.ceil((until - start) / duration - FILL_TOLERANCE) - 1);
}

function checkOrder(starts: readonly number[], timeline: XmlElement): void {
  let before = Number.NEGATIVE_INFINITY;
  for (const [index, start] of starts.entries()) {
    if (start <= before)
      throw new MpdFault(
        timeline.line,
        'SEGMENT_ORDER',
        `segments of a SegmentTimeline must be in order; segment ${index} starts at ${start}, the one before it at ${before}`,
      );
    before = start;
  }
}
