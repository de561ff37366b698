// SPDX-License-Identifier: Apache-2.0
// SegmentTimeline of a live MPD (ISO/IEC 23009-1 5.3.9.6). Unlike in static MPDs, each segment has the duration that its S
// states, because what follows is often not listed yet, and media times count from 1970 often.
import type { XmlElement } from '../../../xml/element.ts';
import { childrenNamed, invalidAttribute, MpdFault, wholeAttribute } from '../../mpdFault.ts';
import { MAX_SEGMENTS, timeOfS } from '../segmentTimeline.ts';

/** Equal segments, one after the other. */
export type TimelineRun = {
  /** Of the first one. */
  readonly time: bigint;
  readonly number: number;
  readonly ticks: number;
  readonly count: number;
};

export type TimelineEnds = {
  /** Where the Period ends, in ticks; undefined when unknown. */
  readonly period: bigint | undefined;
  /** The time that is live, in ticks: no segment that ends later is complete. */
  readonly edge: bigint;
};

/** A remainder of up to this share of a segment does not add a segment to an open repeat. */
const FILL_TOLERANCE = 100n;

/** @throws MpdFault when an S is invalid */
export function liveTimeline(
  timeline: XmlElement,
  firstNumber: number,
  ends: TimelineEnds,
): { readonly runs: readonly TimelineRun[]; readonly isOpen: boolean } {
  const entries = childrenNamed(timeline, 'S');
  const runs: TimelineRun[] = [];
  let at = 0n;
  let number = firstNumber;
  let count = 0;
  let isOpen = false;
  for (const [index, s] of entries.entries()) {
    const time = timeOfS(s) ?? at;
    const last = runs.at(-1);
    if (last !== undefined && time <= last.time + BigInt(last.ticks) * BigInt(last.count - 1)) {
      throw new MpdFault(
        s.line,
        'SEGMENT_ORDER',
        `segments of a SegmentTimeline must be in order; S@t is ${time}, and the segment before it starts at ${at - BigInt(last.ticks)}`,
      );
    }
    const ticks = wholeAttribute([s], 'd', 1) ?? invalidAttribute(s, 'd', 'a positive whole number');
    number = wholeAttribute([s], 'n') ?? number;
    const repeats = wholeAttribute([s], 'r', Number.NEGATIVE_INFINITY) ?? 0;
    const next = entries[index + 1];
    const nextTime = repeats < 0 && next !== undefined ? timeOfS(next) : undefined;
    const length = repeats >= 0 ? repeats + 1 : openCount(time, BigInt(ticks), nextTime, ends);
    if (repeats < 0 && nextTime === undefined) isOpen = true;
    count += length;
    if (count > MAX_SEGMENTS)
      throw new MpdFault(
        s.line,
        'TOO_MANY_SEGMENTS',
        `the SegmentTimeline lists too many segments; at most ${MAX_SEGMENTS} are supported`,
      );
    if (length > 0) runs.push({ time, number, ticks, count: length });
    at = time + BigInt(ticks) * BigInt(length);
    number += length;
  }
  return { runs, isOpen };
}

/** S@r = −1 repeats until the next S with @t, else until the end of the Period, but not beyond the live edge (5.3.9.6.2). */
function openCount(time: bigint, ticks: bigint, next: bigint | undefined, { period, edge }: TimelineEnds): number {
  const until = next ?? period;
  const complete = (edge - time) / ticks;
  if (until === undefined) return Math.max(0, Number(complete));
  const filled = (until - time + ticks - 1n - ticks / FILL_TOLERANCE) / ticks;
  const isOver = next !== undefined || edge >= until;
  return Math.max(0, Number(isOver || filled < complete ? filled : complete));
}
