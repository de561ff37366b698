// SPDX-License-Identifier: Apache-2.0
// The clock of a bench server. A thousand viewers cannot poll 50,000 times a second as players do: every poll after the first
// would return the same manifest. So time passes with the requests, and each viewer polls once per interval.
import { type Millis, millis } from '../../src/time/units.ts';

export type PollClock = {
  readonly now: () => Millis;
  /** Called for each request of a manifest. */
  readonly count: () => void;
};

/**
 * @param intervalMs between two polls of a viewer; 0 for the clock of the machine
 * @param requests of manifests in which each viewer polls once
 */
export function createPollClock(start: Millis, intervalMs: number, requests: number): PollClock {
  if (intervalMs === 0) return { now: () => millis(Date.now()), count: () => {} };
  const step = intervalMs / requests;
  let polls = 0;
  return {
    now: () => millis(Math.floor(start + polls * step)),
    count() {
      polls += 1;
    },
  };
}
