// SPDX-License-Identifier: Apache-2.0
// The timeline of a test's live encoder, computed from the clock: which segments exist at an instant, and their numbers, times
// and stretches. An encoder that restarts begins a new run.
import { type AddedBreak, type BreakPlan, type OriginBreak, planBreaks } from './breakPlan.ts';
import type { MediaLoop } from './media/mediaLoop.ts';

/** From a start of the encoder to the next. Its segments are counted from 0. */
export type Run = {
  readonly index: number;
  /** When segment 0 starts, in milliseconds since 1970. */
  readonly startedAt: number;
  /** When the encoder stopped. */
  stoppedAt: number;
  /** The number of segment 0: media sequence number and `$Number$`. */
  readonly firstNumber: number;
  /** The media time of segment 0, in milliseconds. */
  readonly mediaMs: number;
  /** The first segments of its stretches, ascending; without 0. Media time jumps there. */
  readonly discontinuities: Set<number>;
  /** Segments that are listed as missing. */
  readonly gaps: Set<number>;
  readonly breaks: BreakPlan;
};

export type BroadcastOptions = {
  readonly loop: MediaLoop;
  readonly now: number;
  /** Seconds that exist when the origin starts; default 60. */
  readonly history?: number;
  readonly firstNumber?: number;
  /**
   * The media time of the first segment: milliseconds (default 10 s, because sound starts up to 21 ms earlier), or `unix` for
   * the time since 1970.
   */
  readonly mediaTime?: 'unix' | number;
  /** Whether the loop of the media is hidden, or is a discontinuity. */
  readonly loops?: 'continuous' | 'discontinuity';
  readonly breaks?: Omit<BreakPlan, 'offset' | 'segmentMs' | 'added'>;
};

/** How far media time jumps at a discontinuity. */
const JUMP_MS = 1_000_000;

export type Broadcast = ReturnType<typeof createBroadcast>;

export function createBroadcast(options: BroadcastOptions) {
  const { loop, now, history = 60, mediaTime = 10_000, loops = 'continuous', firstNumber = 1 } = options;
  const { segmentMs } = loop;
  const runs: Run[] = [];
  const grid = (at: number): number => Math.floor(at / 40) * 40;

  function begin(startedAt: number, number: number, offset: number): Run {
    const run: Run = {
      index: runs.length,
      startedAt: grid(startedAt),
      stoppedAt: Number.POSITIVE_INFINITY,
      firstNumber: number,
      mediaMs: mediaTime === 'unix' ? grid(startedAt) : grid(mediaTime),
      discontinuities: new Set(),
      gaps: new Set(),
      breaks: { every: 0, seconds: 0, ...options.breaks, offset, segmentMs, added: [] },
    };
    runs.push(run);
    return run;
  }
  const past = Math.floor((history * 1000) / segmentMs);
  begin(now - past * segmentMs, firstNumber, past);

  const runAt = (at: number): Run => runs.findLast(({ startedAt }) => startedAt <= at) ?? runs[0]!;
  /** The number of discontinuities up to a segment; those of the loop included. */
  const stretchOf = (run: Run, index: number): number => {
    const ofLoop = loops === 'discontinuity' ? Math.floor(index / loop.count) : 0;
    return ofLoop + [...run.discontinuities].filter((first) => first <= index).length;
  };
  return {
    loop,
    runs,
    runAt,
    stretchOf,
    isDiscontinuity: (run: Run, index: number): boolean =>
      index > 0 && stretchOf(run, index) !== stretchOf(run, index - 1),
    /** The newest segment that has ended. */
    edgeAt: (run: Run, at: number): number => Math.floor((Math.min(at, run.stoppedAt) - run.startedAt) / segmentMs) - 1,
    startOf: (run: Run, index: number): number => run.startedAt + index * segmentMs,
    /** Media time at the start of a segment, in milliseconds. */
    mediaMsOf(run: Run, index: number): number {
      const jumps = [...run.discontinuities].filter((first) => first <= index).length * JUMP_MS;
      if (loops === 'discontinuity') return run.mediaMs + (index % loop.count) * segmentMs + jumps;
      return run.mediaMs + index * segmentMs + jumps;
    },
    /** The breaks that touch the time between two segments. */
    breaksBetween: (run: Run, from: number, to: number): OriginBreak[] => planBreaks(run.breaks, from, to),
    /** Adds a break that starts so many segments (`in`) after the one that is being recorded. */
    addBreak(at: number, one: { readonly in?: number } & Omit<AddedBreak, 'id' | 'start'>): OriginBreak {
      const run = runAt(at);
      const { in: after = 1, ...about } = one;
      const start = Math.floor((at - run.startedAt) / segmentMs) + after;
      const added = { id: 500 + run.breaks.added.length, start, ...about };
      run.breaks.added.push(added);
      return planBreaks(run.breaks, start, start).find(({ id }) => id === added.id)!;
    },
    /** The encoder restarts: media time and numbers begin again. @param after milliseconds without segments */
    restart(at: number, after = 0, number = 1): Run {
      runAt(at).stoppedAt = at;
      return begin(at + after, number, 0);
    },
  };
}
