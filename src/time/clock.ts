// Time as the rest of Midroll sees it: what the clock says, and what happens later. The composition root passes it in, so
// that a test can turn it; nothing else in the product may measure a wait by the system's own timers, but what waits for
// the operating system itself (sockets, encoders, files).
import type { Millis } from './units.ts';

export type Timer = { cancel(): void };

export type Timers = {
  /** Runs `work` once, after so many milliseconds. */
  after(ms: number, work: () => void): Timer;
  /** Runs `work` every so many milliseconds. */
  every(ms: number, work: () => void): Timer;
  /** Milliseconds that only go forward, from an arbitrary instant: for deadlines and durations. */
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

/** What `work` resolves to, or undefined after so many milliseconds; `work` itself goes on. */
export function within<Value>(timers: Timers, ms: number, work: Promise<Value>): Promise<Value | undefined> {
  let timer: Timer | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = timers.after(Math.max(0, ms), () => resolve(undefined));
  });
  return Promise.race([work, late]).finally(() => timer?.cancel());
}
