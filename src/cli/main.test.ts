// SPDX-License-Identifier: Apache-2.0
// The command line on a database that is in use.
import { expect, test } from 'vitest';
import { runCommand } from '../../test/cli.ts';
import { naming } from '../../test/naming.ts';
import { scratchFolder } from '../../test/opened.ts';
import { openSql } from '../database.ts';
import { hashSecret } from '../platform/access/rules/apiKey.ts';
import { sqlApiKeys } from '../platform/access/store/sqlApiKeys.ts';
import { commands } from './main.ts';

const folder = scratchFolder();
const env = { PATH: process.env.PATH, DATA_DIR: folder };

const midroll = (...words: string[]) => runCommand(env, ...words);

test('creates, lists and deletes tenants and keys while the database is in use', async () => {
  const store = await openSql({ DATA_DIR: folder });
  const keys = sqlApiKeys(store);
  const made = await midroll('tenants', 'create', 'acme', '--email', 'ann@example.com');
  expect(made).toMatchObject({ status: 0 });
  expect(await keys.findByHash(hashSecret(made.out))).toMatchObject({ tenant: 'acme', email: 'ann@example.com' });
  expect(await midroll('tenants', 'create', 'acme', '--email', 'a@b')).toMatchObject({ status: 1, out: '' });
  expect(await midroll('tenants', 'create', '../x', '--email', 'a@b')).toMatchObject({ status: 1, out: '' });

  const second = await midroll('keys', 'create', '--tenant', 'acme', '--email', 'ci@example.com', '--name', 'CI');
  const key = (await keys.findByHash(hashSecret(second.out)))!;
  expect(key).toMatchObject({ tenant: 'acme', email: 'ci@example.com', name: 'CI' });
  const listed = await midroll('keys', 'list', '--tenant', 'acme');
  expect(listed.out.split('\n')).toHaveLength(3);
  expect(listed.out).toContain(key.id);
  expect(listed.out).not.toContain(second.out);

  for (const invalid of [
    ['--email', 'a@b', '--name', '\u001b[2J'],
    ['--email', 'a@b', '--name', 'n'.repeat(201)],
    ['--email', `a@${'b'.repeat(253)}`],
  ]) {
    expect(await midroll('keys', 'create', '--tenant', 'acme', ...invalid)).toMatchObject({ status: 1, out: '' });
  }
  expect(await keys.list('acme')).toHaveLength(2);
  expect(await midroll('keys', 'revoke', key.id, '--tenant', 'other')).toMatchObject({ status: 1 });
  expect(await midroll('keys', 'revoke', key.id, '--tenant', 'acme')).toMatchObject({ status: 0 });
  expect(await keys.findByHash(hashSecret(second.out))).toBeUndefined();

  expect((await midroll('tenants', 'list')).out).toContain('acme');
  expect(await midroll('tenants', 'delete', 'acme')).toMatchObject({ status: 1, err: naming('--yes') });
  expect(await midroll('tenants', 'delete', 'acme', '--yes')).toMatchObject({ status: 0 });
  expect(await keys.list('acme')).toEqual([]);
  await store.close();
});

test('every command has help; unknown commands and options are usage errors', async () => {
  const help = await midroll('--help');
  expect(help.status).toBe(0);
  for (const { name, example } of commands) {
    expect(help.out).toContain(`midroll ${name}`);
    const own = await midroll(...name.split(' '), '--help');
    expect(own).toMatchObject({ status: 0, out: expect.stringContaining(example) });
  }
  expect(await midroll('help')).toEqual(help);
  expect(await midroll('help', 'keys', 'list')).toEqual(await midroll('keys', 'list', '--help'));
  expect(await midroll('keys')).toMatchObject({ status: 0, out: expect.not.stringContaining('tenants create') });
  expect(await midroll('keys', 'destroy')).toMatchObject({ status: 2, out: '' });
  expect(await midroll('keys', 'create', '--tenant', 'x')).toMatchObject({ status: 2, err: naming('--email') });
  expect(await midroll('keys', 'list', '--tennant', 'x')).toMatchObject({ status: 2 });
  expect(await midroll('keys', 'list', '--tenant', 'unknown')).toMatchObject({ status: 1, err: naming('unknown') });
});

test('a key for labels is created and listed with them, and a label that no channel can have is refused', async () => {
  await midroll('tenants', 'create', 'sports', '--email', 'ann@example.com');
  const create = (labels: string) =>
    midroll('keys', 'create', '--tenant', 'sports', '--email', 'ann@example.com', '--labels', labels);
  const { status, out } = await create('Football, region: north');
  const store = await openSql({ DATA_DIR: folder });
  expect([status, (await sqlApiKeys(store).findByHash(hashSecret(out)))?.labels]).toEqual([
    0,
    ['Football', 'region: north'],
  ]);
  await store.close();
  const listed = await midroll('keys', 'list', '--tenant', 'sports');
  expect(listed.out).toContain('label=Football,label=region: north');
  for (const invalid of ['', 'a;b', 'x'.repeat(41), 'a,A'])
    expect(await create(invalid)).toMatchObject({ status: 1, out: '', err: naming('--labels') });
  await midroll('tenants', 'delete', 'sports', '--yes');
});

test('an unknown tenant is reported with the existing ones, or with a hint to check the database', async () => {
  const list = () => midroll('keys', 'list', '--tenant', 'unknown');
  const alone = await list();
  expect(alone.err).toEqual(naming('unknown', 'DATA_DIR', 'DATABASE_URL'));
  expect(alone.err).not.toContain('midroll tenants create');
  await midroll('tenants', 'create', 'globex', '--email', 'bob@example.com');
  expect((await list()).err).toEqual(naming('globex', 'midroll tenants create unknown'));
});

test('an option without a value is shown and read as such', async () => {
  const help = await midroll('demo', '--help');
  expect(help.out).toContain('midroll demo [--cluster]');
  expect(await midroll('demo', '--cluster=3')).toMatchObject({ status: 2, out: '' });
});
