// SPDX-License-Identifier: Apache-2.0
// The sizes of caches and spools as metrics.
import { Gauge, type Registry } from 'prom-client';
import type { EnabledChannel } from '../../playback/onAir/airing.ts';

/** @param sizes by the name of the cache; called at each scrape */
export function observeCaches(metrics: Registry, sizes: Readonly<Record<string, () => number>>): void {
  new Gauge({
    name: 'midroll_cache_entries',
    help: 'Entries of caches in memory, each of which is bounded',
    labelNames: ['cache'] as const,
    registers: [metrics],
    collect() {
      for (const [cache, size] of Object.entries(sizes)) this.set({ cache }, size());
    },
  });
}

/** What viewers of the channels on air share: clips of ads and slate, and breaks that were placed with them. */
export function sharedSizes(channels: () => Iterable<EnabledChannel>) {
  // Feeds of a channel may share them.
  const sum = (cachesOf: (channel: EnabledChannel) => readonly ({ size(): number } | undefined)[]) => (): number => {
    const caches = new Set([...channels()].flatMap(cachesOf));
    return [...caches].reduce((total, cache) => total + (cache?.size() ?? 0), 0);
  };
  return {
    clips: sum(({ airing, live }) => [airing?.clips, ...(live?.media ?? []).map(({ clips }) => clips)]),
    placements: sum(({ airing, dashAiring }) => [airing?.placements, dashAiring?.placements]),
  };
}

/**
 * A spool that the processes of a machine share.
 * @param size its bytes; a folder that cannot be read has no value
 */
export function observeSpool(metrics: Registry, name: string, help: string, size: () => Promise<number>): void {
  new Gauge({
    name,
    help,
    aggregator: 'max',
    registers: [metrics],
    async collect() {
      const bytes = await size().catch(() => undefined);
      if (bytes !== undefined) this.set(bytes);
    },
  });
}
