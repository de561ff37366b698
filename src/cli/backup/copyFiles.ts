// SPDX-License-Identifier: Apache-2.0
// Copies files to a backup: each is on disk and readable only by its owner when it counts as copied.
import { chmod, copyFile, mkdir, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { KEY_FILE } from '../../adapters/sql/secrets/secretKey.ts';
import { DATABASE_FILE } from '../../adapters/sql/sql.ts';
import { syncPath } from '../../adapters/writeWhole.ts';

/** Folders in DATA_DIR with data that is not in the database yet. */
const SPOOLS = ['reports', 'deliveries'];
/** Entries, and those that the database rejected. Other files are incomplete. */
const SPOOL_FILE = /\.(json|aside)$/;

/** @returns undefined if a file or folder does not exist */
export const ifExists = <T>(work: Promise<T>): Promise<T | undefined> =>
  work.catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });

/** @returns the number of files */
export async function copySpools(dataDir: string, draft: string): Promise<number> {
  let count = 0;
  for (const spool of SPOOLS) {
    const names = (await ifExists(readdir(join(dataDir, spool)))) ?? [];
    await mkdir(join(draft, spool), { mode: 0o700 });
    for (const name of names.filter((one) => SPOOL_FILE.test(one)))
      if (await copySynced(join(dataDir, spool, name), join(draft, spool, name))) count += 1;
    await syncPath(join(draft, spool));
  }
  return count;
}

/** @returns whether the file exists; an entry of a spool may have moved to the database meanwhile */
export async function copySynced(from: string, to: string): Promise<boolean> {
  if (!(await ifExists(stat(from)))) return false;
  const copied = await ifExists(copyFile(from, to).then(() => true));
  if (!copied) return false;
  await chmod(to, 0o600);
  await syncPath(to);
  return true;
}

/** What was copied, for people. */
export const namesOf = (usesSqlite: boolean, hasKey: boolean, entries: number): string =>
  [...(usesSqlite ? [DATABASE_FILE] : []), ...(hasKey ? [KEY_FILE] : []), `${entries} spool files`].join(', ');
