// SPDX-License-Identifier: Apache-2.0
// Runs the same tests on SQLite and on PostgreSQL, where each suite has its own database.
import { afterAll, describe } from 'vitest';
import type { Sql } from '../../src/adapters/sql/sql.ts';
import { openPostgres, openSqlite } from '../../src/database.ts';
import { opened, scratchFolder } from '../opened.ts';
import { createDatabase } from './postgresDatabase.ts';

type DatabaseName = 'SQLite' | 'PostgreSQL';

/** Calls `tests` once for each database. @param tests `postgresUrl` is undefined for SQLite */
export function onEachDatabase(
  tests: (postgresUrl: string | undefined, name: DatabaseName) => void | Promise<void>,
): void {
  describe.each(['SQLite', 'PostgreSQL'] as const)('%s', async (name) => {
    await tests(name === 'PostgreSQL' ? (await opened(createDatabase())).url : undefined, name);
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
  onEachDatabase((postgresUrl, name) => {
    const stores: Sql[] = [];
    afterAll(async () => {
      for (const store of stores) await store.close();
    });
    return tests(async () => {
      const store = await (postgresUrl === undefined ? openSqlite(folder) : openPostgres(postgresUrl));
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
