// SPDX-License-Identifier: Apache-2.0
// The decisions that this process is making: one for each break of a viewer, and one break of a viewer at a time, because later
// breaks see earlier choices.
import { sleep, type Timers } from '../../time/clock.ts';

export type DecisionRuns = {
  /** Undefined unless the decision is being made. */
  of(sessionId: string, breakId: string): Promise<void> | undefined;
  /** Begins the work, unless the decision is being made already. Never rejects: failures are logged. */
  once(sessionId: string, breakId: string, work: () => Promise<void>): Promise<void>;
  /** Resolves when no decision is being made. */
  idle(): Promise<void>;
};

/** After a failure, which is an outage or a bug, the decision is not attempted again at every poll. */
const RETRY_AFTER_FAILURE_MS = 2000;

export function createDecisionRuns(
  timers: Timers,
  log: (message: string, facts: Record<string, unknown>) => void,
): DecisionRuns {
  const running = new Map<string, Promise<void>>();
  const latest = new Map<string, Promise<void>>();
  const keyOf = (sessionId: string, breakId: string): string => `${sessionId} ${breakId}`;
  return {
    of: (sessionId, breakId) => running.get(keyOf(sessionId, breakId)),
    once(sessionId, breakId, work) {
      const key = keyOf(sessionId, breakId);
      const known = running.get(key);
      if (known !== undefined) return known;
      const started = (latest.get(sessionId)?.then(work) ?? work())
        .catch((error: unknown) => {
          log('failed to decide a break', { sessionId, breakId, error });
          return sleep(timers, RETRY_AFTER_FAILURE_MS);
        })
        .finally(() => {
          running.delete(key);
          if (latest.get(sessionId) === started) latest.delete(sessionId);
        });
      running.set(key, started);
      latest.set(sessionId, started);
      return started;
    },
    async idle() {
      while (running.size > 0) await Promise.all(running.values());
    },
  };
}
