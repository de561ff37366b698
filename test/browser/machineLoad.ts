// SPDX-License-Identifier: Apache-2.0
// Records when the machine was busy, from the idle time of its processors. All work counts, that of the browser and of the servers
// under test, too: a player that does not get the processor cannot be judged, whichever process has it.
import { cpus } from 'node:os';

/** Milliseconds. */
const SAMPLE = 500;
/** With a smaller share of idle time, the machine counts as busy: on two processors, half of one of them is free. */
const LEAST_IDLE = 0.25;
/** Milliseconds from a busy time to the stall that it causes when the buffer has run dry. */
const BEFORE = 5000;

/** A time during which the machine was busy: milliseconds since 1970, and the share of the processors that was idle. */
export type BusyTime = { readonly from: number; readonly to: number; readonly idle: number };

const totals = (): { idle: number; all: number } =>
  cpus().reduce(
    ({ idle, all }, { times }) => ({
      idle: idle + times.idle,
      all: all + times.idle + times.user + times.sys + times.nice + times.irq,
    }),
    { idle: 0, all: 0 },
  );

export function watchLoad() {
  const busy: BusyTime[] = [];
  let before = totals();
  let at = Date.now();
  const timer = setInterval(() => {
    const now = totals();
    const idle = (now.idle - before.idle) / Math.max(1, now.all - before.all);
    if (idle < LEAST_IDLE) busy.push({ from: at, to: Date.now(), idle });
    before = now;
    at = Date.now();
  }, SAMPLE);
  return {
    since: (from: number): BusyTime[] => busy.filter(({ to }) => to > from - BEFORE),
    close: () => clearInterval(timer),
  };
}

/** The busy times that may have caused an event that ended at `wall` and lasted `length` milliseconds. */
export const busyTimesBefore = (busy: readonly BusyTime[], wall: number, length = 0): BusyTime[] =>
  busy.filter(({ from, to }) => to > wall - length - BEFORE && from < wall);
