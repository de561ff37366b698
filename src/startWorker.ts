// SPDX-License-Identifier: Apache-2.0
// A process that only conditions creatives (ROLE=worker). It shares the database, and DATA_DIR or MEDIA_URL, with the
// serving processes, and listens on no port.
import { createSystemClock } from './adapters/systemClock.ts';
import { composeCreatives } from './composition/composeCreatives.ts';
import { finish } from './composition/ending/finish.ts';
import { openServices, type Runtime } from './composition/openServices.ts';
import type { Config } from './config.ts';

export type RunningWorker = {
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
  const { reports } = services;
  const parts = await composeCreatives({ ...services, listeners: reports.onCreative }, true, false);
  await parts.start();
  const tasks = reports.start(false, parts.jobs);
  return {
    async drain(seconds) {
      if (seconds > 0) services.log.info({ seconds }, 'draining');
      await parts.drain(1000 * seconds);
    },
    async close() {
      for (const task of tasks) task.stop();
      const returning = { name: 'returning creative jobs', limitMs: 6000, run: parts.stop };
      const unfinished = [...(await finish([returning], services.warn)), ...(await services.close())];
      services.log.info({ unfinished }, 'ended');
    },
  };
}
