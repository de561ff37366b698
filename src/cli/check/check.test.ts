// SPDX-License-Identifier: Apache-2.0
// `midroll check` finds each kind of damage, and changes nothing.
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { runCommand } from '../../../test/cli.ts';
import { naming } from '../../../test/naming.ts';
import { openedInTest, scratchFolder } from '../../../test/opened.ts';
import { createDatabase } from '../../../test/servers/postgresDatabase.ts';
import { openSecretBox } from '../../adapters/sql/secrets/secretKey.ts';
import type { Sql } from '../../adapters/sql/sql.ts';
import { openSql } from '../../database.ts';
import { bootstrap } from '../../platform/access/rules/bootstrap.ts';
import { sqlTenants } from '../../platform/access/store/sqlTenants.ts';
import { sqlSystems } from '../../platform/systems/store/sqlSystems.ts';

const root = scratchFolder();
const AT = '2026-01-01T00:00:00.000Z';

type Installation = { readonly env: Record<string, string>; readonly dataDir: string; readonly store: Sql };

/** With a tenant, a system, a playlist and a channel. */
async function installation(kind: 'sqlite' | 'postgres'): Promise<Installation> {
  const dataDir = mkdtempSync(join(root, 'data-'));
  const database = kind === 'postgres' ? await openedInTest(createDatabase()) : undefined;
  const env = { DATA_DIR: dataDir, ...(database ? { DATABASE_URL: database.url } : {}) };
  const store = await openedInTest(openSql(env));
  const systems = sqlSystems(store, await openSecretBox(env, store));
  await bootstrap(sqlTenants(store, systems), { tenant: 'films', email: 'ann@example.com' }, AT);
  const owner = { tenant: 'films', createdBy: 'ann@example.com', createdAt: AT };
  const playlist = { id: 'loop', type: 'vod2live', status: 'enabled', contents: [], ...owner };
  const channel = {
    ...owner,
    id: 'one',
    type: 'vod2live',
    state: 'disabled',
    apiKey: 'watch-one-key',
    playlistId: 'loop',
    tracking: 'server',
    playlistSize: 60,
    timeShiftWindow: 0,
  };
  const row = { tenant: 'films', version: 0, name_key: '', kind: '', status: '', changed_at: '' };
  await store.db
    .insertInto('playlists')
    .values({ ...row, id: 'loop', body: JSON.stringify(playlist) })
    .execute();
  const columns = { state: 'disabled', playlist_id: 'loop', key_hash: 'x' };
  await store.db
    .insertInto('channels')
    .values({ ...row, id: 'one', body: JSON.stringify(channel), ...columns })
    .execute();
  return { env, dataDir, store };
}

async function check(env: Record<string, string>) {
  const { status, out } = await runCommand(env, 'check');
  return { status, problems: out.split('\n').filter((line) => !line.startsWith('✓')) };
}

describe.each(['sqlite', 'postgres'] as const)('%s', (kind) => {
  test('finds nothing in a healthy installation', async () => {
    const { env } = await installation(kind);
    expect(await check(env)).toMatchObject({ status: 0, problems: [] });
  });

  test('finds records that are invalid, unreadable, or refer to nothing, and rows without an owner', async () => {
    const { env, store } = await installation(kind);
    await sql`update playlists set id = 'other'`.execute(store.db);
    const [{ body }] = (await store.db.selectFrom('channels').select('body').execute()) as [{ body: string }];
    await store.db
      .updateTable('channels')
      .set({ body: JSON.stringify({ ...JSON.parse(body), playlistSize: 'long' }) })
      .execute();
    await sql`update systems set body = '{"sealed": "s1.a.b.c", "tenant": "films", "id": "x"}'`.execute(store.db);
    const part = { session_id: 'gone', break_id: 'b', starts_at: 0 };
    await store.db
      .insertInto('decisions')
      .values({ ...part, body: '{}' })
      .execute();
    const { status, problems } = await check(env);
    expect(status).toBe(1);
    expect(problems).toEqual([
      naming('decisions', 'sessions'),
      naming('✗', 'system'),
      naming('playlistSize', 'long'),
      naming('playlistId', 'loop'),
    ]);
  });

  test('finds media that are missing or cut off, and quarantined files', async () => {
    const { env, dataDir, store } = await installation(kind);
    const prebuilt = join(import.meta.dirname, '../../../demo/media/packaged');
    const [whole, cut] = readdirSync(prebuilt);
    cpSync(join(prebuilt, whole!), join(dataDir, 'media', whole!), { recursive: true });
    cpSync(join(prebuilt, cut!), join(dataDir, 'media', cut!), { recursive: true });
    const { tracks } = JSON.parse(readFileSync(join(dataDir, 'media', cut!, 'meta.json'), 'utf8'));
    truncateSync(join(dataDir, 'media', cut!, tracks[0].file), 100);
    const creative = {
      kind: 'creative',
      body: '{}',
      source_key: '',
      state: 'ready',
      urgency: 0,
      due_at: 0,
      attempts: 1,
    };
    const times = { created_at: 0, asked_at: 0 };
    for (const [id, media_id] of [
      ['a'.repeat(32), whole!],
      ['b'.repeat(32), 'ab'.repeat(16)],
    ] as const)
      await store.db
        .insertInto('creatives')
        .values({ id, media_id, ...creative, ...times })
        .execute();
    mkdirSync(join(dataDir, 'deliveries'));
    writeFileSync(join(dataDir, 'deliveries/1.aside'), '');
    const { status, problems } = await check(env);
    expect(status).toBe(0);
    expect(problems).toEqual([naming(cut!, '100'), naming('b'.repeat(32)), naming('deliveries')]);
  });

  test('reports a missing secret key, and does not create one', async () => {
    const { env, dataDir } = await installation(kind);
    rmSync(join(dataDir, 'secret.key'));
    expect(await check(env)).toMatchObject({ status: 1, problems: [naming('secret.key', 'SECRET_KEY')] });
    expect(readdirSync(dataDir)).not.toContain('secret.key');
  });
});

test('reports a database that does not exist, and does not create it', async () => {
  const dataDir = mkdtempSync(join(root, 'data-'));
  expect(await check({ DATA_DIR: dataDir })).toMatchObject({ status: 1, problems: [naming('DATA_DIR')] });
  expect(readdirSync(dataDir)).toEqual([]);
});

test('finds a damaged database file', async () => {
  const { env, dataDir, store } = await installation('sqlite');
  store.sqlite!.pragma('wal_checkpoint(TRUNCATE)');
  const path = join(dataDir, 'midroll.db');
  const file = readFileSync(path);
  file.fill(0xff, file.length - 3 * 4096, file.length - 4096);
  const damaged = mkdtempSync(join(root, 'data-'));
  writeFileSync(join(damaged, 'midroll.db'), file);
  expect((await check({ ...env, DATA_DIR: damaged })).status).toBe(1);
});
