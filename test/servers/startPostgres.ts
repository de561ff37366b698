// SPDX-License-Identifier: Apache-2.0
// Starts a PostgreSQL server for tests: the installed programs, a temporary folder, a free port.

import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chownSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { databaseUser } from '../../demo/cluster/programs.ts';
import { findFreePort } from '../../demo/listen.ts';
import { endProcess } from './endProcess.ts';
import { postgresPrograms } from './programs.ts';

export type PostgresServer = {
  readonly url: string;
  /** Ends it with SIGKILL, to simulate a crash. */
  kill(): Promise<void>;
  /** After `kill`: the same data, the same URL. */
  restart(): Promise<void>;
  stop(): Promise<void>;
};

/** @param options additional arguments of the server, e.g. `['-c', 'fsync=off']` */
export async function startPostgres(options: readonly string[] = []): Promise<PostgresServer> {
  const programs = postgresPrograms();
  const user = databaseUser();
  const folder = mkdtempSync(join(tmpdir(), 'midroll-postgres-'));
  if (user) chownSync(folder, user.uid, user.gid);
  const data = join(folder, 'data');
  const initdb = ['-D', data, '-U', 'midroll', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'];
  execFileSync(join(programs, 'initdb'), initdb, { ...user, cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
  let port = await findFreePort(0);
  const run = async () => {
    const server = spawn(
      join(programs, 'postgres'),
      ['-D', data, '-p', String(port), '-k', folder, '-h', '127.0.0.1', '-c', 'max_connections=300', ...options],
      { ...user, cwd: folder, stdio: 'ignore' },
    );
    await untilReady(server, programs, port);
    return server;
  };
  let server = await run().catch(async () => {
    // Another program has taken the port.
    port = await findFreePort(0);
    return run();
  });
  const end = (signal: NodeJS.Signals) => endProcess(server, signal);
  process.once('exit', () => server.kill('SIGKILL'));
  return {
    url: `postgres://midroll@127.0.0.1:${port}/postgres`,
    kill: () => end('SIGKILL'),
    restart: async () => {
      // The children of the killed server hold its shared memory until they exit, a moment later.
      for (let tries = 0; ; tries += 1) {
        try {
          server = await run();
          return;
        } catch (error) {
          if (tries === 20) throw error;
          await wait(100);
        }
      }
    },
    stop: async () => {
      await end('SIGINT');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function untilReady(server: ChildProcess, programs: string, port: number): Promise<void> {
  for (let tries = 0; tries < 6000; tries += 1) {
    if (server.exitCode !== null) throw new Error(`PostgreSQL ended at its start with code ${server.exitCode}.`);
    try {
      execFileSync(join(programs, 'pg_isready'), ['-q', '-h', '127.0.0.1', '-p', String(port), '-U', 'midroll']);
      return;
    } catch {
      await wait(50);
    }
  }
  throw new Error('PostgreSQL did not respond within five minutes.');
}
