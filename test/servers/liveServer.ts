// The live port on a store of a test's own, with one channel on air that nobody decides breaks for.
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sqlSessions } from '../../src/adapters/sql/sessions/sqlSessions.ts';
import { openSqlite } from '../../src/adapters/sql/sql.ts';
import { systemTimers } from '../../src/adapters/systemClock.ts';
import { createLiveServer } from '../../src/http/live/server.ts';
import { createProxies } from '../../src/http/proxies.ts';
import { createStorePulse } from '../../src/playback/viewers/storePulse.ts';
import { createViewers } from '../../src/playback/viewers/viewers.ts';
import type { SessionStore } from '../../src/sessions/ports.ts';
import { millis } from '../../src/time/units.ts';
import { airingsOf } from '../airingsOf.ts';
import { START, soakAiring } from '../tracking/soakChannel.ts';

type LiveDeps = Parameters<typeof createLiveServer>[0];

export type LiveTest = {
  readonly server: Server;
  readonly url: string;
  readonly port: number;
  readonly sessions: SessionStore;
  /** Opens the channel at this path, with the key `key`. */
  readonly opening: string;
  close(): Promise<void>;
};

const fail = (error: unknown): never => {
  throw error;
};

/** A live server's surroundings in which nothing happens: for tests that put what they try in its place. */
export const quiet = {
  ...{ timers: systemTimers, proxies: createProxies([]) },
  decider: { begin: () => {}, settle: async () => {} },
  recordDelivery: async () => {},
  elsewhere: () => undefined,
  onLost: fail,
  openSegment: async () => undefined,
  feeds: { tracking: async () => {}, confirm: async () => {}, vast: async () => {} },
  notReady: async () => undefined,
  onError: fail,
} satisfies Partial<LiveDeps>;

export const viewersOf = (sessions: SessionStore) =>
  createViewers(
    sessions,
    createStorePulse(systemTimers, () => {}),
    100,
  );

export async function startLive(options: Partial<LiveDeps> = {}): Promise<LiveTest> {
  const sql = await openSqlite(':memory:');
  const sessions = sqlSessions(sql);
  const airing = soakAiring();
  const { channel } = airing;
  const onAir = { ...airing, channel: { ...channel, apiKey: 'key', tenant: 't' } };
  const now = () => millis(START + 600_000);
  const server = createLiveServer({
    airings: airingsOf(() => [onAir]),
    ...{ ...quiet, viewers: viewersOf(sessions), sessions, now, liveUrl: () => 'http://live.test' },
    ...options,
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    ...{ server, port, sessions },
    url: `http://127.0.0.1:${port}`,
    opening: `/dash/view/${channel.id}?api-key=key`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await sql.close();
    },
  };
}
