// A clock that a test turns by hand, from timer to timer. It stands still while anything is under way: work of this process,
// and whatever `isBusy` knows of.
import { setImmediate as turn } from 'node:timers/promises';
import type { Timers } from '../../src/time/clock.ts';
import { type Millis, millis } from '../../src/time/units.ts';

export type HandClock = {
  readonly now: () => Millis;
  readonly timers: Timers;
  /** Lets this much time pass; milliseconds. */
  pass(ms: number): Promise<void>;
  /** Turns the clock until the work is done. @returns how long it took, in milliseconds of this clock */
  finish<Value>(work: Promise<Value>): Promise<{ readonly value: Value; readonly ms: number }>;
};

/** Turns of the event loop in which nothing happens, after which nothing more will happen by itself. */
const CALM = 3;
const isReading = () => process.getActiveResourcesInfo().some((name) => /^(FS|FileHandle)/.test(name));

export function createHandClock(startsAt: number, isBusy: () => boolean): HandClock {
  let time = startsAt;
  const waiting = new Set<{ due: number; work: () => void }>();

  async function untilStill(): Promise<void> {
    for (let calm = 0; calm < CALM; ) {
      await turn();
      calm = isBusy() || isReading() ? 0 : calm + 1;
    }
  }
  const nextDue = () => Math.min(...[...waiting].map(({ due }) => due));

  async function turnTo(at: number): Promise<void> {
    time = at;
    for (const one of [...waiting].filter(({ due }) => due <= at).sort((a, b) => a.due - b.due)) {
      if (waiting.delete(one)) one.work();
    }
    await untilStill();
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
    async pass(ms) {
      const until = time + ms;
      await untilStill();
      while (nextDue() <= until) await turnTo(nextDue());
      time = until;
    },
    async finish(work) {
      const from = time;
      let isDone = false;
      const end = () => {
        isDone = true;
      };
      work.then(end, end);
      await untilStill();
      while (!isDone) {
        if (waiting.size === 0) throw new Error('it waits for something that this clock does not bring');
        await turnTo(nextDue());
      }
      return { value: await work, ms: time - from };
    },
  };
}
