// SPDX-License-Identifier: Apache-2.0
import { chmod, stat } from 'node:fs/promises';
import type { Database } from 'better-sqlite3';
import { loadSqlite } from '../../adapters/sql/loadSqlite.ts';
import { CommandError } from '../commandError.ts';
import { syncPath } from './copyFiles.ts';

/**
 * What belongs to sessions is left out: after a restore, their manifests would contradict what viewers have seen meanwhile
 * (laws 1 and 3). Players get a 404 and open new sessions. The timelines of live channels are read from their origins again.
 */
export const SESSION_TABLES: readonly string[] = [
  ...['live_entries', 'sessions', 'presentations', 'decisions', 'breaks', 'claims', 'confirmations'],
];
const PROGRESS_MS = 2000;
const MIB = 2 ** 20;

/**
 * Copies one state of a SQLite database, which servers can read and write meanwhile, without its sessions.
 * @param note called with the progress
 */
export async function copyDatabase(from: string, to: string, note: (text: string) => void): Promise<void> {
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
