// SPDX-License-Identifier: Apache-2.0
// Ends this process on SIGTERM or SIGINT, and with WORKERS the processes that share the live port first. SIGTERM comes from
// supervisors: the process drains before it ends. SIGINT comes from terminals: it ends without draining. The second signal ends
// it at once.
import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { STOP_LIMIT_SECONDS } from './composition/ending.ts';
import { describeError } from './errors.ts';

export type Stoppable = {
  drain(seconds: number): Promise<void>;
  close(): Promise<void>;
};

export type Stopping = { readonly isStopping: () => boolean };

const workers = (): Worker[] => Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);

function signalWorkers(signal: NodeJS.Signals): void {
  for (const worker of workers()) worker.process.kill(signal);
}

/** A worker that has not ended by itself within the limit is killed. */
async function workersEnded(seconds: number): Promise<void> {
  const ended = workers().map((worker) => (worker.isDead() ? undefined : once(worker, 'exit')));
  const limit = setTimeout(() => signalWorkers('SIGKILL'), 1000 * seconds);
  await Promise.all(ended);
  clearTimeout(limit);
}

export function stopOnSignals(running: Stoppable, drainSeconds: number): Stopping {
  let isStopping = false;

  async function end(signal: NodeJS.Signals): Promise<void> {
    const seconds = signal === 'SIGTERM' ? drainSeconds : 0;
    signalWorkers(signal);
    await Promise.all([workersEnded(seconds + STOP_LIMIT_SECONDS), running.drain(seconds)]);
    await running.close();
  }

  function stop(signal: NodeJS.Signals): void {
    if (isStopping) {
      // A terminal sends each signal to all processes, and the primary process forwards its own.
      if (cluster.isWorker) return;
      signalWorkers('SIGKILL');
      process.exit(1);
    }
    isStopping = true;
    end(signal).then(
      () => process.exit(0),
      (error: unknown) => {
        console.error(`Midroll did not shut down cleanly: ${describeError(error)}.`);
        process.exit(1);
      },
    );
  }

  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  return { isStopping: () => isStopping };
}
