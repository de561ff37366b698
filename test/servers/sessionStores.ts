// SPDX-License-Identifier: Apache-2.0
// Runs the same tests on every session store: SQLite, PostgreSQL, and Redis beside an SQLite database.
import { randomUUID } from 'node:crypto';
import { afterAll, describe, inject } from 'vitest';
import { openRedisStore } from '../../src/adapters/redis/redisStore.ts';
import type { Sql } from '../../src/adapters/sql/sql.ts';
import { redisSessionStores, type SessionStores, sqlSessionStores } from '../../src/composition/openSessionStores.ts';
import { openSqlite } from '../../src/database.ts';
import { onEachStoreIn } from './sqlStores.ts';

export type OpenedStores = SessionStores & { readonly sql: Sql; readonly keepsInSql: boolean };

/** Opens stores on Redis; those of one installation share their data. */
export async function openRedisStores(
  url: string,
  installation: string,
  sql: Sql,
  keepsTraces = false,
): Promise<OpenedStores> {
  const stores = redisSessionStores(await openRedisStore(url, installation), sql, keepsTraces);
  return { ...stores, sql, keepsInSql: false };
}

/**
 * Calls `tests` once for each kind of store. The stores of a suite, and all that `open` returns in it, share their data.
 * @param folder of the SQLite file
 * @param keepsTraces whether what is removed is set aside for the history
 */
export function onEachSessionStore(
  folder: string,
  tests: (stores: OpenedStores, open: () => Promise<OpenedStores>) => void,
  keepsTraces = false,
): void {
  onEachStoreIn(folder, async (openSql) => {
    const open = async () => {
      const sql = await openSql();
      return { ...sqlSessionStores(sql, keepsTraces), sql, keepsInSql: true };
    };
    tests(await open(), open);
  });
  describe('Redis', async () => {
    const installation = randomUUID();
    const all: OpenedStores[] = [];
    afterAll(async () => {
      for (const { close, sql } of all) {
        await close();
        await sql.close();
      }
    });
    const open = async () => {
      const stores = await openRedisStores(inject('redisUrl'), installation, await openSqlite(folder), keepsTraces);
      all.push(stores);
      return stores;
    };
    tests(await open(), open);
  });
}
