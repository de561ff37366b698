// SegmentTimeline (ISO/IEC 23009-1 5.3.9.6): S elements to segment borders.
import type { XmlElement } from '../../xml/element.ts';
import { childrenNamed, MpdFault, wholeAttribute, wrongAttribute } from '../mpdFault.ts';

export type ExpandedTimeline = {
  /** count + 1 borders in ticks; where S elements leave a gap, a segment is taken to last until the next begins. */
  readonly borders: Float64Array;
  /** The start times as the manifest tells them, exact beyond 2^53 too. */
  readonly time: (index: number) => bigint;
  /** Whether `borders` holds every one of those times exactly. */
  readonly timesAreBorders: boolean;
  /** Segment numbers, only where S@n makes them do other than count on from @startNumber. */
  readonly numbers?: readonly number[];
  /** Lines of S elements before which time is missing or told twice, and how much (negative: twice), in ticks. */
  readonly jumps: readonly { readonly line: number; readonly ticks: number }[];
};

export const MOST_SEGMENTS = 250_000;

/** A repeat that fills up to `end` may overshoot by this part of a segment before another segment is counted. */
const FILL_TOLERANCE = 0.01;

function timeOf(s: XmlElement): bigint | undefined {
  const text = s.attributes.t?.trim();
  if (text === undefined) return undefined;
  return /^\d{1,20}$/.test(text) ? BigInt(text) : wrongAttribute(s, 't', 'a whole number');
}

/**
 * @param end ticks at which the Period ends, for an open repeat (@r = −1); undefined when nothing tells
 * @param firstNumber @startNumber
 * @throws MpdFault when an S can't be read
 */
export function expandTimeline(timeline: XmlElement, end: number | undefined, firstNumber: number): ExpandedTimeline {
  const entries = childrenNamed(timeline, 'S');
  const firstTime = entries[0] === undefined ? 0n : (timeOf(entries[0]) ?? 0n);
  // Times are counted from `origin`, so that they stay exact when they began beyond 2^53 (100 ns since 1970 do).
  const origin = firstTime > 1n << 52n ? firstTime : 0n;
  const starts: number[] = [];
  const numbers: number[] = [];
  const jumps: { line: number; ticks: number }[] = [];
  let at = Number(firstTime - origin);
  let number = firstNumber;
  let countsOn = true;
  for (const [index, s] of entries.entries()) {
    const told = timeOf(s);
    const start = told === undefined ? at : Number(told - origin);
    if (start !== at) jumps.push({ line: s.line, ticks: start - at });
    const duration = wholeAttribute([s], 'd', 1) ?? wrongAttribute(s, 'd', 'a positive whole number');
    if ((wholeAttribute([s], 'k') ?? 1) > 1)
      throw new MpdFault(s.line, 'SEGMENT_SEQUENCES', 'S@k (segment sequences) is not supported');
    const toldNumber = wholeAttribute([s], 'n');
    if (toldNumber !== undefined && toldNumber !== number) {
      number = toldNumber;
      countsOn = false;
    }
    const repeats = repeatsOf(s, start, duration, { next: entries[index + 1], end, origin });
    if (starts.length + repeats >= MOST_SEGMENTS) {
      throw new MpdFault(s.line, 'TOO_MANY_SEGMENTS', `the SegmentTimeline lists more than ${MOST_SEGMENTS} segments`);
    }
    at = start;
    for (let repeat = 0; repeat <= repeats; repeat += 1) {
      starts.push(at);
      numbers.push(number);
      number += 1;
      at += duration;
    }
  }
  if (starts.length === 0)
    throw new MpdFault(timeline.line, 'NO_SEGMENT', 'SegmentTimeline must hold at least one S, it holds none');
  checkOrder(starts, timeline);
  const offset = Number(origin);
  return {
    borders: Float64Array.from([...starts, Math.max(at, starts.at(-1)! + 1)], (start) => start + offset),
    time: (index) => BigInt(starts[index]!) + origin,
    timesAreBorders: origin === 0n,
    ...(countsOn ? {} : { numbers }),
    jumps,
  };
}

type Around = { readonly next: XmlElement | undefined; readonly end: number | undefined; readonly origin: bigint };

/** @r, with −1 worked out: until the next S that tells its time, else until the end of the Period (5.3.9.6.2). */
function repeatsOf(s: XmlElement, start: number, duration: number, { next, end, origin }: Around): number {
  const repeats = wholeAttribute([s], 'r', Number.NEGATIVE_INFINITY) ?? 0;
  if (repeats >= 0) return repeats;
  const nextTime = next && timeOf(next);
  const until = nextTime === undefined ? end && end - Number(origin) : Number(nextTime - origin);
  if (until === undefined)
    throw new MpdFault(s.line, 'PERIOD_END', 'S@r is −1, but nothing tells where the Period ends');
  return Math.max(0, Math.ceil((until - start) / duration - FILL_TOLERANCE) - 1);
}

function checkOrder(starts: readonly number[], timeline: XmlElement): void {
  const behind = starts.findIndex((start, index) => index > 0 && start <= starts[index - 1]!);
  if (behind > 0) {
    throw new MpdFault(
      timeline.line,
      'SEGMENT_ORDER',
      `segments of a SegmentTimeline must follow each other, segment ${behind} starts at ${starts[behind]} and the one before it at ${starts[behind - 1]}`,
    );
  }
}
