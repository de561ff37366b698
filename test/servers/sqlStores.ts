// SPDX-License-Identifier: Apache-2.0
// Runs the same tests on SQLite and on PostgreSQL, where each suite has its own database.
import { Kysely, PostgresDialect, sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe } from 'vitest';
import type { Migration, SqlKind } from '../../src/adapters/sql/migrations/migration.ts';
import { openPostgresPool } from '../../src/adapters/sql/postgresPool.ts';
import { openPostgres, openSqlite, type Sql } from '../../src/adapters/sql/sql.ts';
import { sqliteDialect } from '../../src/adapters/sql/sqliteDialect.ts';
import { openSqliteFile } from '../../src/adapters/sql/sqliteFile.ts';
import { migrate } from '../../src/adapters/sql/sqlMigrate.ts';
import { migrations } from '../../src/adapters/sql/sqlMigrations.ts';
import { createDatabase, type PostgresDatabase } from './postgresDatabase.ts';

type DatabaseName = 'SQLite' | 'PostgreSQL';

/**
 * Calls `tests` once for each database, with the URL of the suite's PostgreSQL database, which exists once tests run.
 */
export function onEachDatabase(tests: (name: DatabaseName, postgresUrl: () => string) => void): void {
  let postgres: PostgresDatabase;
  beforeAll(async () => {
    postgres = await createDatabase();
  });
  afterAll(() => postgres.drop());
  describe.each(['SQLite', 'PostgreSQL'] as const)('%s', (name) => tests(name, () => postgres.url));
}

/**
 * Calls `tests` once for each database. `open` opens a store, which is closed after the tests; for PostgreSQL, all
 * stores of a suite share one database.
 * @param folder of the SQLite file, or `:memory:`
 */
export function onEachStoreIn(folder: string, tests: (open: () => Promise<Sql>, name: DatabaseName) => void): void {
  onEachDatabase((name, postgresUrl) => {
    const opened: Sql[] = [];
    afterAll(async () => {
      for (const one of opened) await one.close();
    });
    tests(async () => {
      const store = name === 'SQLite' ? await openSqlite(folder) : await openPostgres(postgresUrl());
      opened.push(store);
      return store;
    }, name);
  });
}

/** Calls `tests` once for each database, with SQLite in memory. */
export const onEachStore = (tests: (open: () => Promise<Sql>, name: DatabaseName) => void): void =>
  onEachStoreIn(':memory:', tests);

/**
 * Calls `tests` once for each database. Each test gets an empty database with the migrations that precede `next`;
 * `migrateOn` applies `next` and all later ones.
 */
export function beforeMigration(
  next: Migration,
  tests: (database: () => Kysely<unknown>, migrateOn: () => Promise<void>) => void,
): void {
  onEachDatabase((name, postgresUrl) => {
    const kind: SqlKind = name === 'SQLite' ? 'sqlite' : 'postgres';
    let db: Kysely<unknown>;
    const migrateTo = (count: number) => migrate(db, kind, migrations.slice(0, count));
    beforeEach(async () => {
      db = new Kysely({
        dialect:
          kind === 'sqlite'
            ? sqliteDialect(openSqliteFile(':memory:'), 'direct')
            : new PostgresDialect({
                pool: openPostgresPool(postgresUrl(), { connectMs: 5_000, statementMs: 0 }, () => {}),
              }),
      });
      if (kind === 'postgres') {
        await sql`drop schema public cascade`.execute(db);
        await sql`create schema public`.execute(db);
      }
      await migrateTo(migrations.indexOf(next));
    });
    afterEach(() => db.destroy());
    tests(
      () => db,
      () => migrateTo(migrations.length),
    );
  });
}
