// SPDX-License-Identifier: Apache-2.0
// The clock of a test: the system clock, or a virtual one. Everything in a test of the whole system waits on it: viewers
// between two polls, slow ad servers, and the product itself (docs/decisions/015-injected-clock.md).
import { createSystemClock } from '../../src/adapters/systemClock.ts';
import { type Clock, sleep } from '../../src/time/clock.ts';

export type TestClock = Clock & {
  sleep(ms: number): Promise<void>;
  /** Does what waits for the system, such as for threads and ports to close. Meanwhile the clock is no faster than that of the system. */
  inRealTime<T>(work: () => Promise<T>): Promise<T>;
  /** Stops a virtual clock. */
  stop(): Promise<void>;
};

/** For tests with other processes: ones that are killed, browsers, ffmpeg as a player. */
export function realClock(): TestClock {
  const clock = createSystemClock();
  return { ...clock, sleep: (ms) => sleep(clock.timers, ms), inRealTime: (work) => work(), stop: async () => {} };
}
