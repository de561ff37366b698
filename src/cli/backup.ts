// SPDX-License-Identifier: Apache-2.0
// Copies the data of the servers to a new folder while they run: the spools first, because their entries move to the
// database; then the database, in one read transaction; then the secret key. PostgreSQL is left to pg_dump.
import { randomUUID } from 'node:crypto';
import { chmod, copyFile, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Database } from 'better-sqlite3';
import { loadSqlite } from '../adapters/sql/loadSqlite.ts';
import { DATABASE_FILE } from '../adapters/sql/sql.ts';
import { KEY_FILE } from '../adapters/sql/tenants/secretKey.ts';
import { describeError } from '../errors.ts';
import { CommandError } from './commandError.ts';

export type BackupSource = { readonly DATA_DIR: string; readonly DATABASE_URL?: string; readonly SECRET_KEY?: string };

/** Folders in DATA_DIR with data that is not in the database yet. */
const SPOOLS = ['reports', 'deliveries'];
/**
 * What belongs to sessions is left out: after a restore, their manifests would contradict what viewers have seen meanwhile
 * (laws 1 and 3). Players get a 404 and open new sessions.
 */
const SESSION_TABLES = ['sessions', 'decisions', 'breaks', 'claims', 'confirmations'];
/** Entries, and those that the database rejected. Other files are incomplete. */
const SPOOL_FILE = /\.(json|aside)$/;
const PROGRESS_MS = 2000;
const MIB = 2 ** 20;
const REMOVAL = { recursive: true, force: true, maxRetries: 5 };

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code;
const isMissing = (error: unknown) => codeOf(error) === 'ENOENT';
const ifExists = <T>(work: Promise<T>): Promise<T | undefined> =>
  work.catch((error: unknown) => {
    if (isMissing(error)) return undefined;
    throw error;
  });

/**
 * @param folder created by this function; it contains everything or does not exist
 * @param note called with the progress
 * @returns what was copied, and what remains to be done
 */
export async function backup(source: BackupSource, folder: string, note: (text: string) => void): Promise<string> {
  const target = resolve(folder);
  await checkTarget(target);
  const usesSqlite = source.DATABASE_URL === undefined;
  const database = join(source.DATA_DIR, DATABASE_FILE);
  if (usesSqlite && !(await ifExists(stat(database))))
    throw new CommandError(`${database} not found. Set DATA_DIR or DATABASE_URL as for your servers.`);

  const draft = `${target}.incomplete-${randomUUID().slice(0, 8)}`;
  const ends = removeOnSignal(draft);
  try {
    await mkdir(draft, { mode: 0o700 });
    const entries = await copySpools(source.DATA_DIR, draft);
    if (usesSqlite) await copyDatabase(database, join(draft, DATABASE_FILE), note);
    const hasKey = await copySynced(join(source.DATA_DIR, KEY_FILE), join(draft, KEY_FILE));
    await syncPath(draft);
    await rename(draft, target);
    await syncPath(dirname(target));
    return report({ target, entries, usesSqlite, hasKey });
  } catch (error) {
    await rm(draft, REMOVAL);
    if (error instanceof CommandError) throw error;
    // Another backup has created the folder meanwhile.
    if (['ENOTEMPTY', 'EEXIST'].includes(codeOf(error) ?? '')) throw notEmpty(target);
    throw new CommandError(`Nothing was copied to ${target}: ${describeError(error)}.`);
  } finally {
    ends();
  }
}

const notEmpty = (target: string) => new CommandError(`FOLDER must not exist, or be empty; ${target} has content.`);

async function checkTarget(target: string): Promise<void> {
  const parent = await ifExists(stat(dirname(target)));
  if (!parent?.isDirectory())
    throw new CommandError(`${dirname(target)} is not a folder. Create it, or name a FOLDER in an existing one.`);
  const existing = await ifExists(stat(target));
  if (!existing) return;
  if (!existing.isDirectory()) throw new CommandError(`FOLDER must be a folder; ${target} is a file.`);
  if ((await readdir(target)).length > 0) throw notEmpty(target);
  // The complete copy is renamed to FOLDER, and a mount point cannot be replaced.
  if (existing.dev !== parent.dev)
    throw new CommandError(`${target} is a mount point. Name a new folder in it, e.g. ${join(target, 'monday')}.`);
}

/** A signal ends the process, also while the database is copied, and leaves nothing behind. */
function removeOnSignal(draft: string): () => void {
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  const end = async (signal: NodeJS.Signals) => {
    await rm(draft, REMOVAL);
    stop();
    process.kill(process.pid, signal);
  };
  const stop = () => {
    for (const signal of signals) process.removeListener(signal, end);
  };
  for (const signal of signals) process.on(signal, end);
  return stop;
}

/** @returns the number of files */
async function copySpools(dataDir: string, draft: string): Promise<number> {
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
async function copySynced(from: string, to: string): Promise<boolean> {
  if (!(await ifExists(stat(from)))) return false;
  const copied = await ifExists(copyFile(from, to).then(() => true));
  if (!copied) return false;
  await chmod(to, 0o600);
  await syncPath(to);
  return true;
}

async function copyDatabase(from: string, to: string, note: (text: string) => void): Promise<void> {
  const { Driver, openSqliteFile } = await loadSqlite();
  const file = openSqliteFile(from);
  const read = (pragma: string) => file.handle.pragma(pragma, { simple: true }) as number;
  const total = (read('page_count') - read('freelist_count')) * read('page_size');
  const mib = (bytes: number) => Math.round(bytes / MIB);
  const progress = setInterval(async () => {
    const copied = (await stat(to).catch(() => undefined))?.size ?? 0;
    note(`Copying the database: ${mib(copied)} of about ${mib(total)} MiB`);
  }, PROGRESS_MS);
  try {
    await file.copy(to);
  } finally {
    clearInterval(progress);
    await file.close();
  }
  await chmod(to, 0o600);
  const copy = new Driver(to);
  const found = copy.pragma('quick_check', { simple: true });
  if (found === 'ok') emptySessions(copy);
  copy.close();
  await syncPath(to);
  if (found !== 'ok') throw new CommandError(`The copy of ${from} is damaged: ${found}. Check the disk.`);
}

/** The schema of an older version, which is backed up before it is migrated, does not have all of the tables. */
function emptySessions(copy: Database): void {
  const existing = new Set(copy.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").pluck().all());
  for (const table of SESSION_TABLES) if (existing.has(table)) copy.exec(`DELETE FROM ${table}`);
}

async function syncPath(path: string): Promise<void> {
  const handle = await open(path, 'r');
  await handle.sync().finally(() => handle.close());
}

type Copied = {
  readonly target: string;
  readonly entries: number;
  readonly usesSqlite: boolean;
  readonly hasKey: boolean;
};

/** A pattern of psql, which may contain `|`. */
const dumpCommand = (target: string): string =>
  `pg_dump --format=custom --exclude-table-data='${SESSION_TABLES.join('|')}' --file='${join(target, 'midroll.dump')}' "$DATABASE_URL"`;

const report = ({ target, entries, usesSqlite, hasKey }: Copied): string => {
  const parts = [...(usesSqlite ? [DATABASE_FILE] : []), ...(hasKey ? [KEY_FILE] : []), `${entries} spool files`];
  return [
    `Copied ${parts.join(', ')} to ${target}.`,
    ...(hasKey ? [] : [`${KEY_FILE} does not exist. Keep the SECRET_KEY of your servers with this copy.`]),
    ...(usesSqlite ? [] : ['Now copy the database:', dumpCommand(target)]),
  ].join('\n');
};
