// SPDX-License-Identifier: Apache-2.0
// Records when the machine was busy, from the idle time of its processors. A stall at such a time may have been caused by the
// machine and not by the stream.
import { cpus } from 'node:os';

/** Milliseconds. */
const SAMPLE = 500;
/** With a smaller share of idle time, the machine counts as busy. */
const LEAST_IDLE = 0.25;
/** Milliseconds from a busy time to the stall that it causes when the buffer has run dry. */
const BEFORE = 5000;

/** A time during which the machine was busy: milliseconds since 1970. */
export type BusyTime = { readonly from: number; readonly to: number };

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
    if (idle < LEAST_IDLE) busy.push({ from: at, to: Date.now() });
    before = now;
    at = Date.now();
  }, SAMPLE);
  return {
    since: (from: number): BusyTime[] => busy.filter(({ to }) => to > from - BEFORE),
    close: () => clearInterval(timer),
  };
}

/** Whether an event that ended at `wall` and lasted `length` milliseconds may have been caused by a busy machine. */
export const isExcused = (busy: readonly BusyTime[], wall: number, length = 0): boolean =>
  busy.some(({ from, to }) => to > wall - length - BEFORE && from < wall);
