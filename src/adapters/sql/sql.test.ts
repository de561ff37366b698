// SPDX-License-Identifier: Apache-2.0
// Opens, migrates and writes databases: several processes at once, groups of writes, databases of a newer version.

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { naming } from '../../../test/naming.ts';
import { scratchFolder } from '../../../test/opened.ts';
import { bundleProgram } from '../../../test/servers/bundled.ts';
import { onEachDatabase } from '../../../test/servers/sqlStores.ts';
import { openSql, schema } from '../../database.ts';
import { withoutUndefined } from '../../invariant.ts';
import { systemTimers } from '../systemClock.ts';
import type { Migration } from './schema/schema.ts';
import { openSqlStore } from './sql.ts';
import { settleInTurns } from './sqlite/startSqliteWriter.ts';
import { openSqliteFile, type SqliteFile, shrinkSqliteFile } from './sqliteFile.ts';
import { countOf } from './sqlRecords.ts';
import { createFaultMemory } from './storageFault.ts';

const folder = scratchFolder();

onEachDatabase((postgresUrl, name) => {
  const source = () => ({
    DATA_DIR: join(folder, name),
    ...withoutUndefined({ DATABASE_URL: postgresUrl }),
  });

  test('processes that start at once migrate the database once and write concurrently', async () => {
    const program = join(folder, 'writer.mjs');
    const module = join(import.meta.dirname, '../../database.ts');
    writeFileSync(
      program,
      `import { openSql } from ${JSON.stringify(module)};
       const store = await openSql(${JSON.stringify(source())});
       const insert = (n) => store.db.insertInto('facts').values({ name: process.pid + '-' + n, value: 'x' }).execute();
       await Promise.all(Array.from({ length: 30 }, (_, n) => insert(n)));
       await store.close();`,
    );
    const bundled = bundleProgram(program);
    onTestFinished(bundled.remove);
    const programs = Array.from({ length: 3 }, () => fork(bundled.file));
    const codes = await Promise.all(programs.map(async (one) => (await once(one, 'exit'))[0]));
    expect(codes).toEqual([0, 0, 0]);
    const store = await openSql(source());
    expect(await countOf(store.db.selectFrom('facts').where('value', '=', 'x'))).toBe(90);
    await store.close();
  });

  test('a database of a newer version is left unchanged', async () => {
    const store = await openSql(source());
    const next = schema.migrations.length + 1;
    await sql`insert into migrations (number, at) values (${next}, 'later')`.execute(store.db);
    await expect(openSql(source())).rejects.toMatchObject({
      code: 'NEWER_STORE',
      message: naming(next, schema.migrations.length),
    });
    await sql`delete from migrations where number = ${next}`.execute(store.db);
    await store.close();
    await (await openSql(source())).close();
  });

  test('a migration that fails leaves the database unchanged and is named', async () => {
    const store = await openSql(source());
    const last = schema.migrations.length;
    const fails: Migration = async (db) => {
      await db.schema.createTable('later').addColumn('id', 'text').execute();
      throw new Error('no');
    };
    const next = { ...schema, migrations: [...schema.migrations, fails] };
    await expect(openSqlStore(next, source(), {})).rejects.toMatchObject({
      message: naming(last + 1, last),
      cause: expect.any(Error),
    });
    const { rows } = await sql<{ last: number }>`select max(number) as last from migrations`.execute(store.db);
    expect(rows).toEqual([{ last }]);
    await expect(sql`select * from later`.execute(store.db)).rejects.toThrow();
    await store.close();
    await (await openSql(source())).close();
  });
});

test('a batch that fails does not affect the other batches of its group', async () => {
  const file = openSqliteFile(join(folder, 'groups.db'));
  file.handle.exec('create table t (id integer primary key)');
  const add = (...ids: unknown[]) =>
    file.write(ids.map((id) => ({ sql: 'insert into t values (?) returning id', parameters: [id] })));
  const outcomes = await Promise.allSettled([add(1), add(2, 1), add(3), add('not a number'), add(4, 5)]);
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'rejected', 'fulfilled']);
  expect(outcomes[1]).toMatchObject({ reason: { code: 'SQLITE_CONSTRAINT_PRIMARYKEY' } });
  expect(await add(6)).toEqual([{ rows: [{ id: 6 }], changes: 0 }]);
  expect(file.run({ sql: 'select id from t', parameters: [] }).rows).toEqual([1, 3, 4, 5, 6].map((id) => ({ id })));
  const closing = [add(7), file.close()];
  await Promise.all(closing);
  await expect(add(8)).rejects.toMatchObject({ kind: 'UNAVAILABLE', cause: { code: 'WRITER_ENDED' } });
});

/** What is to be done later stays in `due`. */
function heldTimer() {
  const due: (() => void)[] = [];
  const after = (_: number, work: () => void) => {
    due.push(work);
    return { cancel: () => {} };
  };
  return { due, after };
}

test('writes that may wait are gathered, and sent with the next write that may not', async () => {
  let now = 0;
  const { due, after } = heldTimer();
  const timers = { ...systemTimers, elapsed: () => now, after };
  const file = openSqliteFile(join(folder, 'gathered.db'), createFaultMemory(), timers);
  file.handle.exec('create table t (id integer primary key)');
  const add = (id: number, mayWaitMs?: number) =>
    file.write([{ sql: 'insert into t values (?)', parameters: [id] }], mayWaitMs);
  const ids = () => file.run({ sql: 'select id from t', parameters: [] }).rows.map((row) => (row as { id: number }).id);
  await add(1, 30);
  const gathered = [add(2, 90), add(3, 30)];
  for (let turns = 0; turns < 50; turns += 1) await nextTurn();
  expect(ids()).toEqual([1]);
  now = 100;
  for (const work of due.splice(0)) work();
  await Promise.all(gathered);
  const later = add(4, 30);
  await add(5);
  expect(ids()).toEqual([1, 2, 3, 4, 5]);
  await later;
  const last = add(6, 30);
  await Promise.all([last, file.close()]);
});

const callersOf = (mayWait: readonly boolean[]) => {
  const settled: number[] = [];
  return { settled, callers: mayWait.map((may, index) => ({ mayWait: may, settle: () => void settled.push(index) })) };
};

test('callers that may wait continue by the timer, the others in the next turns', async () => {
  const { due, after } = heldTimer();
  const { settled, callers } = callersOf([true, false, true, false, true, false, true, true]);
  settleInTurns(callers, { ...systemTimers, after });
  expect(settled).toEqual([1, 3, 0, 2]);
  await nextTurn();
  expect(settled).toEqual([1, 3, 0, 2, 5]);
  while (due.length > 0) due.shift()!();
  expect(settled).toEqual([1, 3, 0, 2, 5, 4, 6, 7]);
});

test('without timers, all continue in their order', async () => {
  const { settled, callers } = callersOf([true, false, true, false, true]);
  settleInTurns(callers, undefined);
  while (settled.length < callers.length) await nextTurn();
  expect(settled).toEqual([0, 1, 2, 3, 4]);
});

test('an SQLite file that cannot be opened is named', async () => {
  const path = join(folder, 'damaged/midroll.db');
  mkdirSync(dirname(path));
  writeFileSync(path, 'This is not a database. '.repeat(100));
  await expect(openSql({ DATA_DIR: dirname(path) })).rejects.toThrow(path);
});

const ROWS = 6000;
const insert = (from: number, count: number) => ({
  sql: `with recursive n(i) as (select ? union all select i + 1 from n where i + 1 < ?)
    insert into rows select i, 'name ' || i, hex(zeroblob(3000)) from n`,
  parameters: [from, from + count],
});
const one = (file: SqliteFile, sql: string) => Object.values(file.run({ sql, parameters: [] }).rows[0] as object)[0];

/** A file from which most rows were removed. */
async function openSparse(path: string): Promise<SqliteFile> {
  const file = openSqliteFile(path);
  onTestFinished(() => file.close());
  const create = 'create table rows (id integer primary key, name text unique, body text)';
  await file.write([{ sql: create, parameters: [] }, insert(0, ROWS)]);
  await file.write([{ sql: 'delete from rows where id % 50 <> 0', parameters: [] }]);
  return file;
}

test('a file shrinks after its rows are deleted, and keeps a reserve and the remaining rows', async () => {
  const path = join(folder, 'shrinking.db');
  const megabytes = (of = path) => statSync(of).size / 2 ** 20;
  const reserved = { bytes: 2 ** 20, share: 0.05 };
  const file = await openSparse(path);
  const before = megabytes();
  await shrinkSqliteFile(file, reserved);
  expect([before > 30, megabytes() < 10]).toEqual([true, true]);
  expect(one(file, 'select count(*) from rows')).toBe(ROWS / 50);
  expect(one(file, 'pragma integrity_check')).toBe('ok');
  const free = one(file, 'pragma freelist_count') as number;
  expect(free * 4096).toBeGreaterThan(reserved.bytes / 2);
  expect(free * 4096).toBeLessThanOrEqual(reserved.bytes);
  // The write-ahead log, which held all rows at once, is truncated too.
  expect(megabytes(`${path}-wal`)).toBeLessThanOrEqual(16.1);
  const kept = megabytes();
  await shrinkSqliteFile(file, reserved);
  expect(megabytes()).toBe(kept);
});

test('a file shrinks while another connection has it open and writes', async () => {
  const path = join(folder, 'shared.db');
  const file = await openSparse(path);
  const other = openSqliteFile(path);
  onTestFinished(() => other.close());
  await Promise.all([file.write([insert(ROWS, ROWS)]), other.write([insert(2 * ROWS, ROWS)])]);
  await other.write([{ sql: 'delete from rows where id % 50 <> 0', parameters: [] }]);
  const before = statSync(path).size;
  await shrinkSqliteFile(file, { bytes: 2 ** 20, share: 0.05 });
  expect(statSync(path).size).toBeLessThan(before / 3);
  expect(one(other, 'select count(*) from rows')).toBe((3 * ROWS) / 50);
  for (const each of [file, other]) expect(one(each, 'pragma integrity_check')).toBe('ok');
});

test('a write waits for one slice, not for all of them', async () => {
  const file = await openSparse(join(folder, 'slices.db'));
  let isShrunk = false;
  const shrinking = shrinkSqliteFile(file, { bytes: 2 ** 20, share: 0.05 }).then(() => {
    isShrunk = true;
  });
  for (let count = 0; count < 5; count += 1) {
    await file.write([insert(ROWS + count, 1)]);
    expect(isShrunk).toBe(false);
  }
  await shrinking;
  expect(one(file, 'select count(*) from rows')).toBe(ROWS / 50 + 5);
});
