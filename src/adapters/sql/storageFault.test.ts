// SPDX-License-Identifier: Apache-2.0
// Faults of real databases that cannot store data.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openedInTest, scratchFolder } from '../../../test/opened.ts';
import { type FreezingProxy, startFreezingProxy } from '../../../test/servers/freezingProxy.ts';
import { createDatabase, type PostgresDatabase } from '../../../test/servers/postgresDatabase.ts';
import { openPostgres, openSqlite } from '../../database.ts';
import { systemTimers } from '../systemClock.ts';
import type { Sql } from './sql.ts';
import { openSqliteFile } from './sqliteFile.ts';
import { createFaultMemory } from './storageFault.ts';

const folder = scratchFolder();

const unavailable = (text: RegExp) => ({ kind: 'UNAVAILABLE', status: 503, message: expect.stringMatching(text) });
const fact = (store: Sql, name: string, size = 10) =>
  store.db
    .insertInto('facts')
    .values({ name, value: 'x'.repeat(size) })
    .execute();
const raw = (store: Sql, text: string) => store.atomically([sql.raw(text)]);

describe('SQLite', () => {
  test('a full file rejects a large write with the reason, and reports the fault for a while', async () => {
    const store = await openedInTest(openSqlite(join(folder, 'full')));
    await store.probe();
    const pages = Number(store.sqlite!.pragma('page_count', { simple: true }));
    await raw(store, `pragma max_page_count = ${pages + 2}`);
    await expect(fact(store, 'large', 100_000)).rejects.toMatchObject(unavailable(/full/));
    // A small write succeeds, but the fault of the large one is still reported.
    await fact(store, 'small');
    await expect(store.probe()).rejects.toMatchObject(unavailable(/full/));
  });

  test('a read-only file', async () => {
    const store = await openedInTest(openSqlite(join(folder, 'readonly')));
    await raw(store, 'pragma query_only = on');
    await expect(fact(store, 'one')).rejects.toMatchObject(unavailable(/read-only/));
    await expect(store.probe()).rejects.toMatchObject(unavailable(/read-only/));
  });

  test('a writer thread that has ended is replaced; until then, writes fail and reads succeed', async () => {
    const path = join(folder, 'ended.db');
    const [flag, script] = [join(folder, 'flag'), join(folder, 'writer.mjs')];
    const real = new URL('./sqlite/sqliteWriter.mjs', import.meta.url).href;
    writeFileSync(
      script,
      `import { existsSync, writeFileSync } from 'node:fs';
       import { parentPort } from 'node:worker_threads';
       if (existsSync('${flag}')) await import('${real}');
       else parentPort.once('message', () => { writeFileSync('${flag}', ''); process.exit(1); });`,
    );
    const faults = createFaultMemory();
    const file = await openedInTest(openSqliteFile(path, faults, systemTimers, new URL(`file://${script}`)));
    const create = [{ sql: 'create table if not exists t (a)', parameters: [] }];
    await expect(file.write(create)).rejects.toMatchObject(unavailable(/thread/));
    await expect(file.write(create)).rejects.toMatchObject(unavailable(/thread/));
    expect(file.run({ sql: 'select 1 as one', parameters: [] }).rows).toEqual([{ one: 1 }]);
    await expect
      .poll(
        () =>
          file.write(create).then(
            () => 'written',
            () => 'failed',
          ),
        { timeout: 20_000 },
      )
      .toBe('written');
    expect(faults.recent()).toBeUndefined();
  });

  test('an error of the caller is not a fault of the database', async () => {
    const store = await openedInTest(openSqlite(':memory:'));
    await fact(store, 'once');
    await expect(fact(store, 'once')).rejects.toMatchObject({ code: 'SQLITE_CONSTRAINT_PRIMARYKEY' });
    await store.probe();
  });
});

describe('PostgreSQL', () => {
  test.each([
    ['read-only', 'set default_transaction_read_only = on', /read-only/],
    ['out of disk space', `create trigger t before insert on facts execute function refuse('53100')`, /full/],
    ['out of memory', `create trigger t before insert on facts execute function refuse('53200')`, /memory/],
  ])('a server that is %s', async (_, cause, text) => {
    const database = await openedInTest(createDatabase());
    const store = await openedInTest(openPostgres(database.url));
    await raw(
      store,
      `create function refuse() returns trigger language plpgsql as
        $$ begin raise exception 'rejected' using errcode = tg_argv[0]; end $$`,
    );
    await raw(store, cause);
    await expect(fact(store, 'one')).rejects.toMatchObject(unavailable(text));
    await expect(store.probe()).rejects.toMatchObject(unavailable(text));
  });
});

describe('a PostgreSQL server behind a proxy that stops forwarding data', () => {
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
    const store = await openedInTest(openPostgres(url, { connectMs: 1_000, statementMs: 500 }));
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
  });

  test('a statement that takes too long is ended by the server, and its connection stays open', async () => {
    const store = await openedInTest(openPostgres(url, { connectMs: 60_000, statementMs: 500 }));
    const backend = async () =>
      (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(store.db)).rows[0]?.pid;
    const before = await backend();
    expect(await outcomes([sql`select pg_sleep(60)`.execute(store.db)])).toEqual(['UNAVAILABLE']);
    expect(await backend()).toBe(before);
  });
});
