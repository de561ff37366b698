// A clock that the test moves. All work that an instant starts ends before the clock moves again, so a slow machine and a
// fast one give the same responses.
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

type Waiting = { readonly due: number; readonly order: number; readonly work: () => void };

/** @param start milliseconds since 1970 */
export function createSteppedClock(start: number): SteppedClock {
  const activity = watchActivity();
  const waiting = new Set<Waiting>();
  let time = start;
  let order = 0;

  function add(ms: number, work: () => void): Waiting {
    const one = { due: time + Math.max(0, ms), order: order++, work };
    waiting.add(one);
    return one;
  }

  function next(until: number): Waiting | undefined {
    const due = [...waiting].filter((one) => one.due <= until);
    return due.sort((a, b) => a.due - b.due || a.order - b.order)[0];
  }

  /** Sets the clock and runs the timers that are due. */
  async function turnTo(instant: number): Promise<void> {
    time = Math.max(time, instant);
    for (let one = next(time); one !== undefined; one = next(time)) {
      waiting.delete(one);
      one.work();
    }
    await activity.untilIdle();
  }

  return {
    now: () => Math.floor(time) as ReturnType<Clock['now']>,
    timers: {
      after(ms, work) {
        const one = add(ms, work);
        return { cancel: () => void waiting.delete(one) };
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
        return { cancel: () => void waiting.delete(one) };
      },
      elapsed: () => time - start,
    },
    async moveTo(instant) {
      await activity.untilIdle();
      for (let one = next(instant); one !== undefined; one = next(instant)) {
        const slice = Math.ceil(one.due / SLICE) * SLICE;
        await turnTo(Math.min(instant, slice));
      }
      time = instant;
    },
    async finish(work) {
      let isDone = false;
      const end = (): void => {
        isDone = true;
      };
      work.then(end, end);
      for (await activity.untilIdle(); !isDone; ) {
        const one = next(Number.POSITIVE_INFINITY);
        if (one === undefined) throw new Error('the work waits for something other than a timer');
        await turnTo(one.due);
      }
      return work;
    },
    close: () => activity.close(),
  };
}
