// SPDX-License-Identifier: Apache-2.0
// Applies the migrations that a database does not have yet. The caller holds a lock, so of several processes that start
// at once, one migrates and the others wait. A newer schema is used as it is if it supports this version.
import { type Kysely, sql } from 'kysely';
import type { Migration, SqlKind } from './migrations/migration.ts';
import { type Contracts, readSupport, supportQuery, writeSupport } from './migrations/schemaSupport.ts';
import { contracts, migrations } from './sqlMigrations.ts';

/** The database has migrations that this version does not contain, and cannot use. */
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
  declared: Contracts = contracts,
): Promise<void> {
  await sql`create table if not exists migrations (number integer primary key, at text not null)`.execute(db);
  const { rows } = await sql<{ last: number | null }>`select max(number) as last from migrations`.execute(db);
  const done = rows[0]?.last ?? 0;
  if (done > list.length) return expectSupport(db, done, list.length);
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
  if (list.length > done) await writeSupport(db, list.length, declared);
}

/** @param own how many migrations this version contains */
async function expectSupport(db: Kysely<unknown>, schema: number, own: number): Promise<void> {
  const { rows } = await sql<{ value: string }>`${sql.raw(supportQuery)}`.execute(db);
  const supports = readSupport(schema, rows[0]?.value);
  if (own >= supports) return;
  throw new NewerStore(
    `The database was migrated by a newer version of Midroll: it has migration ${schema}, and supports versions with at least ${supports} migrations; this version has ${own}. Start the newer version.`,
  );
}
