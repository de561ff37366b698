// SPDX-License-Identifier: Apache-2.0
// What a process depends on, for tests that suspend it: until it continues, its timers do not fire, and it does not receive what
// the store and the origin respond.
import type { LiveLog } from '../../src/live/ports.ts';
import type { Timers } from '../../src/time/clock.ts';
import type { ManualClock } from './manualClock.ts';
import type { ScriptedOrigin } from './scriptedFeed.ts';

export type Suspendable = {
  readonly log: LiveLog;
  readonly clock: ManualClock;
  readonly origin: ScriptedOrigin;
  readonly isSuspended: () => boolean;
  suspend(): void;
  /** Timers fire before responses are received, as in an event loop. */
  resume(): void;
};

/** @returns a function that returns or throws what came */
export const outcomeOf = <Value>(response: Promise<Value>): Promise<() => Value> =>
  response.then(
    (value) => () => value,
    (error: unknown) => () => {
      throw error;
    },
  );

export function createSuspendable(log: LiveLog, clock: ManualClock, origin: ScriptedOrigin): Suspendable {
  let isSuspended = false;
  let held: (() => void)[] = [];

  const orHold = (work: () => void) => () => {
    if (isSuspended) held.push(work);
    else work();
  };
  async function received<Value>(response: Promise<Value>): Promise<Value> {
    const settled = await outcomeOf(response);
    while (isSuspended) await new Promise<void>((resolve) => held.push(() => queueMicrotask(resolve)));
    return settled();
  }
  const timers: Timers = {
    after: (ms, work) => clock.timers.after(ms, orHold(work)),
    every: (ms, work) => clock.timers.every(ms, orHold(work)),
    elapsed: clock.timers.elapsed,
  };
  return {
    clock: { ...clock, timers },
    log: new Proxy(log, {
      get: (target, name) => {
        const call = Reflect.get(target, name) as (...parameters: unknown[]) => Promise<unknown>;
        return (...parameters: unknown[]) => received(call(...parameters));
      },
    }),
    origin: {
      ...origin,
      readerFor(feed) {
        const reader = origin.readerFor(feed);
        return { ...reader, read: (signal) => received(reader.read(signal)) };
      },
    },
    isSuspended: () => isSuspended,
    suspend() {
      isSuspended = true;
    },
    resume() {
      isSuspended = false;
      const due = held;
      held = [];
      for (const work of due) work();
    },
  };
}
