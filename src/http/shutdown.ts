// Ends a process in order: readiness says no first, then each step gets its time. It knows no server and no store.
import { setTimeout as wait } from 'node:timers/promises';

export type ShutdownStep = { readonly name: string; readonly run: () => Promise<unknown> };
type Log = { info(facts: object, text: string): void; error(facts: object, text: string): void };

export type Shutdown = {
  /** For readiness: true from the first moment of the end. */
  isDraining(): boolean;
  /** Runs the steps once, however often it is called; resolves when the last has ended or run out of time. */
  begin(reason: string): Promise<void>;
};

/** @param stepMs how long a step may take before the next begins all the same */
export function createShutdown(steps: readonly ShutdownStep[], log: Log, stepMs = 10_000): Shutdown {
  let ending: Promise<void> | undefined;

  async function run(reason: string) {
    // Whoever calls `begin` again, or asks, finds that it has begun.
    await Promise.resolve();
    log.info({ reason }, 'shutting down');
    for (const step of steps) {
      const timer = new AbortController();
      const late = wait(stepMs, 'late', { signal: timer.signal, ref: false }).catch(() => 'in time');
      try {
        const outcome = await Promise.race([step.run().then(() => 'in time'), late]);
        if (outcome === 'late')
          log.error({ step: step.name }, 'a step of the shutdown took too long and was left behind');
      } catch (error) {
        log.error({ err: error, step: step.name }, 'a step of the shutdown failed');
      } finally {
        timer.abort();
      }
    }
    log.info({}, 'shut down');
  }

  return {
    isDraining: () => ending !== undefined,
    begin: (reason) => {
      ending ??= run(reason);
      return ending;
    },
  };
}
