// SPDX-License-Identifier: Apache-2.0
// The clock and the timers of all modules. The composition root injects them, so that tests can control time
// (docs/decisions/015-injected-clock.md). Only waits for the operating system (sockets, encoders, files) use the
// system's own timers.
import type { Millis } from './units.ts';

export type Timer = { cancel(): void };

export type Timers = {
  after(ms: number, work: () => void): Timer;
  every(ms: number, work: () => void): Timer;
  /** Monotonic milliseconds since an arbitrary instant, for deadlines and durations. */
  elapsed(): number;
};

export type Clock = {
  /** The time of day. */
  readonly now: () => Millis;
  readonly timers: Timers;
};

export const sleep = ({ after }: Timers, ms: number): Promise<void> =>
  new Promise((resolve) => {
    after(ms, resolve);
  });

/** @returns the result of `work`, or undefined after `ms` milliseconds; `work` is not stopped */
export function within<Value>(timers: Timers, ms: number, work: Promise<Value>): Promise<Value | undefined> {
  let timer: Timer | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = timers.after(Math.max(0, ms), () => resolve(undefined));
  });
  return Promise.race([work, late]).finally(() => timer?.cancel());
}
