// A process that makes creatives and does nothing else: ROLE=worker. It shares the store and DATA_DIR with those that
// serve, and listens nowhere.
import { createSystemClock } from './adapters/systemClock.ts';
import { composeCreatives } from './composition/composeCreatives.ts';
import { openGround, type Surroundings } from './composition/openGround.ts';
import type { Config } from './config.ts';

export type RunningWorker = { close(): Promise<void> };

/** @param surroundings the system's own unless given */
export async function startWorker(
  config: Config,
  surroundings: Surroundings = { clock: createSystemClock() },
): Promise<RunningWorker> {
  const ground = await openGround(config, surroundings);
  const { reports } = ground;
  const parts = composeCreatives({ ...ground, listeners: reports.onCreative }, true);
  await parts.start();
  const chores = reports.start(false, parts.jobs);
  return {
    async close() {
      for (const chore of chores) chore.stop();
      await parts.stop();
      await ground.close();
    },
  };
}
