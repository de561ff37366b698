// SPDX-License-Identifier: Apache-2.0
// Starts Midroll with the settings of an environment, until a signal ends it. With WORKERS there is one process
// for the administrative port and several that share the live port; a process that dies is replaced. With ROLE=worker the
// process conditions creatives.
import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { createSystemClock } from './adapters/systemClock.ts';
import { type Midroll, startMidroll } from './app.ts';
import { STOP_LIMIT_SECONDS } from './composition/ending.ts';
import { answerMetrics, createWorkerMetrics } from './composition/workers/workerMetrics.ts';
import { openLiveWorkerPort } from './composition/workers/workerPort.ts';
import { type Config, readConfig } from './config.ts';
import { describeError } from './errors.ts';
import { defined } from './invariant.ts';
import { type UnknownSetting, unknownSettings } from './settings/unknownSettings.ts';
import { startWorker } from './startWorker.ts';

const RESTART_DELAY_MS = 500;
/** The number of a process that shares the live port, in its environment. */
const WORKER_NUMBER = 'MIDROLL_WORKER_NUMBER';
/** Sent by a worker that listens and handles signals. */
const STARTED = 'started';

/** The port that the workers share. With LIVE_PORT=0 the system picks it. */
let sharedPort: number | undefined;
const workerMetrics = createWorkerMetrics();

function configured(env: NodeJS.ProcessEnv): Config {
  const read = readConfig(env);
  if (read.ok) return read.config;
  for (const problem of read.problems) console.error(problem);
  process.exit(2);
}

function exitOnStartFailure(error: Error & { code?: string }): never {
  const hint = error.code === 'EADDRINUSE' ? ' Set ADMIN_PORT, LIVE_PORT or WORKER_PORT to another port.' : '';
  console.error(`Midroll could not start: ${describeError(error)}.${hint}`);
  process.exit(1);
}

/**
 * Starts the processes that share the live port, and replaces those that die. Resolves when all have started.
 * @returns the live URL
 */
async function startWorkers(config: Config, liveUrl: string, { isStopping }: Stopping): Promise<string> {
  const numbers = new Map<Worker, number>();
  const fork = (number: number): void => {
    if (isStopping()) return;
    const worker = cluster.fork({ [WORKER_NUMBER]: String(number) });
    numbers.set(worker, number);
    workerMetrics.add(number, worker);
  };
  let hasListened = false;
  // Every time: if all workers have died, their replacements can get another port.
  cluster.on('listening', (_, { port }) => {
    sharedPort = port;
  });
  let count = 0;
  const started = new Promise<void>((resolve) =>
    cluster.on('message', (_, message) => {
      if (message === STARTED) count += 1;
      if (count === config.WORKERS) resolve();
    }),
  );
  cluster.on('exit', (worker) => {
    const number = defined(numbers.get(worker), 'a worker that exits was forked');
    numbers.delete(worker);
    // A worker that fails to start has logged the reason, and its replacement would fail in the same way.
    if (!hasListened && !isStopping()) process.exit(1);
    if (!isStopping()) setTimeout(fork, RESTART_DELAY_MS, number);
  });
  for (let number = 1; number <= config.WORKERS; number += 1) fork(number);
  const url = new URL(liveUrl);
  await started;
  if (config.LIVE_URL === undefined) url.port = String(sharedPort);
  hasListened = true;
  return url.href.replace(/\/$/, '');
}

/** In one of the processes that share the live port. */
async function joinWorkers(config: Config, midroll: Midroll, number: number): Promise<void> {
  answerMetrics(midroll.status.metrics);
  await openLiveWorkerPort(number, { config, ...midroll.status }).catch(exitOnStartFailure);
  process.send?.(STARTED);
}

type Stoppable = {
  drain(seconds: number): Promise<void>;
  close(): Promise<void>;
};

type Stopping = { readonly isStopping: () => boolean };

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

function stopOnSignals(running: Stoppable, drainSeconds: number): Stopping {
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

/**
 * Resolves when the process listens, and ends the process if it cannot start.
 * @param unknown variables that are logged; default: those of `env`
 */
export async function serve(
  env: NodeJS.ProcessEnv,
  unknown: readonly UnknownSetting[] = unknownSettings(env),
): Promise<void> {
  const config = configured(env);
  const runtime = { clock: createSystemClock(), unknownSettings: cluster.isPrimary ? unknown : [] };
  if (config.ROLE === 'worker') {
    const worker = await startWorker(config, runtime).catch(exitOnStartFailure);
    stopOnSignals(worker, config.DRAIN_SECONDS);
    console.error(`Midroll is conditioning creatives; health and metrics: ${worker.url}`);
    return;
  }
  const hasWorkers = config.WORKERS > 1;
  const duties = {
    admin: cluster.isPrimary,
    live: !hasWorkers || cluster.isWorker,
    livePort: () => sharedPort,
    ...(hasWorkers && cluster.isPrimary ? { readMetrics: workerMetrics.read } : {}),
  };
  const midroll = await startMidroll(config, duties, { ...runtime, hasThreads: true }).catch(exitOnStartFailure);
  const stopping = stopOnSignals(midroll, config.DRAIN_SECONDS);
  if (!cluster.isPrimary) return await joinWorkers(config, midroll, Number(env[WORKER_NUMBER] ?? 1));
  if (midroll.firstKey !== undefined) console.error(`First API key, shown only once: ${midroll.firstKey}`);
  const liveUrl = hasWorkers ? await startWorkers(config, midroll.liveUrl, stopping) : midroll.liveUrl;
  console.error(`Midroll is listening: administration ${midroll.adminUrl}, live ${liveUrl}`);
}
