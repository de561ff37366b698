// A chore that is done again and again, never twice at once; when it fails it says so and is tried at its next time.
import type { Timer, Timers } from '../time/clock.ts';

export type Chore = { stop(): void };

export function repeatedly(
  timers: Timers,
  name: string,
  everyMs: number,
  work: () => Promise<void>,
  warn: (message: string, facts: Record<string, unknown>) => void,
): Chore {
  let timer: Timer | undefined;
  let isStopped = false;
  const schedule = () => {
    if (!isStopped) timer = timers.after(everyMs, run);
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
