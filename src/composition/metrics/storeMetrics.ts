// SPDX-License-Identifier: Apache-2.0
// The database and Redis as metrics: how long operations take, whether the stores respond, and the queues in the database.
import { Gauge, type GaugeConfiguration, Histogram, type Registry } from 'prom-client';
import type { SqlObserver } from '../../adapters/sql/measure/observeSql.ts';
import type { Sql } from '../../adapters/sql/sql.ts';
import type { CreativeJobs } from '../../ingest/creatives/creativeJobs.ts';
import type { Timers } from '../../time/clock.ts';
import type { Millis } from '../../time/units.ts';
import type { BeaconStore } from '../../tracking/beacons/ports.ts';

const BOUNDS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
/** A check that takes longer makes the database count as unavailable. */
const RESPONSE_TIMEOUT_MS = 3000;

type StoreMetrics = { readonly onStatement: SqlObserver; observe(sql: Sql): Sql };

export const readGauge = (
  registry: Registry,
  settings: Omit<GaugeConfiguration<never>, 'collect'>,
  read: () => number,
) =>
  void new Gauge({
    ...settings,
    registers: [registry],
    collect() {
      this.set(read());
    },
  });

export const availabilityOf = (registry: Registry, name: string, help: string, isAvailable: () => boolean) =>
  readGauge(registry, { name, help, aggregator: 'min' }, () => (isAvailable() ? 1 : 0));

export function storeMetrics(registry: Registry, timers: Timers): StoreMetrics {
  const seconds = new Histogram({
    name: 'midroll_database_operation_seconds',
    help: 'Duration of operations of the database: read, write or transaction',
    labelNames: ['operation', 'result'] as const,
    buckets: BOUNDS,
    registers: [registry],
  });
  const pending = new Set<{ readonly since: number }>();
  let hasFailed = false;
  const isLate = ({ since }: { readonly since: number }) => timers.elapsed() - since > RESPONSE_TIMEOUT_MS;
  availabilityOf(
    registry,
    'midroll_database_available',
    '1 if the last check of the database succeeded, else 0',
    () => !hasFailed && ![...pending].some(isLate),
  );

  async function checked(check: () => Promise<void>): Promise<void> {
    const mark = { since: timers.elapsed() };
    pending.add(mark);
    try {
      await check();
      hasFailed = false;
    } catch (error) {
      hasFailed = true;
      throw error;
    } finally {
      pending.delete(mark);
    }
  }

  return {
    onStatement: (operation, ms, isOk) => seconds.observe({ operation, result: isOk ? 'ok' : 'error' }, ms / 1000),
    observe: (sql) => ({ ...sql, probe: () => checked(sql.probe), ping: () => checked(sql.ping) }),
  };
}

// The queues are measured now and then, and not at each scrape: their size is bounded, but the database may be slow or unavailable.

type QueueDeps = {
  readonly metrics: Registry;
  readonly jobs: Pick<CreativeJobs, 'queue'>;
  /** Absent in processes that send no beacons. */
  readonly beacons?: Pick<BeaconStore, 'backlog'>;
  readonly now: () => Millis;
};

/** A gauge of what each process of a machine would report alike. */
export const sharedGauge = <Label extends string = never>(
  registry: Registry,
  name: string,
  help: string,
  labelNames: readonly Label[] = [],
) => new Gauge({ name, help, labelNames, aggregator: 'max', registers: [registry] });

export const secondsSince = (at: Millis | undefined, now: Millis): number =>
  at === undefined ? 0 : Math.max(0, now - at) / 1000;

export function measureQueues({ metrics, jobs, beacons, now }: QueueDeps): () => Promise<void> {
  const creatives = sharedGauge(
    metrics,
    'midroll_creative_queue',
    'Creatives and slate in the queue by state: waiting, retrying, preparing or failed',
    ['state'],
  );
  const oldestCreative = sharedGauge(
    metrics,
    'midroll_creative_queue_oldest_seconds',
    'How long the creative that has been due longest has waited for a worker',
  );
  async function measureCreatives(): Promise<void> {
    const at = now();
    const { counts, oldestDue } = await jobs.queue(at);
    for (const [state, count] of Object.entries(counts)) creatives.set({ state }, count);
    oldestCreative.set(secondsSince(oldestDue, at));
  }
  if (beacons === undefined) return measureCreatives;
  const pending = sharedGauge(
    metrics,
    'midroll_beacons_pending',
    'Beacons that are due and not sent, or not sent successfully yet; 10,000 stands for 10,000 and more',
  );
  const oldestBeacon = sharedGauge(
    metrics,
    'midroll_beacons_oldest_pending_seconds',
    'How long the pending beacon whose next attempt has been due longest has waited for it',
  );
  return async () => {
    const at = now();
    const [{ count, oldestDue }] = await Promise.all([beacons.backlog(at), measureCreatives()]);
    pending.set(count);
    oldestBeacon.set(secondsSince(oldestDue, at));
  };
}
