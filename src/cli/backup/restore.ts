// SPDX-License-Identifier: Apache-2.0
// Copies a backup to an empty DATA_DIR. The files appear under their names when all of them are on disk, the database last, so that
// a restore that was killed is never mistaken for a complete one.

import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { inspectStore, type StoreState } from '../../adapters/sql/inspectStore.ts';
import { loadSqlite } from '../../adapters/sql/loadSqlite.ts';
import { KEY_FILE } from '../../adapters/sql/secrets/secretKey.ts';
import { DATABASE_FILE, type SqlSource } from '../../adapters/sql/sql.ts';
import { UNRELEASED, UNRELEASED_ADVICE } from '../../adapters/sql/sqlMigrate.ts';
import { syncPath } from '../../adapters/writeWhole.ts';
import { shellQuoted } from '../../ads/request/curlCommand.ts';
import { schema as current } from '../../database.ts';
import { describeError } from '../../errors.ts';
import { CommandError } from '../command.ts';
import { copySpools, copySynced, ifExists, namesOf } from './copyFiles.ts';

type RestoreTarget = SqlSource & { readonly SECRET_KEY?: string };

const DRAFT = '.restore-';
const DUMP_FILE = 'midroll.dump';
/** A file system may have its own entry. */
const IGNORED = 'lost+found';

/** @returns what was restored, and what remains to be done */
export async function restore(target: RestoreTarget, folder: string): Promise<string> {
  const source = resolve(folder);
  const dataDir = resolve(target.DATA_DIR);
  const usesSqlite = target.DATABASE_URL === undefined;
  const hasKey = await checkBackup(source, target);
  const state = usesSqlite ? await checkCopy(source) : await checkDatabase(target);
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  await expectEmpty(dataDir);

  const draft = join(dataDir, DRAFT + randomUUID().slice(0, 8));
  try {
    await mkdir(draft, { mode: 0o700 });
    const entries = await copySpools(source, draft);
    if (hasKey) await copySynced(join(source, KEY_FILE), join(draft, KEY_FILE));
    if (usesSqlite) await copySynced(join(source, DATABASE_FILE), join(draft, DATABASE_FILE));
    await publish(draft, dataDir);
    const restored = `Restored ${namesOf(usesSqlite, hasKey, entries)} to ${dataDir}.`;
    return [restored, ...nextSteps(source, state, usesSqlite)].join('\n');
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    throw error instanceof CommandError
      ? error
      : new CommandError(`Nothing was restored to ${dataDir}: ${describeError(error)}.`);
  }
}

async function publish(draft: string, dataDir: string): Promise<void> {
  await syncPath(draft);
  const names = (await readdir(draft)).sort((a, b) => Number(a === DATABASE_FILE) - Number(b === DATABASE_FILE));
  for (const name of names) await rename(join(draft, name), join(dataDir, name));
  await rm(draft, { recursive: true });
  await syncPath(dataDir);
}

/** @returns whether it contains the secret key */
async function checkBackup(source: string, { DATABASE_URL, SECRET_KEY }: RestoreTarget): Promise<boolean> {
  const contained = await readdir(source).catch((error: unknown) => {
    throw new CommandError(`FOLDER must be a folder with a backup; ${source}: ${describeError(error)}.`);
  });
  const expected = DATABASE_URL === undefined ? DATABASE_FILE : DUMP_FILE;
  if (!contained.includes(expected)) {
    const other = DATABASE_URL === undefined ? DUMP_FILE : DATABASE_FILE;
    const hint = contained.includes(other)
      ? DATABASE_URL === undefined
        ? ' It is a backup of PostgreSQL: set DATABASE_URL.'
        : ' It is a backup of SQLite: unset DATABASE_URL.'
      : '';
    throw new CommandError(`${source} does not contain ${expected}.${hint}`);
  }
  const hasKey = contained.includes(KEY_FILE);
  if (!hasKey && SECRET_KEY === undefined)
    throw new CommandError(
      `${source} does not contain ${KEY_FILE}. Set SECRET_KEY to the value that your servers had.`,
    );
  return hasKey;
}

async function checkCopy(source: string): Promise<StoreState> {
  const path = join(source, DATABASE_FILE);
  const { Driver } = await loadSqlite();
  try {
    const copy = new Driver(path, { readonly: true });
    const found = copy.pragma('quick_check', { simple: true });
    copy.close();
    if (found !== 'ok') throw new Error(String(found));
    return expectUsable(await inspectStore(current, { DATA_DIR: source }));
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw new CommandError(`${path} is damaged: ${describeError(error)}. Use another backup.`);
  }
}

function expectUsable(state: StoreState): StoreState {
  if (state.schema === 'unreleased')
    throw new CommandError(`The database of the backup ${UNRELEASED}. ${UNRELEASED_ADVICE}`);
  if (state.schema === 'newer')
    throw new CommandError(
      'The backup was made by a newer version of Midroll, which this version cannot use. Install it.',
    );
  return state;
}

/** The dump is restored by pg_restore, into a database without tables. */
async function checkDatabase(target: RestoreTarget): Promise<StoreState> {
  const state = await inspectStore(current, target);
  if (state.schema !== 'empty')
    throw new CommandError('The database of DATABASE_URL has tables of Midroll already. Create an empty database.');
  return state;
}

async function expectEmpty(dataDir: string): Promise<void> {
  const names = (await ifExists(readdir(dataDir))) ?? [];
  // What a restore that was killed has left. It is no data: its files have not been renamed.
  const drafts = names.filter((name) => name.startsWith(DRAFT));
  const others = names.filter((name) => name !== IGNORED && !drafts.includes(name));
  if (others.length > 0)
    throw new CommandError(
      `DATA_DIR must be empty; ${dataDir} contains ${others.slice(0, 5).join(', ')}. Stop all servers and move its content away.`,
    );
  for (const draft of drafts) {
    const { mtimeMs } = (await ifExists(stat(join(dataDir, draft)))) ?? { mtimeMs: 0 };
    if (Date.now() - mtimeMs < 600_000)
      throw new CommandError(`Another restore to ${dataDir} is running, or was killed: delete ${draft} if none is.`);
    await rm(join(dataDir, draft), { recursive: true, force: true });
  }
}

function nextSteps(source: string, { schema }: StoreState, usesSqlite: boolean): string[] {
  if (!usesSqlite)
    return [
      'Now restore the database, and then start Midroll:',
      `pg_restore --no-owner --dbname="$DATABASE_URL" ${shellQuoted(join(source, DUMP_FILE))}`,
    ];
  if (schema !== 'older') return ['Start Midroll.'];
  return [
    'It has the schema of an older version: the next start migrates it, or "midroll upgrade --dry-run" tries that.',
  ];
}
