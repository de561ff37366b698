// SPDX-License-Identifier: Apache-2.0
// Runs a task periodically, never twice at once. After a failure, the task runs again at its next time. The log states the first
// failure, and when the task succeeds again.
import type { Timer, Timers } from '../time/clock.ts';

export type PeriodicTask = { stop(): void };

/** @param name a noun phrase for the log: `<name> failed`, `<name> works again` */
export function startPeriodicTask(
  timers: Timers,
  name: string,
  intervalMs: number,
  work: () => Promise<void>,
  warn: (message: string, facts: Record<string, unknown>) => void,
): PeriodicTask {
  let timer: Timer | undefined;
  let isStopped = false;
  let failures = 0;
  const schedule = () => {
    if (!isStopped) timer = timers.after(intervalMs, run);
  };
  const run = () => {
    work()
      .then(
        () => {
          if (failures > 0) warn(`${name} works again`, { failures });
          failures = 0;
        },
        (error: unknown) => {
          if (failures === 0) warn(`${name} failed`, { error });
          failures += 1;
        },
      )
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

/** Statements in a row. What remains is deleted at the next time. */
const MAX_STATEMENTS = 100;

/** Deletes rows in bounded statements. @param removeSome @returns whether there are more */
export async function repeat(removeSome: () => Promise<boolean>): Promise<void> {
  for (let count = 0; count < MAX_STATEMENTS; count += 1) if (!(await removeSome())) return;
}
