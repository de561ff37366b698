// SPDX-License-Identifier: Apache-2.0
// What a schema consists of, and how its tables are written: as SQL that both databases read, except for what `dialect` has.
import { type Kysely, sql } from 'kysely';

export type SqlKind = 'sqlite' | 'postgres';

/** Runs inside an exclusive transaction. `kind` is for statements that differ between the databases. */
export type Migration = (db: Kysely<unknown>, kind: SqlKind) => Promise<void>;

/**
 * Migrations that remove or change what older versions use, by their numbers: versions that contain fewer migrations than the value
 * cannot use the schema.
 */
export type Contracts = Readonly<Record<number, number>>;

export type Schema = {
  /** In order; the first has number 1. */
  readonly migrations: readonly Migration[];
  readonly contracts: Contracts;
};

/** `seq` numbers insertions. `id` is a number for each row. `byBytes`: ordered by bytes, as texts are in JavaScript. */
export const dialect = {
  sqlite: {
    seq: 'seq integer primary key autoincrement',
    id: 'id integer primary key autoincrement',
    blob: 'blob',
    byBytes: '',
  },
  postgres: { seq: 'seq bigserial primary key', id: 'id serial primary key', blob: 'bytea', byBytes: 'collate "C"' },
} as const;

/** PostgreSQL rejects zero bytes in text, and lone surrogates. */
export const storable = (text: string): string => text.replace(/\0|\p{Surrogate}/gu, '\uFFFD');

export async function runAll(db: Kysely<unknown>, statements: readonly string[]): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
