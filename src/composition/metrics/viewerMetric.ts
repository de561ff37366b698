// SPDX-License-Identifier: Apache-2.0
// The viewers of channels as a metric, from the session store: the requests of a viewer may arrive at several processes, and each of
// them would count that viewer.
import { Gauge, type Registry } from 'prom-client';
import type { ChannelRef } from '../../channels/channelKey.ts';
import type { CountViewers } from '../../sessions/viewerCounter.ts';

type Counted = {
  readonly metrics: Registry;
  readonly channels: () => Iterable<ChannelRef>;
  readonly countViewers: CountViewers;
};

/** Registers the metric. @returns counts the viewers; after a failure, the values remain */
export function viewerMetric({ metrics, channels, countViewers }: Counted): () => Promise<void> {
  const viewers = new Gauge({
    name: 'midroll_viewers',
    help: 'Sessions of enabled channels with a request in the last minute, at any node',
    labelNames: ['tenant', 'channel'] as const,
    // Each process of a node would report the same viewers.
    aggregator: 'max',
    registers: [metrics],
  });
  return async () => {
    const idsOf = new Map<string, string[]>();
    for (const { tenant, id } of channels()) {
      const ids = idsOf.get(tenant);
      if (ids === undefined) idsOf.set(tenant, [id]);
      else ids.push(id);
    }
    const counted = await Promise.all(
      [...idsOf].map(async ([tenant, ids]) => ({ tenant, ids, counts: await countViewers(tenant, ids) })),
    );
    // Without the channels that are no longer enabled.
    viewers.reset();
    for (const { tenant, ids, counts } of counted)
      for (const channel of ids) viewers.set({ tenant, channel }, counts.get(channel) ?? 0);
  };
}
