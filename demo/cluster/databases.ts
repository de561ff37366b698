// SPDX-License-Identifier: Apache-2.0
// PostgreSQL and Redis of the cluster: on loopback, with a password, because other users of this machine can connect, too.
import { execFile } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { MemberSpec } from './member.ts';
import { type ClusterPrograms, databaseUser } from './programs.ts';

const execute = promisify(execFile);

export type DatabasePlace = {
  readonly programs: ClusterPrograms;
  /** The data folder of the demo; each database has a folder in it. */
  readonly dataDir: string;
  readonly port: number;
  readonly password: string;
  readonly logFile: string;
};

export const postgresUrl = ({ port, password }: DatabasePlace): string =>
  `postgres://midroll:${password}@127.0.0.1:${port}/postgres`;
export const redisUrl = ({ port, password }: DatabasePlace): string => `redis://:${password}@127.0.0.1:${port}`;

/** Creates the database files, if there are none yet. @throws with the message of initdb */
async function initialise({ programs, password }: DatabasePlace, folder: string): Promise<void> {
  const data = join(folder, 'data');
  if (existsSync(join(data, 'PG_VERSION'))) return;
  const user = databaseUser();
  const passwordFile = join(folder, 'password');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(passwordFile, password, { mode: 0o600 });
  if (user) {
    for (const path of [folder, passwordFile]) chownSync(path, user.uid, user.gid);
  }
  const args = ['-D', data, '-U', 'midroll', '-A', 'scram-sha-256', `--pwfile=${passwordFile}`];
  try {
    await execute(join(programs.postgres, 'initdb'), [...args, '-E', 'UTF8', '--locale=C', '--no-sync'], {
      ...user,
      cwd: folder,
    });
  } catch (error) {
    const { stderr = '', message } = error as Error & { stderr?: string };
    throw new Error(
      `initdb could not create a database in ${data}: ${stderr.trim() || message}\n` +
        'Set DATA_DIR to a folder that the user of PostgreSQL can reach, or run the demo without --cluster.',
    );
  } finally {
    rmSync(passwordFile, { force: true });
  }
}

export async function postgresSpec(place: DatabasePlace): Promise<MemberSpec> {
  const { programs, dataDir, port, logFile } = place;
  const folder = join(dataDir, 'postgres');
  await initialise(place, folder);
  const isReady = join(programs.postgres, 'pg_isready');
  const settings = ['max_connections=200', 'fsync=off', `unix_socket_directories=`, 'listen_addresses=127.0.0.1'];
  const program = join(programs.postgres, 'postgres');
  return {
    id: 'postgres',
    title: 'PostgreSQL',
    kind: 'store',
    logFile,
    cwd: folder,
    env: process.env,
    command: [program, '-D', join(folder, 'data'), '-p', `${port}`, ...settings.flatMap((each) => ['-c', each])],
    user: databaseUser(),
    // Not SIGKILL: its processes are not one group, and those that are left would delay its next start.
    killSignal: 'SIGQUIT',
    endSignal: 'SIGINT',
    isReady: () =>
      execute(isReady, ['-q', '-h', '127.0.0.1', '-p', `${port}`, '-U', 'midroll'], { cwd: tmpdir() }).then(() => true),
  };
}

/** Sends one command and reads the first bytes of the response. */
function ping({ port, password }: DatabasePlace): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(`AUTH ${password}\r\nPING\r\n`));
    let response = '';
    socket.setTimeout(1000, () => socket.destroy());
    socket.setEncoding('utf8').on('data', (text) => {
      response += text;
      if (/PONG|-LOADING|-ERR/.test(response)) socket.destroy();
    });
    socket.on('error', () => undefined).on('close', () => resolve(response.includes('PONG')));
  });
}

export function redisSpec(place: DatabasePlace): MemberSpec {
  const { programs, dataDir, port, password, logFile } = place;
  const folder = join(dataDir, 'redis');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, 'redis.conf');
  // In a file, because arguments are visible to all users. Redis forgets nothing by itself, and nothing when it is killed.
  const lines = [`port ${port}`, 'bind 127.0.0.1', `requirepass ${password}`, `dir ${folder}`, 'save ""'];
  const more = ['appendonly yes', 'appendfsync always', 'maxmemory-policy noeviction', 'daemonize no'];
  writeFileSync(file, [...lines, ...more, ''].join('\n'), { mode: 0o600 });
  return {
    id: 'redis',
    title: 'Redis',
    kind: 'store',
    logFile,
    cwd: dirname(file),
    env: process.env,
    command: [programs.redis, file],
    isReady: () => ping(place),
  };
}
