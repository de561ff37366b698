// SPDX-License-Identifier: Apache-2.0
// SegmentTimeline of a live MPD (ISO/IEC 23009-1 5.3.9.6). Unlike in static MPDs, each segment has the duration that its S
// states, because what follows is often not listed yet, and media times count from 1970 often. An S that is invalid is left out.
import type { Sliced } from '../../../time/sliced.ts';
import type { XmlElement } from '../../../xml/element.ts';
import { attempt, childrenNamed, hint, invalidAttribute, MpdFault, wholeAttribute } from '../../mpdFault.ts';
import { ELEMENTS_IN_SLICE, MAX_SEGMENTS, timeOfS } from '../segmentTimeline.ts';

/** Equal segments, one after the other. */
export type TimelineRun = {
  /** Of the first one. */
  readonly time: bigint;
  readonly number: number;
  readonly ticks: number;
  readonly count: number;
  /** Of the S. */
  readonly line?: number;
};

export type TimelineEnds = {
  /** Where the Period ends, in ticks; undefined when unknown. */
  readonly period: bigint | undefined;
  /** The time that is live, in ticks: no segment that ends later is complete. */
  readonly edge: bigint;
};

/** A remainder of up to this share of a segment does not add a segment to an open repeat. */
const FILL_TOLERANCE = 100n;
/** A timeline that goes back for as many segments starts again. */
const RESTARTED = 3;

/** @throws MpdFault when no S is valid */
export function* liveTimeline(
  timeline: XmlElement,
  firstNumber: number,
  ends: TimelineEnds,
  warn: (warning: string) => void,
): Sliced<{ readonly runs: readonly TimelineRun[]; readonly isOpen: boolean }> {
  const entries = childrenNamed(timeline, 'S');
  const order = createOrder(warn);
  let first: MpdFault | undefined;
  let at = 0n;
  let number = firstNumber;
  let usual = 0n;
  let count = 0;
  let isOpen = false;
  for (const [index, s] of entries.entries()) {
    if (index % ELEMENTS_IN_SLICE === ELEMENTS_IN_SLICE - 1) yield;
    const leave = (fault: MpdFault): undefined => {
      first ??= fault;
      warn(`${fault.message}; the segment is left out`);
    };
    const entry = attempt<Entry | undefined>(() => readEntry(s, at), leave);
    if (entry === undefined) {
      at = (validTimeOf(s) ?? at) + usual;
      number += 1;
      continue;
    }
    const { time, ticks } = entry;
    usual = BigInt(ticks);
    number = entry.number ?? number;
    const nextTime = validTimeOf(entries[index + 1]);
    const repeats = hint(() => wholeAttribute([s], 'r', Number.NEGATIVE_INFINITY), warn) ?? fallback(s, nextTime);
    // Some packagers write −1 as an unsigned number.
    const isCounted = repeats >= 0 && repeats < MAX_SEGMENTS;
    const length = isCounted ? repeats + 1 : openCount(time, usual, nextTime, ends);
    if (!isCounted && nextTime === undefined) isOpen = true;
    count += length;
    if (count > MAX_SEGMENTS)
      throw new MpdFault(
        s.line,
        'TOO_MANY_SEGMENTS',
        `the SegmentTimeline lists too many segments; at most ${MAX_SEGMENTS} are supported`,
      );
    if (length > 0) order.add({ time, number, ticks, count: length, line: s.line });
    at = time + usual * BigInt(length);
    number += length;
  }
  const runs = order.runs();
  if (runs.length === 0 && first !== undefined) throw first;
  return { runs, isOpen };
}

const validTimeOf = (s: XmlElement | undefined): bigint | undefined => s && hint(() => timeOfS(s));

type Entry = { readonly time: bigint; readonly ticks: number; readonly number: number | undefined };

function readEntry(s: XmlElement, at: bigint): Entry {
  const time = timeOfS(s) ?? at;
  const ticks = wholeAttribute([s], 'd', 1) ?? invalidAttribute(s, 'd', 'a positive whole number');
  return { time, ticks, number: wholeAttribute([s], 'n') };
}

/** An S@r that cannot be read is as many as fit before the next S. */
const fallback = (s: XmlElement, next: bigint | undefined): number =>
  s.attributes.r !== undefined && next !== undefined ? -1 : 0;

const lastStart = ({ time, ticks, count }: TimelineRun): bigint => time + BigInt(ticks) * BigInt(count - 1);

/**
 * Media times ascend. Of a segment that is earlier than the one before it, one of the two is left out: the one before it, if it is
 * alone too far ahead.
 */
function createOrder(warn: (warning: string) => void): { add(run: TimelineRun): void; runs(): readonly TimelineRun[] } {
  let runs: TimelineRun[] = [];
  /** Those that were left out last, one after the other. */
  let late: TimelineRun[] = [];
  const leave = ({ line, time }: TimelineRun, other: TimelineRun): void =>
    warn(
      `line ${line}: segments of a SegmentTimeline must be in order; S@t is ${time}, but ${lastStart(other)} on line ${other.line}; the segment is left out`,
    );
  return {
    runs: () => runs,
    add(run) {
      const last = runs.at(-1);
      if (last === undefined || run.time > lastStart(last)) {
        runs.push(run);
        late = [];
        return;
      }
      const before = runs.at(-2);
      if (before !== undefined && last.count === 1 && run.time > lastStart(before)) {
        leave(last, run);
        runs.splice(-1, 1, run);
        late = [];
        return;
      }
      leave(run, last);
      const isNext = late.length === 0 || run.time > lastStart(late.at(-1)!);
      late = isNext ? [...late, run] : [run];
      if (late.reduce((sum, { count }) => sum + count, 0) < RESTARTED) return;
      warn(`line ${late[0]!.line}: the SegmentTimeline starts again here; what it lists before is left out`);
      runs = late;
      late = [];
    },
  };
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
