// SPDX-License-Identifier: Apache-2.0
// The services that every process needs: log, database, egress guard and reports.
import { type DestinationStream, destination, type Logger, pino } from 'pino';
import type { Registry } from 'prom-client';
import type { Dispatcher } from 'undici';
import { createEgressGuard } from '../adapters/http/egressGuard.ts';
import { createReportStores } from '../adapters/search/reportStores.ts';
import { sqlChannels } from '../adapters/sql/channels/sqlChannels.ts';
import { CONNECTIONS, openSql, type Sql } from '../adapters/sql/sql.ts';
import type { SecretBox } from '../adapters/sql/tenants/secretBox.ts';
import { openSecretBox } from '../adapters/sql/tenants/secretKey.ts';
import { sqlSystems } from '../adapters/sql/tenants/sqlSystems.ts';
import type { ChannelStore } from '../channels/ports.ts';
import { type Config, egressAllow } from '../config.ts';
import type { NoticePolls } from '../notices/followNotices.ts';
import type { Clock, Timers } from '../time/clock.ts';
import type { Millis } from '../time/units.ts';
import type { Tracer } from '../tracing/tracer.ts';
import { composeReports } from './composeReports.ts';
import { finish } from './ending/finish.ts';
import { adMetrics } from './metrics/adMetrics.ts';
import { egressMetrics } from './metrics/egressMetrics.ts';
import { processMetrics } from './metrics/processMetrics.ts';
import { observeSpool } from './metrics/sizeMetrics.ts';
import { storeMetrics } from './metrics/storeMetrics.ts';
import { databaseHost, waitForStore } from './starting/waitForStore.ts';
import { openTracer } from './tracing/openTracer.ts';
import { createQuietWarnings, type Warn } from './warnings/quietWarnings.ts';

export type Services = {
  readonly config: Config;
  readonly log: Logger;
  readonly metrics: Registry;
  /** Absent without OTEL_EXPORTER_OTLP_ENDPOINT. */
  readonly tracer: Tracer | undefined;
  /** Counts warnings that repeat. */
  readonly warn: Warn;
  /** For defects of Midroll. */
  readonly error: Warn;
  /** For changes of state, each of which is written. */
  readonly warnAlways: Warn;
  readonly now: () => Millis;
  readonly timers: Timers;
  readonly sql: Sql;
  /** Encrypts secrets of records. */
  readonly secretBox: SecretBox;
  readonly channels: ChannelStore;
  readonly systems: ReturnType<typeof sqlSystems>;
  readonly guard: Dispatcher;
  readonly reports: ReturnType<typeof composeReports>;
  /** @returns what was not completed in time */
  close(): Promise<readonly string[]>;
};

/** Other processes serve viewers from the same store. */
export const sharesStore = ({
  sql,
  config,
}: Pick<Services, 'sql'> & { readonly config: Pick<Services['config'], 'WORKERS'> }): boolean =>
  sql.kind === 'postgres' || config.WORKERS > 1;

/** Replaced by tests. */
export type Runtime = {
  readonly clock: Clock;
  /** Whether work may run in threads that use the system's clock. */
  readonly hasThreads?: boolean;
  /** Destination of the log; default: standard output. */
  readonly logTo?: DestinationStream;
  /** How often everything is read that notices announce. */
  readonly noticePolls?: NoticePolls;
};

const REPORT_SPOOL = 'Size of DATA_DIR/reports: report data that its store does not have yet';

export async function openServices(config: Config, { clock, logTo, hasThreads }: Runtime): Promise<Services> {
  const { now, timers } = clock;
  const tracer = await openTracer(config, (reason) => warn('traces cannot be sent', { reason }));
  const log = pino({ level: config.LOG_LEVEL, ...(tracer && { mixin: tracer.fields }) }, logTo ?? destination());
  const warnAlways: Warn = (message, { error, ...facts }) => log.warn({ ...facts, err: error }, message);
  const warn = createQuietWarnings(warnAlways, timers);
  const error: Warn = (message, { error: err, ...facts }) => log.error({ ...facts, err }, message);
  const metrics = processMetrics();
  const stores = storeMetrics(metrics, timers);
  const open = () =>
    hasThreads
      ? openSql(config, timers, CONNECTIONS.serving, stores.onStatement)
      : openSql(config, undefined, undefined, stores.onStatement);
  const { DATABASE_URL } = config;
  const opened = await (DATABASE_URL === undefined
    ? open()
    : waitForStore(databaseHost(DATABASE_URL), open, timers, (waiting) =>
        log.warn(waiting, 'waiting for the database'),
      ));
  const sql = stores.observe(opened);
  const secretBox = await openSecretBox(config, sql);
  const systems = sqlSystems(sql, secretBox);
  const channels = sqlChannels(sql);
  const guard = createEgressGuard({ allow: egressAllow(config), onRefused: egressMetrics(metrics) });
  const reports = composeReports({
    ...{ sql, channels, systems, config, now, timers, warn },
    observer: adMetrics(metrics),
    stores: (own) => createReportStores(own, { dispatcher: guard, now, warn }),
  });
  observeSpool(metrics, 'midroll_report_spool_bytes', REPORT_SPOOL, reports.spoolSize);
  return {
    ...{
      config,
      log,
      metrics,
      tracer,
      warn,
      error,
      warnAlways,
      now,
      timers,
      sql,
      secretBox,
      channels,
      systems,
      guard,
      reports,
    },
    async close() {
      return [
        ...(await finish([{ name: 'storing report counts', limitMs: 5000, run: reports.stop }], warn)),
        ...(await finish(
          [
            { name: 'closing the database', limitMs: 3000, run: sql.close },
            { name: 'outbound requests', limitMs: 3000, run: () => guard.close() },
            { name: 'sending traces', limitMs: 3000, run: async () => tracer?.close() },
          ],
          warn,
        )),
      ];
    },
  };
}
