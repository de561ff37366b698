// SPDX-License-Identifier: Apache-2.0
// The services that every process needs: log, metrics, database and egress guard.
import { type DestinationStream, destination, type Logger, type LoggerOptions, pino } from 'pino';
import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { Dispatcher } from 'undici';
import { createEgressGuard } from '../adapters/http/egressGuard.ts';
import { sqlChannels } from '../adapters/sql/channels/sqlChannels.ts';
import type { SecretBox } from '../adapters/sql/secrets/secretBox.ts';
import { openSecretBox } from '../adapters/sql/secrets/secretKey.ts';
import { CONNECTIONS, type Sql } from '../adapters/sql/sql.ts';
import type { ChannelStore } from '../channels/ports.ts';
import { type Config, egressAllow } from '../config.ts';
import { openSql } from '../database.ts';
import { isInvariantError } from '../invariant.ts';
import type { NoticePolls } from '../notices/followNotices.ts';
import type { UnknownSetting } from '../settings/unknownSettings.ts';
import type { Clock, Timers } from '../time/clock.ts';
import type { Millis } from '../time/units.ts';
import type { Tracer } from '../tracing/tracer.ts';
import { version } from '../version.ts';
import { finish } from './ending.ts';
import { storeMetrics } from './metrics/storeMetrics.ts';
import { databaseHost, waitForStore } from './waitForStore.ts';

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
  readonly secretBox: SecretBox;
  readonly channels: ChannelStore;
  readonly guard: Dispatcher;
  /** @returns what was not completed in time */
  close(): Promise<readonly string[]>;
};

/** Other processes serve viewers from the same store. */
export const sharesStore = ({
  sql,
  config,
}: Pick<Services, 'sql'> & { readonly config: Pick<Services['config'], 'WORKERS'> }): boolean =>
  sql.kind === 'postgres' || config.WORKERS > 1;

/** How a process runs; tests replace it. */
export type Runtime = {
  readonly clock: Clock;
  /** Whether work may run in threads that use the system's clock. */
  readonly hasThreads?: boolean;
  /** Destination of the log; default: standard output. */
  readonly logTo?: DestinationStream;
  /** How often everything is read that notices announce. */
  readonly noticePolls?: NoticePolls;
  /** Variables that are probably settings spelled wrong. */
  readonly unknownSettings?: readonly UnknownSetting[];
};

export async function openServices(config: Config, runtime: Runtime): Promise<Services> {
  const { clock, logTo, hasThreads, unknownSettings = [] } = runtime;
  const { now, timers } = clock;
  const tracer = await openTracer(config, (reason) => warn('OpenTelemetry traces cannot be sent', { reason }));
  const metrics = processMetrics();
  const log = openLog(config.LOG_LEVEL, metrics, tracer, logTo ?? destination());
  for (const { name, text } of unknownSettings) log.warn({ setting: name, text }, 'unknown setting');
  const warnAlways: Warn = (message, { error, ...facts }) => log.warn({ ...facts, err: error }, message);
  const warn = createQuietWarnings(warnAlways, timers);
  const error: Warn = (message, { error: err, ...facts }) => log.error({ ...facts, err }, message);
  const stores = storeMetrics(metrics, timers);
  const connections = hasThreads ? CONNECTIONS.serving : undefined;
  const open = () => openSql(config, hasThreads ? timers : undefined, connections, stores.onStatement);
  const { DATABASE_URL } = config;
  const opened = await (DATABASE_URL === undefined
    ? open()
    : waitForStore(databaseHost(DATABASE_URL), open, timers, (waiting) =>
        log.warn(waiting, 'waiting for the database'),
      ));
  const sql = stores.observe(opened);
  const secretBox = await openSecretBox(config, sql);
  const channels = sqlChannels(sql);
  // The names of address ranges are fixed.
  const refused = new Counter({
    name: 'midroll_egress_refused_total',
    help: 'Outgoing connections that were refused because of their address, by the range of the address',
    labelNames: ['range'] as const,
    registers: [metrics],
  });
  const guard = createEgressGuard({
    allow: egressAllow(config),
    onRefused: ({ range = 'invalid' }) => refused.inc({ range }),
  });
  return {
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
    guard,
    close: () =>
      finish(
        [
          { name: 'closing the database', limitMs: 3000, run: sql.close },
          { name: 'outbound requests', limitMs: 3000, run: () => guard.close() },
          { name: 'sending traces', limitMs: 3000, run: async () => tracer?.close() },
        ],
        warn,
      ),
  };
}

/** The registry of a process, with the metrics of Node.js and the version of Midroll. */
function processMetrics(): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  new Gauge({
    name: 'midroll_build_info',
    help: 'Always 1; the label is the version of Midroll',
    labelNames: ['version'],
    aggregator: 'first',
    registers: [registry],
  }).set({ version }, 1);
  return registry;
}

/** The packages of the tracer are optional dependencies. */
async function loadTracer() {
  try {
    return await import('../adapters/tracing/otlpTracer.ts');
  } catch (cause) {
    throw new Error('OTEL_EXPORTER_OTLP_ENDPOINT requires the optional packages @opentelemetry/*: install them', {
      cause,
    });
  }
}

/** If a collector is set. The packages of OpenTelemetry are loaded only then. */
async function openTracer(config: Config, onFailure: (reason: string) => void): Promise<Tracer | undefined> {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_HEADERS: headers } = config;
  if (endpoint === undefined) return undefined;
  const { openOtlpTracer } = await loadTracer();
  const settings = { service: config.OTEL_SERVICE_NAME, version, ratio: Number(config.OTEL_TRACES_SAMPLER_ARG) };
  return openOtlpTracer({ endpoint, headers, ...settings }, onFailure);
}

type Warn = (message: string, facts: Record<string, unknown>) => void;

const FIRST_INTERVAL_MS = 10_000;
const MAX_INTERVAL_MS = 320_000;
const MAX_KINDS = 1000;

type Kind = { since: number; intervalMs: number; repeated: number };

/** Warnings about different channels, hosts and nodes are different; those about single sessions and beacons are not. */
const kindOf = (message: string, { channelId, host, systemId, feed, url, reason }: Record<string, unknown>): string =>
  JSON.stringify([message, channelId, host, systemId, feed, url, reason]);

/**
 * Keeps repeated warnings from filling the log during an outage: the first one is written at once, further ones are counted, and
 * the count is written at growing intervals.
 * @param write writes to the log; `repeated` is how many equal warnings were not written since the last one
 */
export function createQuietWarnings(write: Warn, timers: Timers): Warn {
  const kinds = new Map<string, Kind>();
  return (message, facts) => {
    const key = kindOf(message, facts);
    const now = timers.elapsed();
    const kind = kinds.get(key);
    if (kind !== undefined && now - kind.since < kind.intervalMs) {
      kind.repeated += 1;
      return;
    }
    const isNew = kind === undefined || now - kind.since >= 2 * kind.intervalMs;
    if (isNew && kinds.size >= MAX_KINDS) kinds.clear();
    const intervalMs = isNew ? FIRST_INTERVAL_MS : Math.min(MAX_INTERVAL_MS, 2 * kind.intervalMs);
    kinds.set(key, { since: now, intervalMs, repeated: 0 });
    write(message, kind?.repeated ? { ...facts, repeated: kind.repeated } : facts);
  };
}

/** An assertion that failed is logged as an error, whatever level its message has, and counted, whatever LOG_LEVEL is. */
function openLog(
  level: Config['LOG_LEVEL'],
  metrics: Registry,
  tracer: Tracer | undefined,
  destination: DestinationStream,
): Logger {
  const failures = new Counter({
    name: 'midroll_invariant_failures_total',
    help: 'Assertions of Midroll that failed; the log contains each with its stack',
    registers: [metrics],
  });
  const { warn = 0, error = 0, [level]: lowest = Number.POSITIVE_INFINITY } = pino.levels.values;
  const hooks: LoggerOptions['hooks'] = {
    logMethod(line, method, severity) {
      const [facts] = line as unknown[];
      const isDefect = isInvariantError((facts as { readonly err?: unknown } | undefined)?.err);
      if (isDefect && severity < error) return this.error(...line);
      if (isDefect) failures.inc();
      if (severity >= lowest) method.apply(this, line);
    },
  };
  // The hook is not called for levels that are off.
  return pino({ level: lowest > warn ? 'warn' : level, hooks, ...(tracer && { mixin: tracer.fields }) }, destination);
}
