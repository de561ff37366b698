// A clock that runs as fast as the machine can do the work. It pauses while this process is busy (watchActivity.ts), then
// jumps to the next due timer. A slow machine runs the same schedule as a fast one.
import { type Millis, millis } from '../../src/time/units.ts';
import type { TestClock } from './testClock.ts';
import { watchActivity } from './watchActivity.ts';

type Waiting = { readonly due: number; readonly order: number; readonly work: () => void; isCancelled: boolean };

/** @param startsAt milliseconds since 1970; now by default */
export function createVirtualClock(startsAt: number = Date.now()): TestClock {
  let time = startsAt;
  let order = 0;
  const waiting = new Set<Waiting>();
  const activity = watchActivity();
  let isStopped = false;

  function add(ms: number, work: () => void): Waiting {
    const one = { due: time + Math.max(0, ms), order: order++, work, isCancelled: false };
    waiting.add(one);
    return one;
  }
  const remove = (one: Waiting): void => {
    one.isCancelled = true;
    waiting.delete(one);
  };

  function advanceToNext(): void {
    let next = Number.POSITIVE_INFINITY;
    for (const { due } of waiting) next = Math.min(next, due);
    if (next === Number.POSITIVE_INFINITY) return;
    time = Math.max(time, next);
    const due = [...waiting].filter((one) => one.due <= time).sort((a, b) => a.due - b.due || a.order - b.order);
    for (const one of due) {
      if (one.isCancelled) continue;
      waiting.delete(one);
      one.work();
    }
  }

  const running = (async () => {
    while (!isStopped) {
      await activity.untilIdle();
      advanceToNext();
    }
  })();

  return {
    now: (): Millis => millis(Math.floor(time)),
    timers: {
      after(ms, work) {
        const one = add(ms, work);
        return { cancel: () => remove(one) };
      },
      every(ms, work) {
        let one: Waiting;
        const again = (): void => {
          one = add(ms, () => {
            again();
            work();
          });
        };
        again();
        return { cancel: () => remove(one) };
      },
      elapsed: () => time - startsAt,
    },
    sleep: (ms) => new Promise((resolve) => void add(ms, resolve)),
    async stop() {
      isStopped = true;
      await running;
      activity.close();
    },
  };
}
