// SPDX-License-Identifier: Apache-2.0
// What a serving process has in memory, as metrics.
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { ChannelRef } from '../../channels/channelKey.ts';
import { periodFormCount } from '../../dash/write/periodForm.ts';
import { keptManifestCount } from '../../http/live/manifests/manifestTexts.ts';
import type { ReadMetric } from '../../http/live/measure/requestCounts.ts';
import type { WatchedLibrary } from '../../ingest/creatives/creativeLibrary.ts';
import { groupBy } from '../../invariant.ts';
import type { EnabledChannel } from '../../playback/onAir/airing.ts';
import type { ViewerCount, Viewers } from '../../playback/viewers/viewers.ts';
import type { Presentations } from '../../playback/vod/presentations.ts';
import type { CountViewers } from '../../sessions/sessionRules.ts';
import type { OnAirServices } from '../composeOnAir.ts';
import { observeOrigins } from './liveMetrics.ts';

type ServingParts = {
  readonly onAir: OnAirServices;
  readonly viewers: Viewers;
  readonly library: WatchedLibrary;
  readonly presentations: Presentations;
};

export function observeServing(metrics: Registry, { onAir, viewers, library, presentations }: ServingParts): void {
  const { cache, hasFailed, live } = onAir;
  observeOrigins(metrics, live.conditions);
  observeChannels(metrics, { channels: cache.all, hasFailed, viewers: viewers.counts });
  observeCaches(metrics, {
    channels: () => [...cache.all()].length,
    creatives: library.size,
    viewers: viewers.size,
    vodSessions: presentations.size,
    ...sharedSizes(cache.all),
    periodForms: periodFormCount,
    vodAds: presentations.adsSize,
    vodManifests: keptManifestCount,
  });
}

type ChannelMetricDeps = {
  readonly channels: () => Iterable<EnabledChannel>;
  /** Whether the last planning of a channel has failed. */
  readonly hasFailed: (channel: EnabledChannel['channel']) => boolean;
  readonly viewers: () => Iterable<ViewerCount>;
};

const STATES = ['onAir', 'idle', 'preparing', 'failed', 'vod'] as const;
type State = (typeof STATES)[number];

function stateOf({ channel, airing, live }: EnabledChannel, hasFailed: ChannelMetricDeps['hasFailed']): State {
  if (hasFailed(channel)) return 'failed';
  if (channel.type === 'vod') return 'vod';
  if (airing !== undefined) return 'onAir';
  return live === undefined ? 'preparing' : 'idle';
}

export function observeChannels(metrics: Registry, { channels, hasFailed, viewers }: ChannelMetricDeps): void {
  new Gauge({
    name: 'midroll_channels',
    help: 'Enabled channels by state: onAir, idle (live, without viewers), preparing, failed or vod',
    labelNames: ['state'] as const,
    aggregator: 'max',
    registers: [metrics],
    collect() {
      const counts = new Map<State, number>(STATES.map((state) => [state, 0]));
      for (const channel of channels()) {
        const state = stateOf(channel, hasFailed);
        counts.set(state, (counts.get(state) ?? 0) + 1);
      }
      for (const [state, count] of counts) this.set({ state }, count);
    },
  });
  new Gauge({
    name: 'midroll_sessions_in_memory',
    help: 'Sessions in the memory of this process',
    labelNames: ['tenant', 'channel'] as const,
    registers: [metrics],
    collect() {
      this.reset();
      for (const { tenant, channel, known } of viewers()) this.set({ tenant, channel }, known);
    },
  });
}

type Counted = {
  readonly metrics: Registry;
  readonly channels: () => Iterable<ChannelRef>;
  readonly countViewers: CountViewers;
};

/**
 * The viewers of channels as a metric, from the session store: the requests of a viewer may arrive at several processes, and each of
 * them would count that viewer.
 * @returns counts the viewers; after a failure, the values remain
 */
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
    const owned = groupBy(channels(), ({ tenant }) => tenant);
    const counted = await Promise.all(
      [...owned].map(async ([tenant, some]) => {
        const ids = some.map(({ id }) => id);
        return { tenant, ids, counts: await countViewers(tenant, ids) };
      }),
    );
    // Removes the channels that are no longer enabled.
    viewers.reset();
    for (const { tenant, ids, counts } of counted)
      for (const channel of ids) viewers.set({ tenant, channel }, counts.get(channel) ?? 0);
  };
}

const kinds = { counter: Counter, gauge: Gauge, histogram: Histogram } as const;

/** Metrics whose values are counted elsewhere, and read when the registry is: as text, or as objects. */
export function registerRead(registry: Registry, metrics: readonly ReadMetric[]): void {
  for (const { name, help, type, aggregator, values } of metrics) {
    const metric = new kinds[type]({ name, help, aggregator, registers: [registry] });
    const get = async () => ({ name, help, type, aggregator, values: [...values()] });
    Object.assign(metric, { get, getForPromString: get });
  }
}

/** @param sizes by the name of the cache; called at each scrape */
function observeCaches(metrics: Registry, sizes: Readonly<Record<string, () => number>>): void {
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
function sharedSizes(channels: () => Iterable<EnabledChannel>) {
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

/** A spool that the processes of a machine share. @param size its bytes; a folder that cannot be read has no value */
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
