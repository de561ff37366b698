// SPDX-License-Identifier: Apache-2.0
// Applies the migrations that a database does not have yet. The caller holds a lock, so of several processes that start
// at once, one migrates and the others wait.
import { type Kysely, sql } from 'kysely';
import type { Migration, SqlKind } from './migrations/migration.ts';
import { migrations } from './sqlMigrations.ts';

/** The database has migrations that this version does not know. */
export class NewerStore extends Error {
  readonly code = 'NEWER_STORE';
}

/**
 * Call inside a transaction that excludes all other migrations.
 * @throws {NewerStore}; or, if a migration fails, an error with its number and the cause
 */
export async function migrate(
  db: Kysely<unknown>,
  kind: SqlKind,
  list: readonly Migration[] = migrations,
): Promise<void> {
  await sql`create table if not exists migrations (number integer primary key, at text not null)`.execute(db);
  const { rows } = await sql<{ last: number | null }>`select max(number) as last from migrations`.execute(db);
  const done = rows[0]?.last ?? 0;
  if (done > list.length)
    throw new NewerStore(
      `The database was migrated by a newer version of Midroll: it has migration ${done}; this version supports up to ${list.length}. Start the newer version.`,
    );
  for (let number = done + 1; number <= list.length; number += 1) {
    try {
      await list[number - 1]!(db, kind);
    } catch (cause) {
      throw new Error(
        `Migration ${number} of the database failed, and the database was left at migration ${done}. Remove the cause, or start the previous version`,
        { cause },
      );
    }
    await sql`insert into migrations (number, at) values (${number}, ${new Date().toISOString()})`.execute(db);
  }
}
