// SPDX-License-Identifier: Apache-2.0
// Starts a PostgreSQL server for tests: the installed programs, a temporary folder, a free port.

import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { endProcess } from './endProcess.ts';

export type PostgresServer = {
  readonly url: string;
  /** Ends it with SIGKILL, to simulate a crash. */
  kill(): Promise<void>;
  /** After `kill`: the same data, the same URL. */
  restart(): Promise<void>;
  stop(): Promise<void>;
};

/** The folder of PostgreSQL's programs. Prefers the newest version of Debian's packages to programs in PATH. */
export function findPrograms(): string {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian).map(Number).filter(Number.isFinite) : [];
  const folders = [
    ...versions.sort((a, b) => b - a).map((version) => join(debian, String(version), 'bin')),
    ...(process.env.PATH ?? '').split(':'),
  ];
  const found = folders.find((folder) => ['initdb', 'postgres'].every((name) => existsSync(join(folder, name))));
  if (!found) throw new Error('PostgreSQL is not installed: the tests need its programs initdb and postgres.');
  return found;
}

/** PostgreSQL does not run as root. */
function unprivileged(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {};
  for (const name of ['postgres', 'nobody']) {
    try {
      const id = (flag: string) => Number(execFileSync('id', [flag, name], { stdio: ['ignore', 'pipe', 'ignore'] }));
      return { uid: id('-u'), gid: id('-g') };
    } catch {
      // The user does not exist; try the next one.
    }
  }
  throw new Error('PostgreSQL does not run as root, and there is neither a user "postgres" nor "nobody" to run it as.');
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** @param options additional arguments of the server, e.g. `['-c', 'fsync=off']` */
export async function startPostgres(options: readonly string[] = []): Promise<PostgresServer> {
  const programs = findPrograms();
  const user = unprivileged();
  const folder = mkdtempSync(join(tmpdir(), 'midroll-postgres-'));
  if (user.uid !== undefined) chownSync(folder, user.uid, user.gid!);
  const data = join(folder, 'data');
  const initdb = ['-D', data, '-U', 'midroll', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'];
  execFileSync(join(programs, 'initdb'), initdb, { ...user, cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
  let port = await freePort();
  const run = async () => {
    const server = spawn(
      join(programs, 'postgres'),
      ['-D', data, '-p', String(port), '-k', folder, '-h', '127.0.0.1', '-c', 'max_connections=300', ...options],
      {
        ...user,
        cwd: folder,
        stdio: 'ignore',
      },
    );
    await untilReady(server, programs, port);
    return server;
  };
  let server = await run().catch(async () => {
    // Another program has taken the port.
    port = await freePort();
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
