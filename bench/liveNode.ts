// SPDX-License-Identifier: Apache-2.0
// A Midroll process with live channels for a benchmark, its virtual origin, and what both have used.
import { fork } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import Database from 'better-sqlite3';
import pg from 'pg';
import { startMidroll } from '../test/live/midroll.ts';
import { readReport, UNLIMITED, YOUNG_GENERATION } from './channel.ts';
import type { OriginFigures } from './virtualOrigin.ts';

/** What reportProcess.mjs writes. */
type Report = {
  readonly at: number;
  readonly cpuMs: number;
  readonly collectedMs: number;
  readonly p50: number;
  readonly p99: number;
  readonly rss: number;
  readonly heapUsed: number;
  readonly sockets: number;
  readonly timers: number;
};

/** What a node has used so far. */
export type Figures = Report & {
  readonly origin: OriginFigures;
  readonly entries: number;
  readonly bytesWritten: number;
};

type Rows = (sql: string) => Promise<readonly { readonly count: number }[]>;

async function startOrigin(delayMs: number) {
  const program = new URL('./virtualOrigin.ts', import.meta.url);
  const child = fork(program, [String(delayMs)], { execArgv: ['--import', 'tsx'] });
  const told = <Message>() => new Promise<Message>((resolve) => child.once('message', resolve as () => void));
  const { port } = await told<{ port: number }>();
  return {
    url: `http://127.0.0.1:${port}`,
    figures() {
      child.send('figures');
      return told<OriginFigures>();
    },
    stop: () => void child.kill(),
  };
}

/** @param connectionString of PostgreSQL; without it, SQLite in `folder` */
function reader(folder: string, connectionString: string | undefined): { readonly rows: Rows; close(): Promise<void> } {
  if (connectionString !== undefined) {
    const pool = new pg.Pool({ connectionString, max: 1 });
    return { rows: async (sql) => (await pool.query(sql)).rows, close: () => pool.end() };
  }
  const db = new Database(join(folder, 'midroll.db'), { readonly: true });
  return { rows: async (sql) => db.prepare(sql).all() as { count: number }[], close: async () => void db.close() };
}

export type LiveNode = Awaited<ReturnType<typeof startLiveNode>>;

export type LiveNodeOptions = {
  /** Milliseconds of each response of the origin. */
  readonly delayMs: number;
  /** An empty database of PostgreSQL; without it, SQLite. */
  readonly postgresUrl?: string;
};

export async function startLiveNode({ delayMs, postgresUrl }: LiveNodeOptions) {
  const folder = mkdtempSync(join(tmpdir(), 'midroll-bench-'));
  const file = join(folder, 'report.json');
  const origin = await startOrigin(delayMs);
  const midroll = await startMidroll({
    ...{ DATA_DIR: folder, LOG_LEVEL: 'warn', BENCH_REPORT: file },
    ...(postgresUrl && { DATABASE_URL: postgresUrl }),
    NODE_OPTIONS: `${YOUNG_GENERATION} --import ${new URL('./reportProcess.mjs', import.meta.url)}`,
    ...UNLIMITED,
  });
  const { rows, close } = reader(folder, postgresUrl);
  const count = async (sql: string): Promise<number> => Number((await rows(sql))[0]!.count);

  return {
    midroll,
    async figures(): Promise<Figures> {
      const own = await readReport<Report>(midroll, file);
      const io = readFileSync(`/proc/${midroll.pid()}/io`, 'utf8');
      return {
        ...own,
        origin: await origin.figures(),
        entries: await count(
          'select coalesce(sum(last), 0) as count from (select max(number) + 1 as last from live_entries group by life) as each_life',
        ),
        bytesWritten: Number(/^write_bytes: (\d+)/m.exec(io)![1]),
      };
    },
    /** Creates channels of the origin. @returns seconds until all have been created, and until all are on air */
    async createChannels(channels: number): Promise<{ created: number; onAir: number }> {
      const began = performance.now();
      const seconds = () => (performance.now() - began) / 1000;
      let next = 0;
      const create = async () => {
        while (next < channels) {
          const id = `c${next}`;
          next += 1;
          const sourceManifestUrl = `${origin.url}/${id}/master.m3u8`;
          const channel = { id, type: 'live', state: 'enabled', apiKey: 'key', sourceManifestUrl };
          await midroll.create('channels', { ...channel, adSource: { url: 'http://127.0.0.1:9/' } });
        }
      };
      await Promise.all(Array.from({ length: 8 }, create));
      const created = seconds();
      while ((await count('select count(distinct channel_id) as count from live_feeds')) < channels) await sleep(100);
      return { created, onAir: seconds() };
    },
    async close(): Promise<void> {
      await close();
      await midroll.close();
      origin.stop();
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
