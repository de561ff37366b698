// SPDX-License-Identifier: Apache-2.0
// SegmentTemplate@duration: which segments are available follows from the clock (ISO/IEC 23009-1 5.3.9.5.3, A.3.2).
import { type Flicks, secondsToFlicks } from '../../../time/units.ts';
import { after, type Instant } from '../../../timeline/programme/span.ts';
import type { TimelineRun } from './liveTimeline.ts';
import { ticksBetween } from './liveTimes.ts';

export type LiveClock = {
  /** Corrected by UTCTiming. */
  readonly now: Instant;
  /** Absent: segments stay available. */
  readonly timeShift: Flicks | undefined;
  /** A static MPD lists its Periods up to their end. */
  readonly isEnded: boolean;
};

export type EqualSegments = {
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
  const lastTicks = isOver && filled === count ? Number(span! - at(count - 1, ticks)) : undefined;
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
