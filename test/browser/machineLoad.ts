// Whether the machine had time for the players: the share of its processors that stood idle, sampled while they play. A
// player that waits on a machine without idle time may have been kept waiting by that, and not by the stream.
import { cpus } from 'node:os';

/** Milliseconds. */
const SAMPLE = 500;
/** Less than this share of idle time, and others took what the players needed. */
const LEAST_IDLE = 0.25;
/** A player whose buffer ran dry missed what it needed some seconds before. */
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

/** Whether something that ended at an instant, and lasted so long, may have come of a busy machine. */
export const isExcused = (busy: readonly BusyTime[], wall: number, length = 0): boolean =>
  busy.some(({ from, to }) => to > wall - length - BEFORE && from < wall);
