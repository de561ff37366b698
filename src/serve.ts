// SPDX-License-Identifier: Apache-2.0
// Starts Midroll with the settings of an environment, and stops it on SIGTERM or SIGINT. With WORKERS there is one process
// for the administrative port and several that share the live port; a process that dies is replaced. With ROLE=worker the
// process conditions creatives and listens on no port.
import cluster from 'node:cluster';
import { startMidroll } from './app.ts';
import { type Config, readConfig } from './config.ts';
import { describeError } from './errors.ts';
import { startWorker } from './startWorker.ts';

const RESTART_DELAY_MS = 500;

/** The port that the workers share. With LIVE_PORT=0 the system picks it. */
let sharedPort: number | undefined;
let isStopping = false;

function configured(env: NodeJS.ProcessEnv): Config {
  const read = readConfig(env);
  if (read.ok) return read.config;
  for (const problem of read.problems) console.error(problem);
  process.exit(2);
}

function exitOnStartFailure(error: Error & { code?: string }): never {
  const hint = error.code === 'EADDRINUSE' ? ' Set ADMIN_PORT or LIVE_PORT to another port.' : '';
  console.error(`Midroll could not start: ${describeError(error)}.${hint}`);
  process.exit(1);
}

function stopOnSignals(running: { close(): Promise<void> }): void {
  function stop(): void {
    if (isStopping) process.exit(1);
    isStopping = true;
    for (const worker of Object.values(cluster.workers ?? {})) worker?.process.kill('SIGTERM');
    running.close().then(
      () => process.exit(0),
      (error: unknown) => {
        console.error(`Midroll did not shut down cleanly: ${describeError(error)}.`);
        process.exit(1);
      },
    );
  }
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}

/** Starts the processes that share the live port, and replaces those that die. @returns the live URL */
async function startWorkers(config: Config, liveUrl: string): Promise<string> {
  const fork = (): unknown => cluster.fork();
  let hasListened = false;
  const listening = new Promise<void>((resolve) =>
    // Every time: if all workers have died, their replacements can get another port.
    cluster.on('listening', (_, { port }) => {
      sharedPort = port;
      resolve();
    }),
  );
  cluster.on('exit', () => {
    // A worker that fails to start has logged the reason, and its replacement would fail in the same way.
    if (!hasListened) process.exit(1);
    if (!isStopping) setTimeout(fork, RESTART_DELAY_MS);
  });
  for (let count = 0; count < config.WORKERS; count += 1) fork();
  const url = new URL(liveUrl);
  await listening;
  if (config.LIVE_URL === undefined) url.port = String(sharedPort);
  hasListened = true;
  return url.href.replace(/\/$/, '');
}

/** Resolves when the process listens, and ends the process if it cannot start. */
export async function serve(env: NodeJS.ProcessEnv): Promise<void> {
  const config = configured(env);
  if (config.ROLE === 'worker') {
    stopOnSignals(await startWorker(config).catch(exitOnStartFailure));
    console.error('Midroll is conditioning creatives and listens on no port.');
    return;
  }
  const hasWorkers = config.WORKERS > 1;
  const duties = {
    admin: cluster.isPrimary,
    live: !hasWorkers || cluster.isWorker,
    livePort: () => sharedPort,
  };
  const midroll = await startMidroll(config, duties).catch(exitOnStartFailure);
  stopOnSignals(midroll);
  if (!cluster.isPrimary) return;
  if (midroll.firstKey !== undefined) console.error(`First API key, shown only once: ${midroll.firstKey}`);
  const liveUrl = hasWorkers ? await startWorkers(config, midroll.liveUrl) : midroll.liveUrl;
  console.error(`Midroll is listening: administration ${midroll.adminUrl}, live ${liveUrl}`);
}
