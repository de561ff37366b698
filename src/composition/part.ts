// SPDX-License-Identifier: Apache-2.0
// What a feature adds to the application. The application is a fold over parts.
import type { FastifyInstance } from 'fastify';
import type { Route } from '../http/admin/request/route.ts';
import type { Reading } from '../notices/followNotices.ts';
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

export type Task = {
  /** A noun phrase for the log: `<name> failed`, `<name> works again`. */
  readonly name: string;
  readonly everyMs: number;
  readonly run: () => Promise<void>;
  /** Where it runs. Default: `admin`, in the process with the administrative port. */
  readonly where?: 'admin' | 'live' | 'everywhere';
  /** Runs at the start, too. */
  readonly isImmediate?: true;
};

/** Makes the work of a task when it first runs: metrics that other processes never set would be a constant 0 there. */
export function madeAtFirstRun(make: () => () => Promise<void>): () => Promise<void> {
  let work: (() => Promise<void>) | undefined;
  return () => {
    work ??= make();
    return work();
  };
}

/** In the order of stages: what decides, then what stores, then what closes the stores of sessions, then what counts. */
export type FinalStage = 'deciding' | 'storing' | 'closing' | 'counting';

export type Part = {
  readonly routes?: readonly Route[];
  /** Other routes of the administrative port, such as those that browsers are redirected to. */
  readonly pages?: (app: FastifyInstance) => void;
  readonly tasks?: readonly Task[];
  /** What is read again when other processes have changed it. */
  readonly notices?: readonly Reading[];
  /** Ends responses that last, when the process stops. */
  readonly endStreams?: () => void;
  /** What is stored or released when the process ends, by names for the log. The steps of a stage run at once. */
  readonly finalSteps?: Partial<Record<FinalStage, Readonly<Record<string, () => unknown>>>>;
};

export function startTasks(
  tasks: readonly Task[],
  duties: { readonly admin: boolean; readonly live: boolean },
  {
    timers,
    warn,
  }: { readonly timers: Timers; readonly warn: (message: string, facts: Record<string, unknown>) => void },
): PeriodicTask[] {
  const isHere = ({ where = 'admin' }: Task) => where === 'everywhere' || duties[where];
  return tasks.filter(isHere).map(({ name, everyMs, run, isImmediate }) => {
    if (isImmediate) run().catch((error: unknown) => warn(`${name} failed`, { error }));
    return startPeriodicTask(timers, name, everyMs, run, warn);
  });
}
