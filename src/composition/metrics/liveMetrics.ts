// SPDX-License-Identifier: Apache-2.0
// The origins of the live channels that this process reads, as metrics.
import { Counter, Gauge, type Registry } from 'prom-client';
import type { LiveFeed } from '../../live/feed.ts';
import type { FeedCondition } from '../../playback/live/feedKeeper.ts';
import { onAirOf, troubleOf } from '../../playback/live/origins/originRecorder.ts';

const labels = ['tenant', 'channel', 'origin'] as const;

/** @returns counts defects of Midroll that a live channel has met */
export function liveDefects(metrics: Registry): (feed: LiveFeed, count: number) => void {
  const defects = new Counter({
    name: 'midroll_live_defects_total',
    help: 'Errors of Midroll while it processed the origin of a live channel',
    labelNames: labels,
    registers: [metrics],
  });
  return ({ tenant, channelId: channel, format: origin }, count) => defects.inc({ tenant, channel, origin }, count);
}

/** @param conditions of the feeds that this process reads now; called at each scrape */
export function observeOrigins(metrics: Registry, conditions: () => readonly FeedCondition[]): void {
  const gauge = <Label extends string>(
    name: string,
    help: string,
    own: readonly Label[],
    read: (condition: FeedCondition) => { readonly labels: Record<Label, string>; readonly value: number } | undefined,
  ) =>
    new Gauge({
      name,
      help,
      labelNames: [...labels, ...own],
      // With WORKERS, several processes read the same origin.
      aggregator: 'max',
      registers: [metrics],
      collect() {
        this.reset();
        for (const condition of conditions()) {
          const found = read(condition);
          if (found === undefined) continue;
          const { tenant, channelId: channel, format: origin } = condition.feed;
          this.set({ tenant, channel, origin, ...found.labels }, found.value);
        }
      },
    });
  gauge(
    'midroll_live_origin_state',
    'State of the origin of a live channel: ok, stalled, ended or failing',
    ['state'],
    ({ health }) => ({ labels: { state: troubleOf(health)?.state ?? 'ok' }, value: 1 }),
  );
  gauge(
    'midroll_live_origin_on_air',
    'What viewers are shown: source, backup or slate',
    ['on_air'],
    ({ feed, standing }) => {
      const onAir = onAirOf(feed, standing);
      return onAir && { labels: { on_air: onAir.kind }, value: 1 };
    },
  );
  gauge(
    'midroll_live_origin_since_seconds',
    'Since when it is in this state, in UNIX seconds; ok: since when this is on air',
    [],
    ({ feed, health, standing }) => {
      const since = troubleOf(health)?.since ?? onAirOf(feed, standing)?.since;
      return since === undefined ? undefined : { labels: {}, value: since / 1000 };
    },
  );
}
