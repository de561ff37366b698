// SPDX-License-Identifier: Apache-2.0
// The timers of a test's clock. Its owner decides when time passes.
import type { Timers } from '../../src/time/clock.ts';

export type TimerQueue = {
  readonly timers: Timers;
  /** Milliseconds since 1970. */
  time(): number;
  /** When the next timer is due; infinity if there is none. */
  nextDue(): number;
  /** Sets the time and runs the timers that are due, oldest first. Timers that they add wait for the next call. */
  advanceTo(instant: number): void;
};

/** @param startsAt milliseconds since 1970 */
export function createTimerQueue(startsAt: number): TimerQueue {
  let time = startsAt;
  /** In the order of creation. */
  const waiting = new Set<{ readonly due: number; readonly work: () => void }>();
  const after: Timers['after'] = (ms, work) => {
    const one = { due: time + Math.max(0, ms), work };
    waiting.add(one);
    return { cancel: () => void waiting.delete(one) };
  };
  return {
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
    time: () => time,
    nextDue: () => Math.min(...[...waiting].map(({ due }) => due)),
    advanceTo(instant) {
      time = Math.max(time, instant);
      const due = [...waiting].filter((one) => one.due <= time).sort((a, b) => a.due - b.due);
      for (const one of due) if (waiting.delete(one)) one.work();
    },
  };
}
