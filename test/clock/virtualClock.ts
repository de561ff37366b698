// A clock whose minutes pass as fast as the machine can do what happens in them. It stands still while anything is under
// way in this process (stillness.ts), then goes at once to the instant at which the next timer is due. A slow machine
// sees the same minutes as a fast one.
import { type Millis, millis } from '../../src/time/units.ts';
import { watchActivity } from './stillness.ts';
import type { TestClock } from './testClock.ts';

type Waiting = { readonly due: number; readonly order: number; readonly work: () => void; isCancelled: boolean };

/** @param startsAt milliseconds since 1970; now unless given */
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

  function turnToNext(): void {
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

  const turning = (async () => {
    while (!isStopped) {
      await activity.untilStill();
      turnToNext();
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
      await turning;
      activity.close();
    },
  };
}
