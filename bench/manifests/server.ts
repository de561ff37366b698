// SPDX-License-Identifier: Apache-2.0
// Midroll's live port in front of viewers in memory. Parameters: a BenchShape as JSON in the first argument.
import { mkdtempSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sqlSessions } from '../../src/adapters/sql/sessions/sqlSessions.ts';
import { systemTimers } from '../../src/adapters/systemClock.ts';
import type { ChannelRef } from '../../src/channels/channelKey.ts';
import { openSqlite } from '../../src/database.ts';
import { MEDIA_ROUTE, MPD_ROUTE } from '../../src/http/live/liveOperation.ts';
import { createRequestCounts, type RequestCounts } from '../../src/http/live/measure/requestCounts.ts';
import { createLiveServer } from '../../src/http/live/server.ts';
import { createProxies } from '../../src/http/proxies.ts';
import { createCounter } from '../../src/platform/reports/rules/count/counter.ts';
import { createStoreHealth } from '../../src/playback/viewers/storeHealth.ts';
import { createViewers } from '../../src/playback/viewers/viewers.ts';
import { createViewings } from '../../src/playback/viewings.ts';
import { millis } from '../../src/time/units.ts';
import { noVod } from '../../test/servers/noVod.ts';
import { bytesUsed } from '../harness/bytesUsed.ts';
import { benchTracking } from '../tracking/benchTracking.ts';
import { fillAudience, memoryDecider } from './audience.ts';
import { benchChannel } from './benchChannel.ts';
import { createPollClock } from './pollClock.ts';
import { type BenchShape, requestsPerPoll } from './shape.ts';

/** Counts events for reports, as the product does. */
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

const shape = JSON.parse(process.argv[2]!) as BenchShape;
const { receiver } = shape;
const start = millis(Date.now());
const airings = Array.from({ length: shape.channels }, (_, number) => benchChannel(shape, number, start));
const sql = await openSqlite(shape.viewersPerFollower > 0 ? mkdtempSync(join(tmpdir(), 'midroll-bench-')) : ':memory:');
const sessions = sqlSessions(sql);
const health = createStoreHealth(systemTimers, () => {});
const viewers = createViewers(sessions, health, Math.max(100_000, shape.sessions));
const { bytesPerSession, heapBefore } = fillAudience(airings, viewers, shape, start);
const clock = createPollClock(start, 1000 * shape.pollSeconds, requestsPerPoll(shape));
const named = new Map(airings.map((airing) => [airing.channel.id, [{ channel: airing.channel, airing }]]));
const playback = {
  airings: {
    find: ({ id }: ChannelRef) => named.get(id)?.[0],
    named: (id: string) => named.get(id) ?? [],
    refreshOnMiss: async () => false,
    revision: () => 0,
  },
  ...{ viewers, sessions, vod: noVod },
  decider: memoryDecider(viewers, shape),
  decideBy: async () => {},
  presence: { note: () => {} },
};
const server = createLiveServer({
  observe: observer(),
  counts: countsFor(clock.count),
  isFast: process.env.LIVE_FAST_PATH !== 'off',
  ...{ ...playback, viewings: createViewings(playback), now: clock.now },
  timers: systemTimers,
  liveUrl: () => 'http://127.0.0.1',
  proxies: createProxies([]),
  recordDelivery: receiver ? benchTracking(sql, { ...shape, receiver }, clock.now) : async () => {},
  mediaUrl: () => undefined,
  late: { keep: (_, error) => console.error(error) },
  openSegment: async () => undefined,
  feeds: { tracking: async () => {}, confirm: async () => {}, vast: async () => {} },
  distributors: {
    find: async () => undefined,
    guide: async () => ({ xmltv: '', json: '' }),
    slateOf: () => undefined,
  },
  notReady: async () => undefined,
  onError: (error) => console.error(error),
});
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port, bytesPerSession }));
process.on('message', (what) =>
  process.send?.(what === 'memory' ? { bytes: bytesUsed() - heapBefore } : { cpu: process.cpuUsage() }),
);
process.on('disconnect', () => process.exit());
