// SPDX-License-Identifier: Apache-2.0
// A restore gives back what was backed up, and touches nothing that exists.
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { naming } from '../../../test/naming.ts';
import { openSecretBox } from '../../adapters/sql/secrets/secretKey.ts';
import { openSql, schema } from '../../database.ts';
import { main } from '../main.ts';

const root = mkdtempSync(join(tmpdir(), 'midroll-restore-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));
let count = 0;
const fresh = (name: string) => join(root, `${name}-${count++}`);

async function run(command: 'backup' | 'restore', folder: string, env: Readonly<Record<string, string>>) {
  const notes: string[] = [];
  const output = { result: () => {}, note: (text: string) => void notes.push(text) };
  return { status: await main([command, folder], env, output), text: notes.join('\n') };
}

/** An installation with one fact, backed up. */
async function backedUp(): Promise<string> {
  const DATA_DIR = fresh('data');
  const store = await openSql({ DATA_DIR });
  await openSecretBox({ DATA_DIR }, store);
  await store.db.insertInto('facts').values({ name: 'kept', value: 'yes' }).execute();
  await store.close();
  mkdirSync(join(DATA_DIR, 'deliveries'));
  appendFileSync(join(DATA_DIR, 'deliveries/a.json'), '{}\n');
  const folder = fresh('backup');
  expect(await run('backup', folder, { DATA_DIR })).toMatchObject({ status: 0 });
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
