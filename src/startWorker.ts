// SPDX-License-Identifier: Apache-2.0
// A process that only conditions creatives (ROLE=worker). It shares the database, and DATA_DIR or MEDIA_URL, with the
// serving processes. Its port has its health and its metrics.
import { probeFolder } from './adapters/media/mediaSweep.ts';
import { createSystemClock } from './adapters/systemClock.ts';
import type { Phase } from './composition/composeCore.ts';
import { composeCreatives } from './composition/composeCreatives.ts';
import { finalStages, finishAll } from './composition/ending.ts';
import { measureQueues } from './composition/metrics/storeMetrics.ts';
import { openServices, type Runtime } from './composition/openServices.ts';
import { startTasks, type Task } from './composition/part.ts';
import { createReadiness } from './composition/readiness.ts';
import { openWorkerPort } from './composition/workers/workerPort.ts';
import type { Config } from './config.ts';
import { composeReports } from './platform/reports/composeReports.ts';
import { sqlSystems } from './platform/systems/store/sqlSystems.ts';

type RunningWorker = {
  /** The URL of the port for health, readiness and metrics. */
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
  const { sql, secretBox, metrics, now, warn, log } = services;
  const reports = composeReports(services, sqlSystems(sql, secretBox), false);
  const creatives = await composeCreatives({ ...services, listeners: reports.events.creatives }, true, false);
  const part = reports.part(creatives.jobs);
  let phase: Phase = 'starting';
  const dependenciesFail = createReadiness(services, [
    { name: 'the database', run: () => sql.probe().then(() => undefined) },
    { name: 'DATA_DIR', run: () => probeFolder(config.DATA_DIR) },
    { name: 'ffmpeg', run: creatives.ffmpeg.missing },
  ]);
  const notReady = async () => (phase === 'up' ? dependenciesFail() : `the process is ${phase}`);
  const onError = (error: unknown, requestId: string) => log.error({ err: error, requestId }, 'request failed');
  const port = await openWorkerPort({ config, metrics, notReady, onError }, warn);
  await creatives.start();
  const measure = measureQueues({ metrics, jobs: creatives.jobs, now });
  const own: Task[] = [
    { name: 'measuring the queues', everyMs: 10_000, run: measure, isImmediate: true },
    // Logs failures even if no supervisor polls /ready.
    { name: 'checking dependencies', everyMs: 10_000, run: async () => void (await dependenciesFail()) },
  ];
  const tasks = startTasks([...(part.tasks ?? []), ...own], { admin: true, live: false }, services);
  phase = 'up';
  return {
    url: port.url,
    async drain(seconds) {
      phase = 'draining';
      if (seconds > 0) services.log.info({ seconds }, 'draining');
      await creatives.drain(1000 * seconds);
    },
    async close() {
      phase = 'shutting down';
      for (const task of tasks) task.stop();
      // The port responds until the jobs are returned: a slow scrape must not delay that.
      const finalSteps = {
        storing: { 'returning creative jobs': creatives.stop },
        closing: { 'the port': port.close },
      };
      const unfinished = await finishAll(
        finalStages(async () => {}, [{ finalSteps }, part]),
        warn,
      );
      unfinished.push(...(await services.close()));
      services.log.info({ unfinished }, 'ended');
    },
  };
}
