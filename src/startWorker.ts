// SPDX-License-Identifier: Apache-2.0
// A process that only conditions creatives (ROLE=worker). It shares the database, and DATA_DIR or MEDIA_URL, with the
// serving processes. Its port has its health and its metrics.
import { probeFolder } from './adapters/media/probeFolder.ts';
import { createSystemClock } from './adapters/systemClock.ts';
import { composeCreatives } from './composition/composeCreatives.ts';
import { finish } from './composition/ending/finish.ts';
import { startQueueMetrics } from './composition/metrics/queueMetrics.ts';
import { openServices, type Runtime } from './composition/openServices.ts';
import { startPeriodicTask } from './composition/periodicTask.ts';
import { createReadiness } from './composition/readiness.ts';
import { openWorkerPort } from './composition/workers/workerPort.ts';
import type { Config } from './config.ts';

export type RunningWorker = {
  /** Of the port for health, readiness and metrics. */
  readonly url: string;
  /** Takes no more jobs, and completes those that it has within so many seconds. */
  drain(seconds: number): Promise<void>;
  /** Returns unfinished jobs to the queue. Ends within STOP_LIMIT_SECONDS, even if the database does not respond. */
  close(): Promise<void>;
};

/** @param runtime default: the system clock, and the log to standard output */
export async function startWorker(
  config: Config,
  runtime: Runtime = { clock: createSystemClock() },
): Promise<RunningWorker> {
  const services = await openServices(config, runtime);
  const { config: settings, reports, sql, metrics, timers, warn, log } = services;
  const parts = await composeCreatives({ ...services, listeners: reports.onCreative }, true, false);
  let phase: 'starting' | 'up' | 'draining' | 'shutting down' = 'starting';
  const dependenciesFail = createReadiness({
    checks: [
      { name: 'the database', run: () => sql.probe().then(() => undefined) },
      { name: 'DATA_DIR', run: () => probeFolder(settings.DATA_DIR) },
      { name: 'ffmpeg', run: parts.ffmpeg.missing },
    ],
    ...{ timers, warn },
  });
  const notReady = async () => (phase === 'up' ? dependenciesFail() : `the process is ${phase}`);
  const onError = (error: unknown, requestId: string) => log.error({ err: error, requestId }, 'request failed');
  const port = await openWorkerPort({ config: settings, metrics, notReady, onError }, warn);
  await parts.start();
  const tasks = [
    ...reports.start(false, parts.jobs),
    startQueueMetrics({ ...services, jobs: parts.jobs }),
    // Logs failures even if no supervisor polls /ready.
    startPeriodicTask(timers, 'checking dependencies', 10_000, async () => void (await dependenciesFail()), warn),
  ];
  phase = 'up';
  return {
    url: port.url,
    async drain(seconds) {
      phase = 'draining';
      if (seconds > 0) services.log.info({ seconds }, 'draining');
      await parts.drain(1000 * seconds);
    },
    async close() {
      phase = 'shutting down';
      for (const task of tasks) task.stop();
      const returning = { name: 'returning creative jobs', limitMs: 6000, run: parts.stop };
      const unfinished = await finish([returning], services.warn);
      await port.close();
      unfinished.push(...(await services.close()));
      services.log.info({ unfinished }, 'ended');
    },
  };
}
