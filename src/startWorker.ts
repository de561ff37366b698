// A process that makes creatives and does nothing else: ROLE=worker. It shares the store and DATA_DIR with those that
// serve, and listens nowhere.
import { pino } from 'pino';
import { createEgressGuard } from './adapters/egressGuard.ts';
import { openSql } from './adapters/sql.ts';
import { createSystemClock } from './adapters/systemClock.ts';
import { type Config, egressAllow } from './config.ts';
import { createCreativeParts } from './creativeParts.ts';

export type RunningWorker = { close(): Promise<void> };

export async function startWorker(config: Config): Promise<RunningWorker> {
  const log = pino({ level: config.LOG_LEVEL });
  const warn = (message: string, { error, ...facts }: Record<string, unknown>) =>
    log.warn({ ...facts, err: error }, message);
  const sql = await openSql(config);
  const guard = createEgressGuard({ allow: egressAllow(config) });
  const parts = createCreativeParts({ config, sql, guard, now: createSystemClock(), log, warn }, true);
  await parts.start();
  return {
    async close() {
      await parts.stop();
      await sql.close();
      await guard.close();
    },
  };
}
