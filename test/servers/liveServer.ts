// SPDX-License-Identifier: Apache-2.0
// Starts a live server inside the test process. The decider, the feeds and the media do nothing unless a test replaces
// them, and an unexpected error fails the test.
import { closeServer, listenFrom } from '../../demo/listen.ts';
import { sqlSessions } from '../../src/adapters/sql/sessions/sqlSessions.ts';
import { systemTimers } from '../../src/adapters/systemClock.ts';
import { openSqlite } from '../../src/database.ts';
import { createRequestCounts } from '../../src/http/live/measure/requestCounts.ts';
import { createLiveServer } from '../../src/http/live/server.ts';
import { createProxies } from '../../src/http/proxies.ts';
import { createStoreHealth } from '../../src/playback/viewers/storeHealth.ts';
import { createViewers } from '../../src/playback/viewers/viewers.ts';
import { createViewings } from '../../src/playback/viewings.ts';
import type { SessionStore } from '../../src/sessions/ports.ts';
import { millis } from '../../src/time/units.ts';
import { airingsOf } from '../airingsOf.ts';
import { START, soakAiring } from '../tracking/soakChannel.ts';
import { noVod } from './noVod.ts';

type LiveDeps = Parameters<typeof createLiveServer>[0];

export type LiveServer = {
  readonly url: string;
  readonly port: number;
  close(): Promise<void>;
};

export type LiveChannel = LiveServer & {
  readonly sessions: SessionStore;
  /** The path that opens a session of the channel, with its key `key`. */
  readonly opening: string;
};

const fail = (error: unknown): never => {
  throw error;
};

const idleDeps = {
  ...{ timers: systemTimers, proxies: createProxies([]) },
  decider: { begin: () => {}, settle: async () => {} },
  decideBy: async () => {},
  presence: { note: () => {} },
  vod: noVod,
  recordDelivery: async () => {},
  mediaUrl: () => undefined,
  late: { keep: (_, error) => fail(error) },
  openSegment: async () => undefined,
  feeds: { tracking: async () => {}, confirm: async () => {}, vast: async () => {} },
  distributors: {
    find: async () => undefined,
    guide: async () => ({ xmltv: '', json: '' }),
    slateOf: () => undefined,
  },
  notReady: async () => undefined,
  onError: fail,
} satisfies Partial<LiveDeps>;

const viewersOf = (sessions: SessionStore) =>
  createViewers(
    sessions,
    createStoreHealth(systemTimers, () => {}),
    10_000,
  );

/** Serves on a free port of 127.0.0.1. `close` leaves the store of the sessions open. */
export async function serveLive(
  deps: Partial<LiveDeps> & Pick<LiveDeps, 'airings' | 'now'> & { readonly sessions: SessionStore },
): Promise<LiveServer> {
  let url = '';
  // Benchmarks measure the counting of requests, too.
  const counts = createRequestCounts();
  const playback = { ...idleDeps, viewers: viewersOf(deps.sessions), ...deps };
  const server = createLiveServer({
    ...playback,
    counts,
    viewings: createViewings(playback),
    liveUrl: () => url,
    ...deps,
  });
  url = await listenFrom(server, 0);
  return {
    ...{ url, port: Number(new URL(url).port) },
    close: () => closeServer(server),
  };
}

/** Serves one channel, with a SQLite store in memory, ten minutes after its start. */
export async function serveLiveChannel(options: Partial<LiveDeps> = {}): Promise<LiveChannel> {
  const sql = await openSqlite(':memory:');
  const sessions = sqlSessions(sql);
  const airing = soakAiring();
  const { channel } = airing;
  const onAir = { ...airing, channel: { ...channel, apiKey: 'key', tenant: 't' } };
  const live = await serveLive({
    ...{ airings: airingsOf(() => [onAir]), now: () => millis(START + 600_000) },
    ...options,
    sessions,
  });
  return {
    ...{ ...live, sessions },
    opening: `/dash/view/${channel.id}?api-key=key`,
    async close() {
      await live.close();
      await sql.close();
    },
  };
}
