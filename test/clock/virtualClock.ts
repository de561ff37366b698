// SPDX-License-Identifier: Apache-2.0
// A clock that runs as fast as the machine can do the work. It pauses while this process is busy (watchActivity.ts), then
// jumps to the next due timer. A slow machine runs the same schedule as a fast one.
import { setTimeout as pause } from 'node:timers/promises';
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
  let works = 0;

  /** Advances as the clock of the system does, at most to an instant. */
  async function follow(instant: number): Promise<void> {
    const from = performance.now();
    await pause(Math.min(instant - queue.time(), 5));
    queue.advanceTo(Math.min(instant, queue.time() + performance.now() - from));
  }

  const running = (async () => {
    while (!isStopped) {
      await activity.untilIdle();
      const next = queue.nextDue();
      if (next === Number.POSITIVE_INFINITY) continue;
      if (works > 0) await follow(next);
      else queue.advanceTo(next);
    }
  })();

  return {
    now: (): Millis => millis(Math.floor(queue.time())),
    timers: queue.timers,
    sleep: (ms) => sleep(queue.timers, ms),
    async inRealTime(work) {
      works += 1;
      try {
        return await work();
      } finally {
        works -= 1;
      }
    },
    async stop() {
      isStopped = true;
      await running;
      activity.close();
    },
  };
}
