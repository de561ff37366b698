// A process that makes creatives and does nothing else: ROLE=worker. It shares the store and DATA_DIR with those that
// serve, and listens nowhere.
import { composeCreatives } from './composition/composeCreatives.ts';
import { openGround } from './composition/openGround.ts';
import type { Config } from './config.ts';

export type RunningWorker = { close(): Promise<void> };

export async function startWorker(config: Config): Promise<RunningWorker> {
  const ground = await openGround(config);
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
