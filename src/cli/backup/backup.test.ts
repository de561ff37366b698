// SPDX-License-Identifier: Apache-2.0
// A backup contains everything, consistently, or does not exist. A restore gives it back, and touches nothing that exists.
import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, expect, test } from 'vitest';
import { runCommand } from '../../../test/cli.ts';
import { naming } from '../../../test/naming.ts';
import { scratchFolder } from '../../../test/opened.ts';
import { openSecretBox } from '../../adapters/sql/secrets/secretKey.ts';
import type { Sql } from '../../adapters/sql/sql.ts';
import { openSql, schema } from '../../database.ts';

const root = scratchFolder();
const mounts: string[] = [];
afterAll(() => {
  for (const mount of mounts) spawnSync('umount', [mount]);
});

let count = 0;
const fresh = (name: string) => join(root, `${name}-${count++}`);

type Env = Readonly<Record<string, string>>;

/** Runs `midroll backup` or `midroll restore`. */
async function run(command: 'backup' | 'restore', folder: string, env: Env) {
  const { status, err: text } = await runCommand(env, command, folder);
  return { status, text };
}
const backup = (folder: string, env: Env) => run('backup', folder, env);

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

/** An installation with one fact, backed up. */
async function backedUp(): Promise<string> {
  const { dataDir: DATA_DIR, store } = await installation();
  await store.db.insertInto('facts').values({ name: 'kept', value: 'yes' }).execute();
  await store.close();
  const folder = fresh('backup');
  expect(await backup(folder, { DATA_DIR })).toMatchObject({ status: 0 });
  return folder;
}

test('restores the database, the key and the spools to a new folder', async () => {
  const folder = await backedUp();
  const DATA_DIR = fresh('restored');
  expect(await run('restore', folder, { DATA_DIR })).toEqual({ status: 0, text: naming(DATA_DIR, 'midroll.db') });
  expect(readdirSync(DATA_DIR).sort()).toEqual(['deliveries', 'midroll.db', 'reports', 'secret.key']);
  expect(statSync(join(DATA_DIR, 'secret.key')).mode & 0o777).toBe(0o600);
  const store = await openSql({ DATA_DIR });
  await openSecretBox({ DATA_DIR }, store);
  const row = await store.db.selectFrom('facts').select('value').where('name', '=', 'kept').executeTakeFirst();
  expect(row).toEqual({ value: 'yes' });
  await store.close();
  expect(await run('restore', folder, { DATA_DIR })).toEqual({ status: 1, text: naming('DATA_DIR', 'midroll.db') });
});

test('changes nothing in a folder with content, and clears what a killed restore has left', async () => {
  const folder = await backedUp();
  const DATA_DIR = fresh('restored');
  mkdirSync(join(DATA_DIR, 'media'), { recursive: true });
  expect(await run('restore', folder, { DATA_DIR })).toEqual({ status: 1, text: naming('media') });
  expect(readdirSync(DATA_DIR)).toEqual(['media']);
  rmSync(join(DATA_DIR, 'media'), { recursive: true });
  mkdirSync(join(DATA_DIR, '.restore-12345678'));
  expect(await run('restore', folder, { DATA_DIR })).toEqual({ status: 1, text: naming('.restore-12345678') });
  rmSync(join(DATA_DIR, '.restore-12345678'), { recursive: true });
  expect((await run('restore', folder, { DATA_DIR })).status).toBe(0);
});

test('refuses a folder that is no backup, a damaged database, and one of a newer version', async () => {
  const DATA_DIR = fresh('restored');
  expect(await run('restore', fresh('absent'), { DATA_DIR })).toMatchObject({ status: 1 });
  const empty = fresh('empty');
  mkdirSync(empty);
  expect(await run('restore', empty, { DATA_DIR })).toEqual({ status: 1, text: naming('midroll.db') });
  const damaged = await backedUp();
  truncateSync(join(damaged, 'midroll.db'), 20_000);
  expect(await run('restore', damaged, { DATA_DIR })).toEqual({ status: 1, text: naming(damaged) });
  const newer = await backedUp();
  const store = await openSql({ DATA_DIR: newer });
  const { sqlite } = store;
  sqlite!.prepare('insert into migrations (number, at) values (?, ?)').run(schema.migrations.length + 1, 'now');
  await store.close();
  expect(await run('restore', newer, { DATA_DIR })).toMatchObject({ status: 1 });
  expect(readdirSync(root)).not.toContain(DATA_DIR.slice(root.length + 1));
});

test('requires the secret key', async () => {
  const folder = await backedUp();
  rmSync(join(folder, 'secret.key'));
  const DATA_DIR = fresh('restored');
  expect(await run('restore', folder, { DATA_DIR })).toEqual({ status: 1, text: naming('SECRET_KEY') });
  expect((await run('restore', folder, { DATA_DIR, SECRET_KEY: 'a secret of at least 16 characters' })).status).toBe(0);
});

test('names the database that the backup belongs to', async () => {
  const folder = await backedUp();
  const env = { DATA_DIR: fresh('restored'), DATABASE_URL: 'postgres://midroll:hidden@127.0.0.1:1/midroll' };
  const refused = await run('restore', folder, env);
  expect(refused).toEqual({ status: 1, text: naming('midroll.dump', 'DATABASE_URL') });
  writeFileSync(join(folder, 'midroll.dump'), '');
  const unreachable = await run('restore', folder, env);
  expect(unreachable.status).toBe(1);
  expect(unreachable.text).not.toContain('hidden');
});
