// SPDX-License-Identifier: Apache-2.0
// Copies the data of the servers to a new folder while they run: the spools first, because their entries move to the
// database; then the database, in one read transaction; then the secret key. PostgreSQL is left to pg_dump.
import { randomUUID } from 'node:crypto';
import { chmod, mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Database } from 'better-sqlite3';
import { loadSqlite } from '../../adapters/sql/loadSqlite.ts';
import { KEY_FILE } from '../../adapters/sql/secrets/secretKey.ts';
import { DATABASE_FILE } from '../../adapters/sql/sql.ts';
import { syncPath } from '../../adapters/writeWhole.ts';
import { shellQuoted } from '../../ads/request/curlCommand.ts';
import { describeError } from '../../errors.ts';
import { CommandError } from '../command.ts';
import { copySpools, copySynced, ifExists, namesOf } from './copyFiles.ts';

type BackupSource = { readonly DATA_DIR: string; readonly DATABASE_URL?: string; readonly SECRET_KEY?: string };

const REMOVAL = { recursive: true, force: true, maxRetries: 5 };

/** @param folder contains everything afterwards, or does not exist @returns what was copied, and what is left to do */
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
    return [
      `Copied ${namesOf(usesSqlite, hasKey, entries)} to ${target}.`,
      ...(hasKey ? [] : [`${KEY_FILE} does not exist. Keep the SECRET_KEY of your servers with this copy.`]),
      ...(usesSqlite ? [] : ['Now copy the database:', dumpCommand(target)]),
    ].join('\n');
  } catch (error) {
    await rm(draft, REMOVAL);
    if (error instanceof CommandError) throw error;
    // Another backup has created the folder meanwhile.
    if (['ENOTEMPTY', 'EEXIST'].includes((error as NodeJS.ErrnoException).code ?? '')) throw notEmpty(target);
    throw new CommandError(`Nothing was copied to ${target}: ${describeError(error)}.`);
  } finally {
    ends();
  }
}

/**
 * What belongs to sessions is left out: after a restore, their manifests would contradict what viewers have seen meanwhile
 * (laws 1 and 3). Players get a 404 and open new sessions. The timelines of live channels are read from their origins again.
 */
export const SESSION_TABLES: readonly string[] = [
  ...['live_entries', 'sessions', 'presentations', 'decisions', 'breaks', 'claims', 'confirmations'],
  'source_rates',
];
const PROGRESS_MS = 2000;
const MIB = 2 ** 20;

/** Copies one state of a database that servers can use meanwhile, without sessions. @param note gets the progress */
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
  try {
    const found = copy.pragma('quick_check', { simple: true });
    if (found !== 'ok') throw new CommandError(`The copy of ${from} is damaged: ${found}. Check the disk.`);
    emptySessions(copy);
  } finally {
    copy.close();
  }
  await syncPath(to);
}

/** The schema of an older version, which is backed up before it is migrated, does not have all of the tables. */
function emptySessions(copy: Database): void {
  const existing = new Set(copy.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").pluck().all());
  // Without it, the rows stay in free pages of the file.
  copy.pragma('secure_delete = ON');
  for (const table of SESSION_TABLES) if (existing.has(table)) copy.exec(`DELETE FROM ${table}`);
  copy.pragma('incremental_vacuum');
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

/** The tables are a pattern of psql, which may contain `|`. */
const dumpCommand = (target: string): string =>
  `pg_dump --format=custom --exclude-table-data=${shellQuoted(SESSION_TABLES.join('|'))} --file=${shellQuoted(join(target, 'midroll.dump'))} "$DATABASE_URL"`;
