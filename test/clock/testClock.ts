// The clock of a test: the system's, or one that the test's own process turns. Everything that waits in a test of the
// whole waits on it: viewers between two polls, ad servers that are slow on purpose, and the product itself.
import { createSystemClock } from '../../src/adapters/systemClock.ts';
import { type Clock, sleep } from '../../src/time/clock.ts';

export type TestClock = Clock & {
  sleep(ms: number): Promise<void>;
  /** Ends the turning, once nothing needs it any more. */
  stop(): Promise<void>;
};

/** For what is real itself: processes that are killed, browsers, ffmpeg as a player. */
export function realClock(): TestClock {
  const clock = createSystemClock();
  return { ...clock, sleep: (ms) => sleep(clock.timers, ms), stop: async () => {} };
}
