// What every process stands on: its log, its store, the way out, and who counts.
import { type Logger, pino } from 'pino';
import type { Dispatcher } from 'undici';
import { createEgressGuard } from '../adapters/egressGuard.ts';
import { createReportStores } from '../adapters/reportStores.ts';
import { openSecretBox } from '../adapters/secretKey.ts';
import { openSql, type Sql } from '../adapters/sql.ts';
import { sqlChannels } from '../adapters/sqlChannels.ts';
import { sqlSystems } from '../adapters/sqlSystems.ts';
import { createSystemClock } from '../adapters/systemClock.ts';
import type { ChannelStore } from '../channels/ports.ts';
import { type Config, egressAllow } from '../config.ts';
import type { Millis } from '../time/units.ts';
import { composeReports } from './composeReports.ts';

export type Ground = {
  readonly config: Config;
  readonly log: Logger;
  readonly warn: (message: string, facts: Record<string, unknown>) => void;
  readonly now: () => Millis;
  readonly sql: Sql;
  readonly channels: ChannelStore;
  readonly systems: ReturnType<typeof sqlSystems>;
  readonly guard: Dispatcher;
  readonly reports: ReturnType<typeof composeReports>;
  close(): Promise<void>;
};

const now = createSystemClock();

export async function openGround(config: Config): Promise<Ground> {
  const log = pino({ level: config.LOG_LEVEL });
  const warn = (message: string, { error, ...facts }: Record<string, unknown>) =>
    log.warn({ ...facts, err: error }, message);
  const sql = await openSql(config);
  const systems = sqlSystems(sql, await openSecretBox(config, sql));
  const channels = sqlChannels(sql);
  const guard = createEgressGuard({ allow: egressAllow(config) });
  const reports = composeReports({
    ...{ sql, channels, systems, config, now, warn },
    stores: (own) => createReportStores(own, { dispatcher: guard, warn }),
  });
  return {
    ...{ config, log, warn, now, sql, channels, systems, guard, reports },
    async close() {
      await reports.stop();
      await sql.close();
      await guard.close();
    },
  };
}
