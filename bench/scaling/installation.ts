// SPDX-License-Identifier: Apache-2.0
// One installation of a benchmark: nodes on a PostgreSQL server of their own, with sessions there or in Redis, and a linear channel
// with a break every few minutes.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type MidrollProcess, startMidroll } from '../../test/live/midroll.ts';
import type { AdFigures, Figures, PlayerFigures } from './figures.ts';
import { type CountedPostgres, startCountedPostgres } from './postgresFigures.ts';
import { processorTime } from './processorTime.ts';
import { type CountedRedis, startCountedRedis } from './redisFigures.ts';

export type InstallationShape = {
  readonly name: string;
  readonly sessions: 'postgres' | 'redis';
  readonly nodes: number;
  /** `sticky`: all requests of a viewer go to the same node. `random`: each goes to any node. */
  readonly routing: 'sticky' | 'random';
};

export type Timing = { readonly contentSeconds: number; readonly cueSeconds: number; readonly breakSeconds: number };

export const CHANNEL = 'bench';
/** Short, so that the benchmark can count what the end of a session costs. */
export const SESSION_TTL_SECONDS = 60;

export type Installation = {
  readonly shape: InstallationShape;
  readonly nodes: readonly MidrollProcess[];
  readonly postgres: CountedPostgres;
  readonly redis: CountedRedis | undefined;
  /** Creates the channel. @returns when its next breaks start, in milliseconds since 1970 */
  goOnAir(timing: Timing, contentUrl: string): Promise<readonly number[]>;
  figures(players: PlayerFigures): Promise<Figures>;
  close(): Promise<void>;
};

type Place = { readonly shape: InstallationShape; readonly number: number; readonly adUrl: string };

export async function startInstallation({ shape, number, adUrl }: Place): Promise<Installation> {
  const folder = mkdtempSync(join(tmpdir(), 'midroll-bench-'));
  const postgres = await startCountedPostgres();
  const redis = shape.sessions === 'redis' ? await startCountedRedis() : undefined;
  const settings = {
    ...{ DATA_DIR: folder, DATABASE_URL: postgres.url, ...(redis && { REDIS_URL: redis.url }) },
    ...{ LOG_LEVEL: 'warn', SECRET_KEY: 'bench-key-bench-key-bench-key-32', SESSION_TTL: String(SESSION_TTL_SECONDS) },
    // With the young generation of `npm start` and of the container.
    NODE_OPTIONS: '--max-semi-space-size=64',
    // All viewers come from one address.
    ...{ SESSIONS_PER_ADDRESS: '0', SESSIONS_PER_CHANNEL: '0', CONNECTIONS_PER_ADDRESS: '0' },
  };
  const nodes = [await startMidroll(settings)];
  while (nodes.length < shape.nodes) nodes.push(await startMidroll(settings));
  const [first] = nodes as [MidrollProcess];

  async function nextBreaks(): Promise<number[]> {
    const window = `from=${new Date().toISOString()}&to=${new Date(Date.now() + 3_600_000).toISOString()}`;
    const { json } = await first.api('GET', `/channels/${CHANNEL}/timeline?${window}`);
    const entries = (json.entries ?? []) as { kind: string; startsAt: string }[];
    return entries
      .flatMap(({ kind, startsAt }) => (kind === 'break' ? [Date.parse(startsAt)] : []))
      .filter((at) => at > Date.now());
  }

  return {
    ...{ shape, nodes, postgres, redis },
    async goOnAir({ cueSeconds, breakSeconds }, contentUrl) {
      const cuePoints = [{ spliceTime: cueSeconds, maxDuration: breakSeconds }];
      const contents = [{ sourceType: 'url', url: contentUrl, cuePoints }];
      await first.create('playlists', { id: CHANNEL, status: 'enabled', contents });
      const url = `${adUrl}/${number}/vast?session=[SESSION_ID]&break=[BREAK_ID]&seconds=[BREAK_DURATION]`;
      const channel = { id: CHANNEL, state: 'enabled', apiKey: 'key', playlistId: CHANNEL, playlistSize: 60 };
      await first.create('channels', { ...channel, adSource: { url } });
      const isServed = async ({ liveUrl }: MidrollProcess) =>
        (await fetch(`${liveUrl}/hls/${CHANNEL}/master.m3u8?api-key=key`)).ok;
      for (const node of nodes) while (!(await isServed(node))) await sleep(250);
      return nextBreaks();
    },
    async figures(players) {
      const [ads, inPostgres, inRedis] = await Promise.all([
        fetch(`${adUrl}/${number}/figures`).then((response) => response.json() as Promise<AdFigures>),
        postgres.figures(),
        redis?.figures(),
      ]);
      const cpuMs = nodes.reduce((sum, node) => sum + processorTime(node.pid()), 0);
      return { at: Date.now(), postgres: inPostgres, ...(inRedis && { redis: inRedis }), ads, players, cpuMs };
    },
    async close() {
      await Promise.all(nodes.map((node) => node.close()));
      await Promise.all([postgres.stop(), redis?.stop()]);
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
