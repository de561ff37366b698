// SPDX-License-Identifier: Apache-2.0
import { existsSync, mkdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runCommand } from '../../../../test/cli.ts';
import { naming } from '../../../../test/naming.ts';
import { scratchFolderInTest } from '../../../../test/opened.ts';
import { createDatabase } from '../../../../test/servers/postgresDatabase.ts';
import { openSql } from '../../../database.ts';
import { openSecretBox } from './secretKey.ts';

/** A DATA_DIR after a run that made a slate. */
async function usedFolder(): Promise<string> {
  const folder = scratchFolderInTest();
  const store = await openSql({ DATA_DIR: folder });
  await openSecretBox({ DATA_DIR: folder }, store);
  await store.close();
  mkdirSync(join(folder, 'media', '0123abcd'), { recursive: true });
  return folder;
}

const open = async (folder: string): Promise<void> => (await openSql({ DATA_DIR: folder })).close();
const remove = (folder: string): void => {
  for (const suffix of ['', '-wal', '-shm']) rmSync(join(folder, `midroll.db${suffix}`), { force: true });
};

test('refuses a DATA_DIR with a key and media whose database is missing or empty, and creates none', async () => {
  const folder = await usedFolder();
  await open(folder);
  remove(folder);
  const message = naming('midroll.db is missing', 'secret.key, media', 'restore a backup', 'move the content');
  await expect(open(folder)).rejects.toMatchObject({ code: 'LOST_DATABASE', message });
  expect(existsSync(join(folder, 'midroll.db'))).toBe(false);
  writeFileSync(join(folder, 'midroll.db'), '');
  await expect(open(folder)).rejects.toMatchObject({ code: 'LOST_DATABASE', message: naming('midroll.db is empty') });
});

test('a deliveries spool is data of an installation like media', async () => {
  const folder = scratchFolderInTest();
  writeFileSync(join(folder, 'secret.key'), 'f'.repeat(64));
  mkdirSync(join(folder, 'deliveries'));
  await open(folder);
  remove(folder);
  writeFileSync(join(folder, 'deliveries', '1.json'), '[]');
  await expect(open(folder)).rejects.toMatchObject({ code: 'LOST_DATABASE' });
});

test('starts where a start was interrupted: with tables and no key, with a key and no media, with media and no key', async () => {
  const tables = scratchFolderInTest();
  await open(tables);
  await open(tables);
  const unfinished = scratchFolderInTest();
  writeFileSync(join(unfinished, 'midroll.db'), '');
  await open(unfinished);
  const key = scratchFolderInTest();
  writeFileSync(join(key, 'secret.key'), 'f'.repeat(64));
  mkdirSync(join(key, 'media'));
  await open(key);
  const media = scratchFolderInTest();
  mkdirSync(join(media, 'media', '0123abcd'), { recursive: true });
  await open(media);
});

test('a damaged file is reported as damaged', async () => {
  const folder = await usedFolder();
  remove(folder);
  writeFileSync(join(folder, 'midroll.db'), 'no database at all'.repeat(500));
  await expect(open(folder)).rejects.not.toMatchObject({ code: 'LOST_DATABASE' });
  truncateSync(join(folder, 'midroll.db'));
  await expect(open(folder)).rejects.toMatchObject({ code: 'LOST_DATABASE' });
});

test('commands that use the database refuse it too, and doctor names both ways out', async () => {
  const folder = await usedFolder();
  remove(folder);
  const env = { PATH: process.env.PATH, DATA_DIR: folder, ADMIN_PORT: '0', LIVE_PORT: '0' };
  expect(await runCommand(env, 'tenants', 'list')).toMatchObject({ status: 1, err: naming('midroll.db is missing') });
  const { status, out } = await runCommand(env, 'doctor');
  expect([status, out]).toEqual([1, naming('restore a backup', 'move the content of DATA_DIR away')]);
  expect(existsSync(join(folder, 'midroll.db'))).toBe(false);
});

test('with PostgreSQL: refuses an empty database, and waits for one that does not respond', async () => {
  const folder = await usedFolder();
  const database = await createDatabase();
  onTestFinished(() => database.drop());
  const source = { DATA_DIR: folder, DATABASE_URL: database.url };
  const unset = naming('DATABASE_URL is empty', 'unset DATABASE_URL');
  await expect(openSql(source)).rejects.toMatchObject({ code: 'LOST_DATABASE', message: unset });
  remove(folder);
  const correct = naming('DATABASE_URL is empty', 'correct DATABASE_URL', 'restore a backup');
  await expect(openSql(source)).rejects.toMatchObject({ code: 'LOST_DATABASE', message: correct });
  const away = { DATA_DIR: folder, DATABASE_URL: 'postgres://midroll@127.0.0.1:1/midroll' };
  await expect(openSql(away)).rejects.toMatchObject({ kind: 'UNAVAILABLE' });

  const elsewhere = { ...source, DATA_DIR: scratchFolderInTest() };
  await (await openSql(elsewhere)).close();
  await (await openSql(source)).close();
});
