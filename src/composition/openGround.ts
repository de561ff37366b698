// What every process stands on: its log, its store, the way out, and who counts.
import { type DestinationStream, destination, type Logger, pino } from 'pino';
import type { Dispatcher } from 'undici';
import { createEgressGuard } from '../adapters/http/egressGuard.ts';
import { createReportStores } from '../adapters/search/reportStores.ts';
import { sqlChannels } from '../adapters/sql/channels/sqlChannels.ts';
import { openSql, type Sql } from '../adapters/sql/sql.ts';
import { openSecretBox } from '../adapters/sql/tenants/secretKey.ts';
import { sqlSystems } from '../adapters/sql/tenants/sqlSystems.ts';
import type { ChannelStore } from '../channels/ports.ts';
import { type Config, egressAllow } from '../config.ts';
import type { Clock, Timers } from '../time/clock.ts';
import type { Millis } from '../time/units.ts';
import { composeReports } from './composeReports.ts';

export type Ground = {
  readonly config: Config;
  readonly log: Logger;
  readonly warn: (message: string, facts: Record<string, unknown>) => void;
  readonly now: () => Millis;
  readonly timers: Timers;
  readonly sql: Sql;
  readonly channels: ChannelStore;
  readonly systems: ReturnType<typeof sqlSystems>;
  readonly guard: Dispatcher;
  readonly reports: ReturnType<typeof composeReports>;
  close(): Promise<void>;
};

/** What surrounds a process, and a test may provide in its place. */
export type Surroundings = {
  readonly clock: Clock;
  /** Where the log goes; standard output unless given. */
  readonly logTo?: DestinationStream;
};

export async function openGround(config: Config, { clock, logTo }: Surroundings): Promise<Ground> {
  const { now, timers } = clock;
  const log = pino({ level: config.LOG_LEVEL }, logTo ?? destination());
  const warn = (message: string, { error, ...facts }: Record<string, unknown>) =>
    log.warn({ ...facts, err: error }, message);
  const sql = await openSql(config);
  const systems = sqlSystems(sql, await openSecretBox(config, sql));
  const channels = sqlChannels(sql);
  const guard = createEgressGuard({ allow: egressAllow(config) });
  const reports = composeReports({
    ...{ sql, channels, systems, config, now, timers, warn },
    stores: (own) => createReportStores(own, { dispatcher: guard, now, warn }),
  });
  return {
    ...{ config, log, warn, now, timers, sql, channels, systems, guard, reports },
    async close() {
      await reports.stop();
      await sql.close();
      await guard.close();
    },
  };
}
