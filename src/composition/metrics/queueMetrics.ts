// SPDX-License-Identifier: Apache-2.0
// The queues in the database as metrics. They are measured now and then, and not at each scrape: their size is bounded, but the
// database may be slow or unavailable.
import { Gauge, type Registry } from 'prom-client';
import type { CreativeJobs } from '../../ingest/creatives/creativeJobs.ts';
import type { Millis } from '../../time/units.ts';
import type { BeaconStore } from '../../tracking/beacons/ports.ts';

export type QueueDeps = {
  readonly metrics: Registry;
  readonly jobs: Pick<CreativeJobs, 'queue'>;
  /** Absent in processes that send no beacons. */
  readonly beacons?: Pick<BeaconStore, 'backlog'>;
  readonly now: () => Millis;
};

const secondsSince = (at: Millis | undefined, now: Millis): number =>
  at === undefined ? 0 : Math.max(0, now - at) / 1000;

function creativeQueue({ metrics, jobs, now }: QueueDeps): () => Promise<void> {
  // Each process of a machine would report the same queue.
  const shared = { aggregator: 'max' as const, registers: [metrics] };
  const size = new Gauge({
    name: 'midroll_creative_queue',
    help: 'Creatives and slate in the queue by state: waiting, retrying, preparing or failed',
    labelNames: ['state'] as const,
    ...shared,
  });
  const oldest = new Gauge({
    name: 'midroll_creative_queue_oldest_seconds',
    help: 'How long the creative that has been due longest has waited for a worker',
    ...shared,
  });
  return async () => {
    const at = now();
    const { counts, oldestDue } = await jobs.queue(at);
    for (const [state, count] of Object.entries(counts)) size.set({ state }, count);
    oldest.set(secondsSince(oldestDue, at));
  };
}

function beaconQueue({ metrics, now }: QueueDeps, beacons: Pick<BeaconStore, 'backlog'>): () => Promise<void> {
  const shared = { aggregator: 'max' as const, registers: [metrics] };
  const size = new Gauge({
    name: 'midroll_beacons_pending',
    help: 'Beacons that are due and not sent, or not sent successfully yet; 10,000 stands for 10,000 and more',
    ...shared,
  });
  const oldest = new Gauge({
    name: 'midroll_beacons_oldest_pending_seconds',
    help: 'How long the pending beacon whose next attempt has been due longest has waited for it',
    ...shared,
  });
  return async () => {
    const at = now();
    const { count, oldestDue } = await beacons.backlog(at);
    size.set(count);
    oldest.set(secondsSince(oldestDue, at));
  };
}

/** @returns measures the queues */
export function measureQueues(deps: QueueDeps): () => Promise<void> {
  const measures = [creativeQueue(deps), ...(deps.beacons === undefined ? [] : [beaconQueue(deps, deps.beacons)])];
  return async () => void (await Promise.all(measures.map((one) => one())));
}
