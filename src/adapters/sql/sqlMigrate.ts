// SPDX-License-Identifier: Apache-2.0
// Applies the migrations that a database does not have yet. The caller holds a lock, so of several processes that start
// at once, one migrates and the others wait. A newer schema is used as it is if it supports this version. A version is identified
// by the number of migrations that it contains. During an upgrade, nodes of two versions use one database, so migrations only add to
// the schema, unless they are declared as contracts.
import { type Kysely, sql } from 'kysely';
import type { Contracts, Schema, SqlKind } from './schema/schema.ts';

/** The database has migrations that this version does not contain, and cannot use. */
class NewerStore extends Error {
  readonly code = 'NEWER_STORE';
}

/** What a database is that has migrations, but does not state in the row `FACT` what it supports. */
export const UNRELEASED = 'has the schema of a build from before the first release, which no version can use';
export const UNRELEASED_ADVICE =
  'Read its records with that build, and create them in an empty database: docs/upgrading.md.';

/** The row of `facts` with `{number, supports}`: which migration was the last one, and which versions can use the schema. */
const FACT = 'versions';

/** The statement that reads the row. */
export const supportQuery = `select value from facts where name = '${FACT}'`;

/** @returns how many migrations a version must contain to use a schema */
export function supportsOf(schema: number, contracts: Contracts): number {
  const applied = Object.entries(contracts).filter(([number]) => Number(number) <= schema);
  return Math.min(schema, Math.max(1, ...applied.map(([, supports]) => supports)));
}

/**
 * @param last the last migration of the database
 * @param value the row
 * @returns how many migrations a version must contain to use the schema. Without a row for it, only its own version can
 */
export function readSupport(last: number, value: string): number {
  const { number, supports } = JSON.parse(value) as { number?: number; supports?: number };
  return number === last && supports !== undefined ? supports : last;
}

/**
 * Call inside a transaction that excludes all other migrations.
 * @throws {NewerStore}; or, if a migration fails, an error with its number and the cause
 */
export async function migrate(db: Kysely<unknown>, kind: SqlKind, { migrations, contracts }: Schema): Promise<void> {
  await sql`create table if not exists migrations (number integer primary key, at text not null)`.execute(db);
  await sql`create table if not exists facts (name text primary key, value text not null)`.execute(db);
  const { rows } = await sql<{ last: number | null }>`select max(number) as last from migrations`.execute(db);
  const done = rows[0]?.last ?? 0;
  if (done > 0) await expectSupport(db, done, migrations.length);
  for (const [index, apply] of migrations.entries()) {
    const number = index + 1;
    if (number <= done) continue;
    try {
      await apply(db, kind);
    } catch (cause) {
      throw new Error(
        `Migration ${number} of the database failed, and the database was left at migration ${done}. Remove the cause, or start the previous version`,
        { cause },
      );
    }
    await sql`insert into migrations (number, at) values (${number}, ${new Date().toISOString()})`.execute(db);
  }
  if (migrations.length > done) await writeSupport(db, migrations.length, contracts);
}

/** @param own how many migrations this version contains */
async function expectSupport(db: Kysely<unknown>, last: number, own: number): Promise<void> {
  const { rows } = await sql<{ value: string }>`${sql.raw(supportQuery)}`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error(`The database ${UNRELEASED}. ${UNRELEASED_ADVICE}`);
  const supports = readSupport(last, row.value);
  if (own >= last || own >= supports) return;
  throw new NewerStore(
    `The database was migrated by a newer version of Midroll: it has migration ${last}, and supports versions with at least ${supports} migrations; this version has ${own}. Start the newer version.`,
  );
}

async function writeSupport(db: Kysely<unknown>, number: number, contracts: Contracts): Promise<void> {
  const value = JSON.stringify({ number, supports: supportsOf(number, contracts) });
  await sql`insert into facts (name, value) values (${FACT}, ${value})
    on conflict (name) do update set value = excluded.value`.execute(db);
}
