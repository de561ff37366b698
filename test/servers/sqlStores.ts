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

/** Calls `tests` once for each database, with SQLite in memory: there, each store is a database of its own. */
export const onEachStore = (tests: (open: () => Promise<Sql>, name: DatabaseName) => void): void =>
  onEachStoreIn(':memory:', tests);

/** Calls `tests` once for each database, with SQLite in a file that all stores share. */
export function onEachSharedStore(tests: (open: () => Promise<Sql>, name: DatabaseName) => void): void {
  const folder = mkdtempSync(join(tmpdir(), 'midroll-stores-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  onEachStoreIn(folder, tests);
}
