// SPDX-License-Identifier: Apache-2.0
// A clock that runs as fast as the machine can do the work. It pauses while this process is busy (watchActivity.ts), then
// jumps to the next due timer. A slow machine runs the same schedule as a fast one.
import { sleep } from '../../src/time/clock.ts';
import { type Millis, millis } from '../../src/time/units.ts';
import type { TestClock } from './testClock.ts';
import { createTimerQueue } from './timerQueue.ts';
import { watchActivity } from './watchActivity.ts';

/** @param startsAt milliseconds since 1970; now by default */
export function createVirtualClock(startsAt: number = Date.now()): TestClock {
  const queue = createTimerQueue(startsAt);
  const activity = watchActivity();
  let isStopped = false;

  const running = (async () => {
    while (!isStopped) {
      await activity.untilIdle();
      const next = queue.nextDue();
      if (next < Number.POSITIVE_INFINITY) queue.advanceTo(next);
    }
  })();

  return {
    now: (): Millis => millis(Math.floor(queue.time())),
    timers: queue.timers,
    sleep: (ms) => sleep(queue.timers, ms),
    async stop() {
      isStopped = true;
      await running;
      activity.close();
    },
  };
}
