// SPDX-License-Identifier: Apache-2.0
// Outages of a PostgreSQL server, simulated by a proxy that stops forwarding data.
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type FreezingProxy, startFreezingProxy } from '../../../test/servers/freezingProxy.ts';
import { createDatabase, type PostgresDatabase } from '../../../test/servers/postgresDatabase.ts';
import { openPostgres } from '../../database.ts';
import type { Sql } from './sql.ts';

let database: PostgresDatabase;
let proxy: FreezingProxy;
let url: string;
beforeAll(async () => {
  database = await createDatabase();
  const direct = new URL(database.url);
  proxy = await startFreezingProxy({ host: direct.hostname, port: Number(direct.port) });
  direct.host = `127.0.0.1:${proxy.port}`;
  url = direct.href;
});
afterAll(async () => {
  await proxy.close();
  await database.drop();
});

const ping = (store: Sql) => sql`select 1`.execute(store.db);
const outcomes = async (work: readonly Promise<unknown>[]) =>
  (await Promise.allSettled(work)).map((one) => (one.status === 'fulfilled' ? 'ok' : one.reason.kind));

test('connections that hang are closed, and the pool works again after the outage', async () => {
  const store = await openPostgres(url, { connectMs: 1_000, statementMs: 500 });
  const insert = (name: string) => store.db.insertInto('facts').values({ name, value: '' });
  await Promise.all(Array.from({ length: 10 }, () => ping(store)));
  proxy.freeze();
  const stuck = Array.from({ length: 10 }, (_, index) =>
    index % 2 === 0 ? ping(store) : store.atomically([insert(`lost-${index}`), insert(`lost too-${index}`)]),
  );
  expect(await outcomes([...stuck, ping(store)])).toEqual(Array(11).fill('UNAVAILABLE'));
  proxy.thaw();
  const healthy = { timeout: 60_000 };
  await expect
    .poll(() => outcomes(Array.from({ length: 10 }, () => ping(store))), healthy)
    .toEqual(Array(10).fill('ok'));
  await expect.poll(() => outcomes([store.atomically([insert('kept')])]), healthy).toEqual(['ok']);
  // An interrupted transaction is never stored in part.
  const ours = store.db.selectFrom('facts').select('name').where('value', '=', '');
  await expect.poll(async () => (await ours.execute()).length % 2).toBe(1);
  await store.close();
});

test('a statement that takes too long is ended by the server, and its connection stays open', async () => {
  const store = await openPostgres(url, { connectMs: 60_000, statementMs: 500 });
  const backend = async () =>
    (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(store.db)).rows[0]?.pid;
  const before = await backend();
  expect(await outcomes([sql`select pg_sleep(60)`.execute(store.db)])).toEqual(['UNAVAILABLE']);
  expect(await backend()).toBe(before);
  await store.close();
});
