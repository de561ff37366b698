// SPDX-License-Identifier: Apache-2.0
// The queues in the database as metrics. They are measured now and then, and not at each scrape: their size is bounded, but the
// database may be slow or unavailable.
import { Gauge, type Registry } from 'prom-client';
import type { CreativeJobs } from '../../ingest/creatives/creativeJobs.ts';
import type { Millis } from '../../time/units.ts';
import type { BeaconStore } from '../../tracking/beacons/ports.ts';

type QueueDeps = {
  readonly metrics: Registry;
  readonly jobs: Pick<CreativeJobs, 'queue'>;
  /** Absent in processes that send no beacons. */
  readonly beacons?: Pick<BeaconStore, 'backlog'>;
  readonly now: () => Millis;
};

const secondsSince = (at: Millis | undefined, now: Millis): number =>
  at === undefined ? 0 : Math.max(0, now - at) / 1000;

/** @returns measures the queues */
export function measureQueues({ metrics, jobs, beacons, now }: QueueDeps): () => Promise<void> {
  // Each process of a machine would report the same queues.
  const gauge = <Label extends string = never>(name: string, help: string, labelNames: readonly Label[] = []) =>
    new Gauge({ name, help, labelNames, aggregator: 'max', registers: [metrics] });
  const creatives = gauge(
    'midroll_creative_queue',
    'Creatives and slate in the queue by state: waiting, retrying, preparing or failed',
    ['state'],
  );
  const oldestCreative = gauge(
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
  const pending = gauge(
    'midroll_beacons_pending',
    'Beacons that are due and not sent, or not sent successfully yet; 10,000 stands for 10,000 and more',
  );
  const oldestBeacon = gauge(
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
