// SPDX-License-Identifier: Apache-2.0
// Runs a task periodically, never twice at once. A failure is logged, and the task runs again at its next time.
import type { Timer, Timers } from '../time/clock.ts';

export type PeriodicTask = { stop(): void };

/** @param name a noun phrase for the log: `<name> failed` */
export function startPeriodicTask(
  timers: Timers,
  name: string,
  intervalMs: number,
  work: () => Promise<void>,
  warn: (message: string, facts: Record<string, unknown>) => void,
): PeriodicTask {
  let timer: Timer | undefined;
  let isStopped = false;
  const schedule = () => {
    if (!isStopped) timer = timers.after(intervalMs, run);
  };
  const run = () => {
    work()
      .catch((error: unknown) => warn(`${name} failed`, { error }))
      .finally(schedule);
  };
  schedule();
  return {
    stop() {
      isStopped = true;
      timer?.cancel();
    },
  };
}
