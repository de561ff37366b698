// SPDX-License-Identifier: Apache-2.0
// A clock that the test moves. All work that an instant starts ends before the clock moves again, so a slow machine and a
// fast one give the same responses.
import { createTimerQueue } from '../clock/timerQueue.ts';
import { watchActivity } from '../clock/watchActivity.ts';
import type { Clock } from './surroundings.ts';

export type SteppedClock = Clock & {
  /** Moves the clock forward and runs the timers that are due on the way. */
  moveTo(instant: number): Promise<void>;
  /** Returns the result of the work. The clock moves only if the work waits for a timer. */
  finish<Value>(work: Promise<Value>): Promise<Value>;
  close(): void;
};

/** The clock moves in steps of this many milliseconds: fewer steps make the test faster. */
const SLICE = 500;

/** @param start milliseconds since 1970 */
export function createSteppedClock(start: number): SteppedClock {
  const activity = watchActivity();
  const queue = createTimerQueue(start);

  async function advanceTo(instant: number): Promise<void> {
    queue.advanceTo(instant);
    await activity.untilIdle();
  }

  return {
    now: () => Math.floor(queue.time()) as ReturnType<Clock['now']>,
    timers: queue.timers,
    async moveTo(instant) {
      await activity.untilIdle();
      for (let due = queue.nextDue(); due <= instant; due = queue.nextDue()) {
        await advanceTo(Math.min(instant, Math.ceil(due / SLICE) * SLICE));
      }
      await advanceTo(instant);
    },
    async finish(work) {
      let isDone = false;
      const end = (): void => {
        isDone = true;
      };
      work.then(end, end);
      for (await activity.untilIdle(); !isDone; ) {
        const due = queue.nextDue();
        if (due === Number.POSITIVE_INFINITY) throw new Error('the work waits for something other than a timer');
        await advanceTo(due);
      }
      return work;
    },
    close: () => activity.close(),
  };
}
