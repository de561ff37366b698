// SPDX-License-Identifier: Apache-2.0
// The programs of the cluster that are not part of Midroll, where distributions install them.
import { execFileSync } from 'node:child_process';
import { accessSync, constants, existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';

export type ClusterPrograms = {
  /** The folder of initdb and postgres. */
  readonly postgres: string;
  /** redis-server or valkey-server. */
  readonly redis: string;
  readonly nginx: string;
};

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
/** Debian keeps nginx where only root has a PATH. */
const folders = (): string[] => [
  ...(process.env.PATH ?? '').split(delimiter).filter(Boolean),
  ...['/usr/sbin', '/usr/local/sbin'],
];

/** Debian keeps the programs of the server off the PATH; the newest version first. */
function postgresFolders(): string[] {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian).map(Number).filter(Number.isFinite) : [];
  return versions.sort((a, b) => b - a).map((version) => join(debian, String(version), 'bin'));
}

const find = (...names: readonly string[]): string | undefined =>
  names.flatMap((name) => folders().map((folder) => join(folder, name))).find(isExecutable);

/** The folder of initdb and postgres; undefined if they are not installed, as for the others. */
export const findPostgres = (): string | undefined =>
  [...postgresFolders(), ...folders()].find((folder) =>
    ['initdb', 'postgres'].every((name) => isExecutable(join(folder, name))),
  );
/** A program of Redis, or of Valkey if there is no Redis. */
export const findRedis = (program: 'server' | 'cli'): string | undefined =>
  find(`redis-${program}`, `valkey-${program}`);
export const findNginx = (): string | undefined => find('nginx');

/** @throws with all missing programs and how to install them */
export function findPrograms(): ClusterPrograms {
  const [postgres, redis, nginx] = [findPostgres(), findRedis('server'), findNginx()];
  const missing = [
    ...(postgres ? [] : ['postgresql']),
    ...(redis ? [] : ['redis-server']),
    ...(nginx ? [] : ['nginx']),
  ];
  if (postgres && redis && nginx) return { postgres, redis, nginx };
  throw new Error(
    `The cluster needs PostgreSQL, Redis or Valkey, and nginx; missing here: ${missing.join(', ')}. ` +
      `Install what is missing (Debian: apt-get install ${missing.join(' ')}), or run the demo without --cluster.`,
  );
}

export type SystemUser = { readonly uid: number; readonly gid: number };

/** PostgreSQL does not run as root. @returns undefined if this process is not root's */
export function databaseUser(): SystemUser | undefined {
  if (process.getuid?.() !== 0) return undefined;
  for (const name of ['postgres', 'nobody']) {
    try {
      const id = (flag: string) => Number(execFileSync('id', [flag, name], { stdio: ['ignore', 'pipe', 'ignore'] }));
      return { uid: id('-u'), gid: id('-g') };
    } catch {
      // The user does not exist; try the next one.
    }
  }
  throw new Error('PostgreSQL does not run as root. Create a user "postgres", or run the demo as another user.');
}
