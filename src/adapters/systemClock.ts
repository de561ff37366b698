// SPDX-License-Identifier: Apache-2.0
// The system's clock and timers. The clock ignores small steps back, because the live edge of a manifest must not
// retreat (law 3). It follows large steps back: they correct a wrong time.
import type { Clock, Timers } from '../time/clock.ts';
import { type Millis, millis } from '../time/units.ts';

/** Milliseconds. */
const IGNORED_STEP_BACK = 5000;

/** @param read milliseconds since 1970 */
export function createSystemNow(read: () => number = Date.now): () => Millis {
  let last = 0;
  return () => {
    const now = read();
    last = now < last && now > last - IGNORED_STEP_BACK ? last : now;
    return millis(last);
  };
}

export const systemTimers: Timers = {
  after(ms, work) {
    const timer = setTimeout(work, ms);
    return { cancel: () => clearTimeout(timer) };
  },
  every(ms, work) {
    const timer = setInterval(work, ms);
    return { cancel: () => clearInterval(timer) };
  },
  elapsed: () => performance.now(),
};

export const createSystemClock = (): Clock => ({ now: createSystemNow(), timers: systemTimers });
