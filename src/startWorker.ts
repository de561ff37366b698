// SPDX-License-Identifier: Apache-2.0
// A process that only conditions creatives (ROLE=worker). It shares the database and DATA_DIR with the serving processes, and
// listens on no port.
import { createSystemClock } from './adapters/systemClock.ts';
import { composeCreatives } from './composition/composeCreatives.ts';
import { openServices, type Runtime } from './composition/openServices.ts';
import type { Config } from './config.ts';

export type RunningWorker = { close(): Promise<void> };

/** @param runtime default: the system clock, and the log to standard output */
export async function startWorker(
  config: Config,
  runtime: Runtime = { clock: createSystemClock() },
): Promise<RunningWorker> {
  const services = await openServices(config, runtime);
  const { reports } = services;
  const parts = composeCreatives({ ...services, listeners: reports.onCreative }, true);
  await parts.start();
  const tasks = reports.start(false, parts.jobs);
  return {
    async close() {
      for (const task of tasks) task.stop();
      await parts.stop();
      await services.close();
    },
  };
}
