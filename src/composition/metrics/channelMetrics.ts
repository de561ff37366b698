// SPDX-License-Identifier: Apache-2.0
// The channels and their viewers as metrics, from what the process has in memory.
import { Gauge, type Registry } from 'prom-client';
import type { EnabledChannel } from '../../playback/onAir/airing.ts';
import type { ViewerCount } from '../../playback/viewers/viewers.ts';

export type ChannelMetricDeps = {
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
        counts.set(state, counts.get(state)! + 1);
      }
      for (const [state, count] of counts) this.set({ state }, count);
    },
  });
  const labelNames = ['tenant', 'channel'] as const;
  const perChannel = (name: string, help: string, read: (count: ViewerCount) => number) =>
    new Gauge({
      ...{ name, help, labelNames, registers: [metrics] },
      collect() {
        this.reset();
        for (const count of viewers()) this.set({ tenant: count.tenant, channel: count.channel }, read(count));
      },
    });
  perChannel(
    'midroll_viewers',
    'Viewers who requested a manifest of this process in the last 15 s',
    ({ seen }) => seen,
  );
  perChannel('midroll_sessions_in_memory', 'Sessions in the memory of this process', ({ known }) => known);
}
