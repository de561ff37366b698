// SPDX-License-Identifier: Apache-2.0
// Faults of real databases that cannot store data.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, describe, expect, test } from 'vitest';
import { createDatabase } from '../../../test/servers/postgresDatabase.ts';
import { openPostgres, openSqlite } from '../../database.ts';
import { systemTimers } from '../systemClock.ts';
import type { Sql } from './sql.ts';
import { openSqliteFile } from './sqliteFile.ts';
import { createFaultMemory } from './storageFault.ts';

const folder = mkdtempSync(join(tmpdir(), 'midroll-faults-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const unavailable = (text: RegExp) => ({ kind: 'UNAVAILABLE', status: 503, message: expect.stringMatching(text) });
const fact = (store: Sql, name: string, size = 10) =>
  store.db
    .insertInto('facts')
    .values({ name, value: 'x'.repeat(size) })
    .execute();
const raw = (store: Sql, text: string) => store.atomically([sql.raw(text)]);

describe('SQLite', () => {
  test('a full file rejects a large write with the reason, and reports the fault for a while', async () => {
    const store = await openSqlite(join(folder, 'full'));
    await store.probe();
    const pages = Number(store.sqlite!.pragma('page_count', { simple: true }));
    await raw(store, `pragma max_page_count = ${pages + 2}`);
    await expect(fact(store, 'large', 100_000)).rejects.toMatchObject(unavailable(/full/));
    // A small write succeeds, but the fault of the large one is still reported.
    await fact(store, 'small');
    await expect(store.probe()).rejects.toMatchObject(unavailable(/full/));
    await store.close();
  });

  test('a read-only file', async () => {
    const store = await openSqlite(join(folder, 'readonly'));
    await raw(store, 'pragma query_only = on');
    await expect(fact(store, 'one')).rejects.toMatchObject(unavailable(/read-only/));
    await expect(store.probe()).rejects.toMatchObject(unavailable(/read-only/));
    await store.close();
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
    const file = openSqliteFile(path, faults, systemTimers, new URL(`file://${script}`));
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
    await file.close();
  });

  test('an error of the caller is not a fault of the database', async () => {
    const store = await openSqlite(':memory:');
    await fact(store, 'once');
    await expect(fact(store, 'once')).rejects.toMatchObject({ code: 'SQLITE_CONSTRAINT_PRIMARYKEY' });
    await store.probe();
    await store.close();
  });
});

describe('PostgreSQL', () => {
  test.each([
    ['read-only', 'set default_transaction_read_only = on', /read-only/],
    ['out of disk space', `create trigger t before insert on facts execute function refuse('53100')`, /full/],
    ['out of memory', `create trigger t before insert on facts execute function refuse('53200')`, /memory/],
  ])('a server that is %s', async (_, cause, text) => {
    const database = await createDatabase();
    const store = await openPostgres(database.url);
    await raw(
      store,
      `create function refuse() returns trigger language plpgsql as
        $$ begin raise exception 'rejected' using errcode = tg_argv[0]; end $$`,
    );
    await raw(store, cause);
    await expect(fact(store, 'one')).rejects.toMatchObject(unavailable(text));
    await expect(store.probe()).rejects.toMatchObject(unavailable(text));
    await store.close();
    await database.drop();
  });
});
