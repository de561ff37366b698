// SPDX-License-Identifier: Apache-2.0
// SegmentTimeline of a live MPD (ISO/IEC 23009-1 5.3.9.6). Unlike in static MPDs, each segment has the duration that its S
// states, because what follows is often not listed yet, and media times count from 1970 often. An S that is invalid is left out.
import type { Sliced } from '../../../time/sliced.ts';
import { type Flicks, secondsToFlicks } from '../../../time/units.ts';
import { after, type Instant } from '../../../timeline/programme/span.ts';
import type { XmlElement } from '../../../xml/element.ts';
import { attempt, childrenNamed, hint, invalidAttribute, type MpdFault, wholeAttribute } from '../../mpdFault.ts';
import { checkCount, ELEMENTS_IN_SLICE, MAX_SEGMENTS, timeOfS } from '../segmentTimeline.ts';
import { ticksBetween } from './liveTimes.ts';

/** Equal segments, one after the other. */
export type TimelineRun = {
  readonly time: bigint;
  readonly number: number;
  readonly ticks: number;
  readonly count: number;
  readonly line?: number;
};

type TimelineEnds = {
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
    checkCount(count, s);
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
 * Media times ascend. If a segment is earlier than the one before it, one of the two is left out: the one before it,
 * if that alone is too far ahead.
 */
function createOrder(warn: (warning: string) => void): { add(run: TimelineRun): void; runs(): readonly TimelineRun[] } {
  let runs: TimelineRun[] = [];
  /** The runs that were left out last, one after the other. */
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
      const newest = late.at(-1);
      late = newest === undefined || run.time > lastStart(newest) ? [...late, run] : [run];
      if (late.reduce((sum, { count }) => sum + count, 0) < RESTARTED) return;
      warn(`line ${(late[0] ?? run).line}: the SegmentTimeline starts again here; what it lists before is left out`);
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

// SegmentTemplate@duration: which segments are available follows from the clock (ISO/IEC 23009-1 5.3.9.5.3, A.3.2).

export type LiveClock = {
  /** Corrected by UTCTiming. */
  readonly now: Instant;
  /** Absent: segments stay available. */
  readonly timeShift: Flicks | undefined;
  /** A static MPD lists its Periods up to their end. */
  readonly isEnded: boolean;
};

type EqualSegments = {
  /** @duration; may have decimals. */
  readonly ticks: number;
  readonly timescale: number;
  readonly firstNumber: number;
  readonly endNumber: number | undefined;
  readonly presentationTimeOffset: bigint;
  readonly start: Instant;
  readonly end: Instant | undefined;
};

/** Without timeShiftBufferDepth, all since the Period's start are available, which may be 1970. */
const LONGEST_WINDOW = secondsToFlicks(3600);
/** What differs from whole segments by less than this share of a second results from rounding: no frame is that short. */
const MIN_SEGMENT = 200n;

/**
 * A segment is listed when it is complete. availabilityTimeOffset, which allows to request it before, is not used.
 * The last segment of a Period ends with it.
 */
export function clockedRun(of: EqualSegments, { now, timeShift, isEnded }: LiveClock): TimelineRun[] {
  const { ticks, timescale, firstNumber, endNumber, presentationTimeOffset, start, end } = of;
  const elapsed = ticksBetween(start, now, timescale);
  const span = end && ticksBetween(start, end, timescale);
  const isOver = span !== undefined && (isEnded || elapsed >= span);
  const limit = BigInt(timescale) / MIN_SEGMENT;
  const filled = span === undefined ? undefined : upward(span - limit, ticks);
  const counts = [
    ...(isOver && filled !== undefined ? [filled] : isEnded && filled === undefined ? [] : [downward(elapsed, ticks)]),
    ...(endNumber === undefined ? [] : [endNumber - firstNumber + 1]),
  ];
  const count = Math.max(0, Math.min(...counts));
  const window = isEnded ? elapsed : ticksBetween(start, after(start, timeShift ?? LONGEST_WINDOW), timescale);
  const first = isEnded ? 0 : Math.max(0, downward(elapsed - window, ticks));
  if (!Number.isFinite(count) || count <= first) return [];
  const isCut = span !== undefined && isOver && filled === count;
  const lastTicks = isCut ? Number(span - at(count - 1, ticks)) : undefined;
  const runs = Number.isInteger(ticks) ? [{ first, count: count - first }] : single(first, count);
  return runs.flatMap((run): TimelineRun[] => {
    const time = presentationTimeOffset + at(run.first, ticks);
    const length = Number(at(run.first + 1, ticks) - at(run.first, ticks));
    const whole = { time, number: firstNumber + run.first, ticks: length, count: run.count };
    const isWhole = lastTicks === undefined || length - lastTicks < limit;
    if (isWhole || run.first + run.count < count) return [whole];
    const last = { time: presentationTimeOffset + at(count - 1, ticks), number: firstNumber + count - 1 };
    const before = run.count > 1 ? [{ ...whole, count: run.count - 1 }] : [];
    return [...before, { ...last, ticks: lastTicks, count: 1 }];
  });
}

/** The start of segment `index` after the Period's start. */
const at = (index: number, ticks: number): bigint =>
  Number.isInteger(ticks) ? BigInt(index) * BigInt(ticks) : BigInt(Math.round(index * ticks));

const downward = (length: bigint, ticks: number): number => {
  if (length < 0n) return 0;
  return Number.isInteger(ticks) ? Number(length / BigInt(ticks)) : Math.floor(Number(length) / ticks);
};

const upward = (length: bigint, ticks: number): number => {
  if (length <= 0n) return 0;
  return Number.isInteger(ticks)
    ? Number((length + BigInt(ticks) - 1n) / BigInt(ticks))
    : Math.ceil(Number(length) / ticks);
};

const single = (first: number, count: number): { first: number; count: number }[] =>
  Array.from({ length: count - first }, (_, index) => ({ first: first + index, count: 1 }));
