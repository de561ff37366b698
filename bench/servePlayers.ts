// SPDX-License-Identifier: Apache-2.0
// The live port in front of viewers in memory. Sends its port and the paths of their manifests to the parent process.
import type { AddressInfo } from 'node:net';
import { systemTimers } from '../src/adapters/systemClock.ts';
import type { ChannelRef } from '../src/channels/channelKey.ts';
import { MEDIA_ROUTE, MPD_ROUTE } from '../src/http/live/liveOperation.ts';
import { createRequestCounts, type RequestCounts } from '../src/http/live/measure/requestCounts.ts';
import { createLiveServer } from '../src/http/live/server.ts';
import { createProxies } from '../src/http/proxies.ts';
import { createCounter } from '../src/platform/reports/rules/count/counter.ts';
import type { EnabledChannel } from '../src/playback/onAir/airing.ts';
import type { BreakDecider } from '../src/playback/view/view.ts';
import type { Viewers } from '../src/playback/viewers/viewers.ts';
import { createViewings } from '../src/playback/viewings.ts';
import type { SessionStore } from '../src/sessions/ports.ts';
import { type Millis, millis } from '../src/time/units.ts';
import type { RecordDelivery } from '../src/tracking/deliveries/durableRecorder.ts';
import { noVod } from '../test/servers/noVod.ts';
import { bytesUsed } from './harness/bytesUsed.ts';

export type PlayersOptions = {
  /** By id. */
  readonly channels: ReadonlyMap<string, EnabledChannel>;
  readonly viewers: Viewers;
  readonly sessions: SessionStore;
  readonly now: () => Millis;
  /** Whether events are counted for reports, as in the product. */
  readonly isCounted: boolean;
  readonly recordDelivery?: RecordDelivery;
  /** By default, none is needed. */
  readonly decider?: BreakDecider;
  /** Called for each request of a manifest, once it is answered. */
  readonly onManifest?: () => void;
  readonly paths?: readonly string[];
  /** Of a viewer that has not requested anything yet. */
  readonly bytesPerSession: number;
  /** The memory of the process without viewers. */
  readonly heapBefore?: number;
};

function observer() {
  const counter = createCounter();
  setInterval(() => counter.take(millis(Date.now()), false), 5000);
  return {
    opened: () => {},
    watched: counter.watched,
    served: (channel: ChannelRef, format: 'hls' | 'dash', ms: number, isError: boolean) =>
      counter.served(channel, format, ms, isError, millis(Date.now())),
  };
}

function countsFor(onManifest: () => void): RequestCounts {
  const counts = createRequestCounts();
  return {
    ...counts,
    add(routeClass, status, ms) {
      counts.add(routeClass, status, ms);
      if (routeClass === MEDIA_ROUTE || routeClass === MPD_ROUTE) onManifest();
    },
  };
}

export function servePlayers(options: PlayersOptions): void {
  const { viewers, sessions, now, isCounted, recordDelivery, decider, paths, bytesPerSession } = options;
  const named = new Map([...options.channels].map(([id, enabled]) => [id, [enabled]]));
  const playback = {
    airings: {
      find: ({ id }: ChannelRef) => named.get(id)?.[0],
      named: (id: string) => named.get(id) ?? [],
      refreshOnMiss: async () => false,
      revision: () => 0,
    },
    ...{ viewers, sessions, vod: noVod },
    decider: decider ?? { begin: () => {}, settle: async () => {} },
  };
  const server = createLiveServer({
    ...(isCounted ? { observe: observer() } : {}),
    ...(options.onManifest && { counts: countsFor(options.onManifest) }),
    isFast: process.env.LIVE_FAST_PATH !== 'off',
    ...{ ...playback, viewings: createViewings(playback), now },
    timers: systemTimers,
    liveUrl: () => 'http://127.0.0.1',
    proxies: createProxies([]),
    recordDelivery: recordDelivery ?? (async () => {}),
    mediaUrl: () => undefined,
    late: { keep: (_, error) => console.error(error) },
    openSegment: async () => undefined,
    feeds: { tracking: async () => {}, confirm: async () => {}, vast: async () => {} },
    notReady: async () => undefined,
    onError: (error) => console.error(error),
  });
  const { heapBefore = 0 } = options;
  server.listen(0, '127.0.0.1', () =>
    process.send?.({ port: (server.address() as AddressInfo).port, paths, bytesPerSession }),
  );
  process.on('message', (what) =>
    process.send?.(what === 'memory' ? { bytes: bytesUsed() - heapBefore } : { cpu: process.cpuUsage() }),
  );
  process.on('disconnect', () => process.exit());
}
