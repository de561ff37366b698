// A process that makes creatives and does nothing else: ROLE=worker. It shares the store and DATA_DIR with those that
// serve, and listens nowhere.
import { pino } from 'pino';
import { createEgressGuard } from './adapters/egressGuard.ts';
import { createReportStores } from './adapters/reportStores.ts';
import { openSecretBox } from './adapters/secretKey.ts';
import { openSql } from './adapters/sql.ts';
import { sqlChannels } from './adapters/sqlChannels.ts';
import { sqlSystems } from './adapters/sqlSystems.ts';
import { createSystemClock } from './adapters/systemClock.ts';
import { composeReports } from './composeReports.ts';
import { type Config, egressAllow } from './config.ts';
import { createCreativeParts } from './creativeParts.ts';

export type RunningWorker = { close(): Promise<void> };

export async function startWorker(config: Config): Promise<RunningWorker> {
  const log = pino({ level: config.LOG_LEVEL });
  const warn = (message: string, { error, ...facts }: Record<string, unknown>) =>
    log.warn({ ...facts, err: error }, message);
  const now = createSystemClock();
  const sql = await openSql(config);
  const systems = sqlSystems(sql, await openSecretBox(config, sql));
  const guard = createEgressGuard({ allow: egressAllow(config) });
  const reports = composeReports({
    ...{ sql, channels: sqlChannels(sql), systems, config, now, warn },
    stores: (own) => createReportStores(own, { dispatcher: guard, warn }),
  });
  const parts = createCreativeParts({ config, sql, guard, now, log, warn, listeners: reports.onCreative }, true);
  await parts.start();
  const chores = reports.start(false, parts.jobs);
  return {
    async close() {
      for (const chore of chores) chore.stop();
      await parts.stop();
      await reports.stop();
      await sql.close();
      await guard.close();
    },
  };
}
