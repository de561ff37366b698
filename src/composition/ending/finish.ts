// SPDX-License-Identifier: Apache-2.0
// The steps in which a process ends. Each has a limit, so that a store or a host that does not respond cannot keep the
// process from ending. What a step has not stored is in the spools, or is taken over by another process.
import { setTimeout as sleep } from 'node:timers/promises';

/** `name` is a noun phrase for the log. */
export type FinalStep = { readonly name: string; readonly limitMs: number; readonly run: () => unknown };

type Warn = (message: string, facts: Record<string, unknown>) => void;

/** From the end of draining to the end of the process: the sum of the limits of all steps. */
export const STOP_LIMIT_SECONDS = 30;

/** Runs steps at once. A failure or a timeout is logged. @returns the names of those that were not completed */
export async function finish(steps: readonly FinalStep[], warn: Warn): Promise<string[]> {
  const unfinished = await Promise.all(
    steps.map(async ({ name, limitMs, run }) => {
      const limit = new AbortController();
      const timedOut = sleep(limitMs, true, { signal: limit.signal, ref: true }).catch(() => false);
      try {
        const done = (async () => void (await run()))().then(() => false);
        if (!(await Promise.race([done, timedOut]))) return [];
        warn(`${name} not finished in time`, { limitMs });
      } catch (error) {
        warn(`${name} failed`, { error });
      } finally {
        limit.abort();
      }
      return [name];
    }),
  );
  return unfinished.flat();
}

/** Runs arrays of steps one after the other. @returns the names of those that were not completed */
export async function finishAll(stages: readonly (readonly FinalStep[])[], warn: Warn): Promise<string[]> {
  const unfinished: string[] = [];
  for (const steps of stages) unfinished.push(...(await finish(steps, warn)));
  return unfinished;
}
