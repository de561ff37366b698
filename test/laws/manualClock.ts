// SPDX-License-Identifier: Apache-2.0
// A clock that a test advances, from timer to timer. It pauses while work is in progress: in this process, or as reported by
// `isBusy`.
import { setImmediate as turn } from 'node:timers/promises';
import type { Timers } from '../../src/time/clock.ts';
import { type Millis, millis } from '../../src/time/units.ts';
import { createTimerQueue } from '../clock/timerQueue.ts';

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
  const queue = createTimerQueue(startsAt);

  async function untilIdle(): Promise<void> {
    for (let idle = 0; idle < IDLE_TURNS; ) {
      await turn();
      idle = isBusy() || isReading() ? 0 : idle + 1;
    }
  }

  async function advanceTo(at: number): Promise<void> {
    queue.advanceTo(at);
    await untilIdle();
  }

  return {
    now: () => millis(Math.floor(queue.time())),
    timers: queue.timers,
    async advance(ms) {
      const until = queue.time() + ms;
      await untilIdle();
      while (queue.nextDue() <= until) await advanceTo(queue.nextDue());
      queue.advanceTo(until);
    },
    async runUntil(work) {
      const from = queue.time();
      let isDone = false;
      const end = () => {
        isDone = true;
      };
      work.then(end, end);
      await untilIdle();
      while (!isDone) {
        const due = queue.nextDue();
        if (due === Number.POSITIVE_INFINITY) throw new Error('the promise is pending, but no timer is set');
        await advanceTo(due);
      }
      return { value: await work, ms: queue.time() - from };
    },
  };
}
