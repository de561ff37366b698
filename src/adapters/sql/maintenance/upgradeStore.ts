// SPDX-License-Identifier: Apache-2.0
// Applies the pending migrations before the servers of a new version do, or tries them: in SQLite on a copy, in PostgreSQL in a
// transaction that is rolled back.
import { mkdtempSync, rmSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { loadSqlite } from '../loadSqlite.ts';
import type { Migration, Schema } from '../schema/schema.ts';
import { DATABASE_FILE, migratePostgres, migrateSqlite, type SqlSource } from '../sql.ts';
import { supportsOf } from '../sqlMigrate.ts';

type MigrationStep = { readonly number: number; readonly name: string; readonly ms: number };

type Upgrade = {
  readonly steps: readonly MigrationStep[];
  /** Versions that contain fewer migrations cannot use the schema afterwards. */
  readonly supports: number;
};

/** The disk has no space for the copy on which migrations are tried. */
class NoRoomForTrial extends Error {}

class Undo extends Error {}

/** `m020EndedSessions` → `ended sessions` */
const readable = (name: string): string =>
  name.replace(/^m\d+/, '').replace(/[A-Z]/g, (letter, at) => `${at === 0 ? '' : ' '}${letter.toLowerCase()}`);

/** The migrations, each of which adds itself to `steps` when it is done. */
const observed = (migrations: readonly Migration[], steps: MigrationStep[]): Migration[] =>
  migrations.map((apply, index) => async (db, kind) => {
    const from = performance.now();
    await apply(db, kind);
    steps.push({ number: index + 1, name: readable(apply.name), ms: performance.now() - from });
  });

/** @throws if a migration fails; the database is then as it was before */
export async function upgradeStore(schema: Schema, source: SqlSource, isTrial: boolean): Promise<Upgrade> {
  const { migrations, contracts } = schema;
  const steps: MigrationStep[] = [];
  const list = { migrations: observed(migrations, steps), contracts };
  if (source.DATABASE_URL === undefined) await upgradeSqlite(list, source.DATA_DIR, isTrial);
  else await upgradePostgres(list, source.DATABASE_URL, isTrial);
  return { steps, supports: supportsOf(migrations.length, contracts) };
}

async function upgradePostgres(schema: Schema, url: string, isTrial: boolean): Promise<void> {
  const end = () => {
    if (isTrial) throw new Undo();
  };
  await migratePostgres(schema, url, undefined, end).catch((error: unknown) => {
    if (!(error instanceof Undo)) throw error;
  });
}

async function upgradeSqlite(schema: Schema, dataDir: string, isTrial: boolean): Promise<void> {
  const { openSqliteFile } = await loadSqlite();
  const path = join(dataDir, DATABASE_FILE);
  if (!isTrial) {
    const file = openSqliteFile(path);
    await migrateSqlite(schema, file);
    return file.close();
  }
  const folder = await makeTrialFolder(dataDir);
  try {
    const copy = join(folder, DATABASE_FILE);
    const original = openSqliteFile(path);
    await original.copy(copy).finally(() => original.close());
    const file = openSqliteFile(copy);
    await migrateSqlite(schema, file);
    await file.close();
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** @throws {NoRoomForTrial} unless the disk has space for a copy, and for what migrations add to it */
async function makeTrialFolder(dataDir: string): Promise<string> {
  const { openSqliteFile } = await loadSqlite();
  const file = openSqliteFile(join(dataDir, DATABASE_FILE));
  const read = (pragma: string) => file.handle.pragma(pragma, { simple: true }) as number;
  const needed = 2 * read('page_count') * read('page_size');
  await file.close();
  const { bavail, bsize } = await statfs(dataDir);
  if (bavail * bsize < needed) {
    const mib = (bytes: number) => Math.ceil(bytes / 2 ** 20);
    throw new NoRoomForTrial(
      `The trial needs ${mib(needed)} MiB in ${dataDir} for a copy of the database; ${mib(bavail * bsize)} MiB are free`,
    );
  }
  return mkdtempSync(join(dataDir, '.upgrade-trial-'));
}
