// SPDX-License-Identifier: Apache-2.0
// The database file on disk shrinks after its rows are deleted, in slices between writes.
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { openSqliteFile, type SqliteFile } from './sqliteFile.ts';
import { createSqliteShrinker } from './sqliteShrinker.ts';

const TABLE = 'create table rows (id integer primary key, name text unique, body text)';
const ROWS = 6000;
const limits = { maxRebuiltBytes: 2 ** 30, reservedBytes: 2 ** 20, reservedShare: 0.05 };
let path: string;
beforeEach(() => {
  const folder = mkdtempSync(join(tmpdir(), 'midroll-shrink-'));
  path = join(folder, 'midroll.db');
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
});

const megabytes = (of = path) => statSync(of).size / 2 ** 20;
const insert = (from: number, count: number) => ({
  sql: `with recursive n(i) as (select ? union all select i + 1 from n where i + 1 < ?)
    insert into rows select i, 'name ' || i, hex(zeroblob(3000)) from n`,
  parameters: [from, from + count],
});
const removal = { sql: 'delete from rows where id % 50 <> 0', parameters: [] };
const one = (file: SqliteFile, sql: string) => Object.values(file.run({ sql, parameters: [] }).rows[0] as object)[0];

function open(): SqliteFile {
  const file = openSqliteFile(path);
  onTestFinished(() => file.close());
  return file;
}
/** A file of an older version, in which deleted pages stay allocated. */
function openOld(): SqliteFile {
  const old = new Database(path);
  old.pragma('journal_mode = WAL');
  old.exec(TABLE);
  old.close();
  return open();
}

test('a file shrinks after its rows are deleted, and keeps a reserve and the remaining rows', async () => {
  const file = open();
  await file.write([{ sql: TABLE, parameters: [] }, insert(0, ROWS)]);
  await file.write([removal]);
  const before = megabytes();
  const shrinker = createSqliteShrinker(file, path, limits);
  expect(await shrinker.prepare()).toBe('ready');
  await shrinker.release();
  expect([before > 30, megabytes() < 10]).toEqual([true, true]);
  expect(one(file, 'select count(*) from rows')).toBe(ROWS / 50);
  expect(one(file, 'pragma integrity_check')).toBe('ok');
  const free = one(file, 'pragma freelist_count') as number;
  expect(free * 4096).toBeGreaterThan(limits.reservedBytes / 2);
  expect(free * 4096).toBeLessThanOrEqual(limits.reservedBytes);
  // The write-ahead log, which held all rows at once, is truncated too.
  expect(megabytes(`${path}-wal`)).toBeLessThanOrEqual(16.1);
  const kept = megabytes();
  await shrinker.release();
  expect(megabytes()).toBe(kept);
});

test('a write waits for one slice, not for all of them', async () => {
  const file = open();
  await file.write([{ sql: TABLE, parameters: [] }, insert(0, ROWS)]);
  await file.write([removal]);
  let isReleased = false;
  const released = createSqliteShrinker(file, path, limits)
    .release()
    .then(() => {
      isReleased = true;
    });
  for (let count = 0; count < 5; count += 1) {
    await file.write([insert(ROWS + count, 1)]);
    expect(isReleased).toBe(false);
  }
  await released;
  expect(one(file, 'select count(*) from rows')).toBe(ROWS / 50 + 5);
});

test('a file of an earlier version is rebuilt once, and shrinks like any other, even while another process has it open', async () => {
  const file = openOld();
  const other = open();
  await file.write([insert(0, ROWS)]);
  await other.write([removal]);
  const shrinker = createSqliteShrinker(file, path, limits);
  const before = one(file, 'pragma page_count');
  await shrinker.release();
  expect(one(file, 'pragma page_count')).toBe(before);
  expect(await shrinker.prepare()).toBe('rebuilt');
  expect(await shrinker.prepare()).toBe('ready');
  // Both processes keep writing, and the space of their rows is freed too.
  await Promise.all([file.write([insert(ROWS, ROWS)]), other.write([insert(2 * ROWS, ROWS)])]);
  await other.write([removal]);
  await shrinker.release();
  await shrinker.release();
  expect(megabytes()).toBeLessThan(15);
  expect(one(other, 'select count(*) from rows')).toBe((3 * ROWS) / 50);
  for (const each of [file, other]) expect(one(each, 'pragma integrity_check')).toBe('ok');
});

test('a file with too much data to rebuild at a start is left as it is', async () => {
  const file = openOld();
  await file.write([insert(0, ROWS)]);
  expect(await createSqliteShrinker(file, path, { ...limits, maxRebuiltBytes: 2 ** 20 }).prepare()).toBe('large');
  expect(one(file, 'pragma auto_vacuum')).toBe(0);
});
