// SPDX-License-Identifier: Apache-2.0
// A backup contains everything, consistently, or does not exist.
import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, expect, test } from 'vitest';
import { naming } from '../../../test/naming.ts';
import { openSecretBox } from '../../adapters/sql/secrets/secretKey.ts';
import type { Sql } from '../../adapters/sql/sql.ts';
import { openSql } from '../../database.ts';
import { main } from '../main.ts';

const root = mkdtempSync(join(tmpdir(), 'midroll-backup-'));
const mounts: string[] = [];
afterAll(() => {
  for (const mount of mounts) spawnSync('umount', [mount]);
  rmSync(root, { recursive: true, force: true });
});

let count = 0;
const fresh = (name: string) => join(root, `${name}-${count++}`);

async function backup(folder: string, env: Readonly<Record<string, string>>) {
  const notes: string[] = [];
  const output = { result: () => {}, note: (text: string) => void notes.push(text) };
  return { status: await main(['backup', folder], env, output), text: notes.join('\n') };
}

/** An installation with a database, a key and a few files in the spools. */
async function installation(): Promise<{ readonly dataDir: string; readonly store: Sql }> {
  const dataDir = fresh('data');
  const store = await openSql({ DATA_DIR: dataDir });
  await openSecretBox({ DATA_DIR: dataDir }, store);
  for (const spool of ['reports', 'deliveries', 'media']) mkdirSync(join(dataDir, spool));
  for (const name of ['reports/a.json', 'reports/b.aside', 'reports/c.json.draft', 'deliveries/d.json', 'media/e'])
    writeFileSync(join(dataDir, name), `${name}\n`);
  return { dataDir, store };
}

const modeOf = (path: string) => statSync(path).mode & 0o777;
const filesOf = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1))
    .sort();
const leftovers = (target: string) => readdirSync(root).filter((name) => join(root, name).startsWith(`${target}.`));

test('a database without the tables of sessions can be copied before it is migrated', async () => {
  const { dataDir, store } = await installation();
  await store.close();
  const file = new Database(join(dataDir, 'midroll.db'));
  file.exec("drop table claims; insert into facts (name, value) values ('kept', 'yes')");
  file.close();
  const target = fresh('copy');
  expect(await backup(target, { DATA_DIR: dataDir })).toEqual({ status: 0, text: naming(target, 'midroll.db') });
  const copy = new Database(join(target, 'midroll.db'));
  expect(copy.prepare("select value from facts where name = 'kept'").pluck().get()).toBe('yes');
  copy.close();
});

test('copies the database, the key and the spools, readable only by their owner', async () => {
  const { dataDir, store } = await installation();
  const target = fresh('copy');
  mkdirSync(target);
  expect(await backup(target, { DATA_DIR: dataDir })).toEqual({ status: 0, text: naming(target, 'midroll.db') });
  expect(filesOf(target)).toEqual([
    'deliveries/d.json',
    'midroll.db',
    'reports/a.json',
    'reports/b.aside',
    'secret.key',
  ]);
  expect(filesOf(target).map((name) => modeOf(join(target, name)))).toEqual(filesOf(target).map(() => 0o600));
  expect(modeOf(target)).toBe(0o700);
  expect(leftovers(target)).toEqual([]);
  await store.close();

  const restored = await openSql({ DATA_DIR: target });
  expect(restored.sqlite!.pragma('auto_vacuum', { simple: true })).toBe(2);
  await openSecretBox({ DATA_DIR: target }, restored);
  await restored.close();
});

test('copies one state of the database while it is written', async () => {
  const { dataDir, store } = await installation();
  const both = (value: string) =>
    ['first', 'last'].map((name) =>
      store.db
        .insertInto('facts')
        .values({ name, value })
        .onConflict((conflict) => conflict.column('name').doUpdateSet({ value })),
    );
  let isWriting = true;
  let written = 0;
  const writing = (async () => {
    while (isWriting) await store.atomically(both(String(written++)));
  })();
  const target = fresh('copy');
  const before = written;
  expect(await backup(target, { DATA_DIR: dataDir })).toMatchObject({ status: 0 });
  isWriting = false;
  await writing;
  await store.close();
  expect(written).toBeGreaterThan(before);
  const copy = new Database(join(target, 'midroll.db'), { readonly: true });
  const values = copy.prepare("select distinct value from facts where name in ('first', 'last')").all();
  copy.close();
  expect(values).toHaveLength(1);
});

test('refuses a folder with content, a file, and a folder whose parent does not exist', async () => {
  const { dataDir, store } = await installation();
  await store.close();
  const env = { DATA_DIR: dataDir };
  const target = fresh('copy');
  expect(await backup(target, env)).toMatchObject({ status: 0 });
  const before = filesOf(target);
  expect(await backup(target, env)).toEqual({ status: 1, text: naming(target) });
  expect(filesOf(target)).toEqual(before);
  expect(leftovers(target)).toEqual([]);
  expect(await backup(join(target, 'midroll.db'), env)).toMatchObject({ status: 1 });
  expect(await backup(join(root, 'absent', 'copy'), env)).toEqual({ status: 1, text: naming(join(root, 'absent')) });
  expect(await backup(fresh('copy'), { DATA_DIR: root })).toEqual({ status: 1, text: naming('DATA_DIR') });
});

test('one of two simultaneous backups to a folder succeeds', async () => {
  const { dataDir, store } = await installation();
  await store.close();
  const target = fresh('copy');
  const both = await Promise.all([1, 2].map(() => backup(target, { DATA_DIR: dataDir })));
  expect(both.map(({ status }) => status).sort()).toEqual([0, 1]);
  expect(filesOf(target)).toContain('midroll.db');
  expect(leftovers(target)).toEqual([]);
});

test('keeps nothing of a backup to a full disk or an unwritable folder', async ({ skip }) => {
  const { dataDir, store } = await installation();
  const disk = fresh('disk');
  mkdirSync(disk);
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', disk]).status !== 0) skip();
  mounts.push(disk);
  const value = 'x'.repeat(8 * 2 ** 20);
  await store.db.insertInto('facts').values({ name: 'large', value }).execute();
  await store.close();
  const env = { DATA_DIR: dataDir };
  expect(await backup(disk, env)).toEqual({ status: 1, text: naming(disk, join(disk, 'monday')) });
  const target = join(disk, 'copy');
  expect(await backup(target, env)).toEqual({ status: 1, text: naming(target) });
  expect(readdirSync(disk)).toEqual([]);
  expect(spawnSync('mount', ['-o', 'remount,ro', disk]).status).toBe(0);
  expect(await backup(target, env)).toEqual({ status: 1, text: naming(target) });
});

test('with PostgreSQL, copies the rest and prints the command for the database without its password', async () => {
  const { dataDir, store } = await installation();
  await store.close();
  const target = fresh('copy');
  const env = { DATA_DIR: dataDir, DATABASE_URL: 'postgres://midroll:hidden@db.example/midroll' };
  const { status, text } = await backup(target, env);
  expect(status).toBe(0);
  expect(text).toEqual(naming('pg_dump', join(target, 'midroll.dump'), '"$DATABASE_URL"'));
  expect(text).not.toContain('hidden');
  expect(filesOf(target)).toEqual(['deliveries/d.json', 'reports/a.json', 'reports/b.aside', 'secret.key']);
});

test('names the secret that is not in a file, and copies a spool that grows', async () => {
  const dataDir = fresh('data');
  const store = await openSql({ DATA_DIR: dataDir });
  await store.close();
  mkdirSync(join(dataDir, 'deliveries'));
  appendFileSync(join(dataDir, 'deliveries/a.json'), '{}\n');
  const target = fresh('copy');
  expect(await backup(target, { DATA_DIR: dataDir })).toEqual({ status: 0, text: naming('SECRET_KEY') });
  expect(existsSync(join(target, 'deliveries/a.json'))).toBe(true);
});
