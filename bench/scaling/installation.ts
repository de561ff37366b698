// SPDX-License-Identifier: Apache-2.0
// One installation of a benchmark: nodes on a PostgreSQL server of their own, with sessions there or in Redis, and a linear channel
// with a break every few minutes.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type MidrollProcess, startMidroll } from '../../test/live/midroll.ts';
import { createChannel, nextBreaks, UNLIMITED, untilServed, YOUNG_GENERATION } from '../channel.ts';
import type { AdServer } from '../startAds.ts';
import type { Figures, PlayerFigures } from './figures.ts';
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

type Place = { readonly shape: InstallationShape; readonly number: number; readonly ads: AdServer };

export async function startInstallation({ shape, number, ads }: Place): Promise<Installation> {
  const folder = mkdtempSync(join(tmpdir(), 'midroll-bench-'));
  const postgres = await startCountedPostgres();
  const redis = shape.sessions === 'redis' ? await startCountedRedis() : undefined;
  const settings = {
    ...{ DATA_DIR: folder, DATABASE_URL: postgres.url, ...(redis && { REDIS_URL: redis.url }) },
    ...{ LOG_LEVEL: 'warn', SECRET_KEY: 'bench-key-bench-key-bench-key-32', SESSION_TTL: String(SESSION_TTL_SECONDS) },
    ...{ NODE_OPTIONS: YOUNG_GENERATION, ...UNLIMITED },
  };
  const nodes = [await startMidroll(settings)];
  while (nodes.length < shape.nodes) nodes.push(await startMidroll(settings));
  const [first] = nodes as [MidrollProcess];

  return {
    ...{ shape, nodes, postgres, redis },
    async goOnAir({ cueSeconds, breakSeconds }, video) {
      const cuePoints = [{ spliceTime: cueSeconds, maxDuration: breakSeconds }];
      await createChannel(first, { video, cuePoints, adUrl: `${ads.url}/${number}`, playlistSize: 60 });
      for (const node of nodes) await untilServed(node);
      return (await nextBreaks(first)).map(({ startsAt }) => startsAt);
    },
    async figures(players) {
      const [inAds, inPostgres, inRedis] = await Promise.all([
        ads.figures(number),
        postgres.figures(),
        redis?.figures(),
      ]);
      const cpuMs = nodes.reduce((sum, node) => sum + processorTime(node.pid()), 0);
      return { at: Date.now(), postgres: inPostgres, ...(inRedis && { redis: inRedis }), ads: inAds, players, cpuMs };
    },
    async close() {
      await Promise.all(nodes.map((node) => node.close()));
      await Promise.all([postgres.stop(), redis?.stop()]);
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
