// A clock that a test advances, from timer to timer. It pauses while work is in progress: in this process, or as reported by
// `isBusy`.
import { setImmediate as turn } from 'node:timers/promises';
import type { Timers } from '../../src/time/clock.ts';
import { type Millis, millis } from '../../src/time/units.ts';

export type ManualClock = {
  readonly now: () => Millis;
  readonly timers: Timers;
  /** Advances the clock by this many milliseconds. */
  advance(ms: number): Promise<void>;
  /** Advances the clock until the promise settles. @returns its value, and the milliseconds of this clock that it took */
  runUntil<Value>(work: Promise<Value>): Promise<{ readonly value: Value; readonly ms: number }>;
};

/** After this many idle turns of the event loop, nothing more happens without the clock. */
const IDLE_TURNS = 3;
const isReading = () => process.getActiveResourcesInfo().some((name) => /^(FS|FileHandle)/.test(name));

export function createManualClock(startsAt: number, isBusy: () => boolean): ManualClock {
  let time = startsAt;
  const waiting = new Set<{ due: number; work: () => void }>();

  async function untilIdle(): Promise<void> {
    for (let idle = 0; idle < IDLE_TURNS; ) {
      await turn();
      idle = isBusy() || isReading() ? 0 : idle + 1;
    }
  }
  const nextDue = () => Math.min(...[...waiting].map(({ due }) => due));

  async function advanceTo(at: number): Promise<void> {
    time = at;
    for (const one of [...waiting].filter(({ due }) => due <= at).sort((a, b) => a.due - b.due)) {
      if (waiting.delete(one)) one.work();
    }
    await untilIdle();
  }
  const after = (ms: number, work: () => void) => {
    const one = { due: time + Math.max(0, ms), work };
    waiting.add(one);
    return { cancel: () => void waiting.delete(one) };
  };

  return {
    now: () => millis(Math.floor(time)),
    timers: {
      after,
      every(ms, work) {
        let one = after(ms, again);
        function again(): void {
          one = after(ms, again);
          work();
        }
        return { cancel: () => one.cancel() };
      },
      elapsed: () => time - startsAt,
    },
    async advance(ms) {
      const until = time + ms;
      await untilIdle();
      while (nextDue() <= until) await advanceTo(nextDue());
      time = until;
    },
    async runUntil(work) {
      const from = time;
      let isDone = false;
      const end = () => {
        isDone = true;
      };
      work.then(end, end);
      await untilIdle();
      while (!isDone) {
        if (waiting.size === 0) throw new Error('the promise is pending, but no timer is set');
        await advanceTo(nextDue());
      }
      return { value: await work, ms: time - from };
    },
  };
}
