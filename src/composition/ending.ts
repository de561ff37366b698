// SPDX-License-Identifier: Apache-2.0
// The steps in which a process ends. Each has a limit, so that a store or a host that does not respond cannot keep the
// process from ending. What a step has not stored is in the spools, or is taken over by another process.
import type { Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FinalStage, Part } from './part.ts';

/** `name` is a noun phrase for the log. */
type FinalStep = { readonly name: string; readonly limitMs: number; readonly run: () => unknown };

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

// The time between SIGTERM and closing the ports. Load balancers need it to notice that the process is not ready; until then
// they send requests, and the process serves them. In the second half, each response closes its connection, so that clients
// that keep connections open have moved before the ports close.

/** From now on, the response to each new request closes its connection. */
export function closeAfterResponses(server: Server): void {
  server.prependListener('request', (_, response) => response.setHeader('connection', 'close'));
}

/** Resolves when the time is over. */
export async function drain(servers: readonly Server[], seconds: number): Promise<void> {
  await sleep(500 * seconds);
  for (const server of servers) closeAfterResponses(server);
  await sleep(500 * seconds);
}

// The steps in which a process ends, in the order of their stages: requests in progress first, then what parts store and release.

const REQUESTS_MS = 11_000;
const limits: Readonly<Record<FinalStage, number>> = { deciding: 4000, storing: 6000, closing: 1000, counting: 5000 };

/** The steps of one array run at once, one array after the other. */
export const finalStages = (
  closePorts: () => Promise<unknown>,
  parts: readonly Pick<Part, 'finalSteps'>[],
): FinalStep[][] => [
  [{ name: 'requests in progress', limitMs: REQUESTS_MS, run: closePorts }],
  ...Object.entries(limits).map(([stage, limitMs]) =>
    parts.flatMap(({ finalSteps }) =>
      Object.entries(finalSteps?.[stage as FinalStage] ?? {}).map(([name, run]) => ({ name, limitMs, run })),
    ),
  ),
];
