// SPDX-License-Identifier: Apache-2.0
// Runs the same tests on SQLite and on PostgreSQL, where each suite has its own database.
import { afterAll, describe } from 'vitest';
import type { Sql } from '../../src/adapters/sql/sql.ts';
import { openPostgres, openSqlite } from '../../src/database.ts';
import { opened, scratchFolder } from '../opened.ts';
import { createDatabase } from './postgresDatabase.ts';

type DatabaseName = 'SQLite' | 'PostgreSQL';

/** Calls `tests` once for each database, with the URL of the suite's PostgreSQL database. */
export function onEachDatabase(tests: (name: DatabaseName, postgresUrl: () => string) => void | Promise<void>): void {
  describe.each(['SQLite', 'PostgreSQL'] as const)('%s', async (name) => {
    const { url } = await opened(createDatabase());
    await tests(name, () => url);
  });
}

/**
 * Calls `tests` once for each database. `open` opens a store, which is closed after the tests; for PostgreSQL, all
 * stores of a suite share one database.
 * @param folder of the SQLite file, or `:memory:`
 */
export function onEachStoreIn(
  folder: string,
  tests: (open: () => Promise<Sql>, name: DatabaseName) => void | Promise<void>,
): void {
  onEachDatabase((name, postgresUrl) => {
    const stores: Sql[] = [];
    afterAll(async () => {
      for (const store of stores) await store.close();
    });
    return tests(async () => {
      const store = name === 'SQLite' ? await openSqlite(folder) : await openPostgres(postgresUrl());
      stores.push(store);
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
  const folder = where === 'file' ? scratchFolder() : ':memory:';
  onEachStoreIn(folder, async (open, name) => tests(await open(), { name, open }));
}
