// The clock on the wall, which small corrections never turn back: a manifest's edge must not retreat (law 3). A large
// step back is somebody's will, or a mended mistake, and is followed.
import type { Clock, Timers } from '../time/clock.ts';
import { type Millis, millis } from '../time/units.ts';

const SMALL = 5000;

/** @param read milliseconds since 1970 */
export function createSystemNow(read: () => number = Date.now): () => Millis {
  let last = 0;
  return () => {
    const told = read();
    last = told < last && told > last - SMALL ? last : told;
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
