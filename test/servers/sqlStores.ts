// SPDX-License-Identifier: Apache-2.0
// Runs the same tests on SQLite and on PostgreSQL, where each suite has its own database.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe } from 'vitest';
import type { Sql } from '../../src/adapters/sql/sql.ts';
import { openPostgres, openSqlite } from '../../src/database.ts';
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

type OpenStores = { readonly name: DatabaseName; readonly open: () => Promise<Sql> };

/**
 * Calls `tests` once for each database, with an open store. `open` opens further ones. All are closed after the tests.
 * @param where SQLite in memory, where each store is a database of its own, or in a file that the stores share
 */
export function onEachOpenStore(tests: (sql: Sql, stores: OpenStores) => void, where: 'memory' | 'file' = 'memory') {
  describe.each(['SQLite', 'PostgreSQL'] as const)('%s', async (name) => {
    const postgres = name === 'PostgreSQL' ? await createDatabase() : undefined;
    const folder = where === 'file' ? mkdtempSync(join(tmpdir(), 'midroll-stores-')) : ':memory:';
    const opened: Sql[] = [];
    const open = async () => {
      const store = await (postgres === undefined ? openSqlite(folder) : openPostgres(postgres.url));
      opened.push(store);
      return store;
    };
    afterAll(async () => {
      for (const one of opened) await one.close();
      await postgres?.drop();
      if (where === 'file') rmSync(folder, { recursive: true, force: true });
    });
    tests(await open(), { name, open });
  });
}
