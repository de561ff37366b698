// SPDX-License-Identifier: Apache-2.0
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { onEachDatabase } from '../../../test/servers/sqlStores.ts';
import { inspectStore } from './inspectStore.ts';
import { openSql } from './sql.ts';
import { migrations } from './sqlMigrations.ts';

onEachDatabase((name, postgresUrl) => {
  test('reports whose schema a database has, and does not change it', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'midroll-inspect-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const source = { DATA_DIR: folder, ...(name === 'PostgreSQL' ? { DATABASE_URL: postgresUrl() } : {}) };
    const schema = async () => (await inspectStore(source)).schema;

    expect(await schema()).toBe(name === 'SQLite' ? 'absent' : 'empty');
    expect(readdirSync(folder)).toEqual([]);
    expect(await schema()).toBe(name === 'SQLite' ? 'absent' : 'empty');

    const store = await openSql(source);
    onTestFinished(() => store.close());
    expect(await inspectStore(source)).toMatchObject({
      schema: 'current',
      isWritable: true,
      version: expect.any(String),
    });
    await sql`delete from migrations where number = ${migrations.length}`.execute(store.db);
    expect(await schema()).toBe('older');
    expect(await schema()).toBe('older');
    await sql`insert into migrations (number, at) values (${migrations.length + 1}, '')`.execute(store.db);
    expect(await schema()).toBe('newer');
    const supporting = (supports: number) => JSON.stringify({ number: migrations.length + 1, supports });
    await sql`update facts set value = ${supporting(migrations.length)} where name = 'schema'`.execute(store.db);
    expect(await schema()).toBe('supported');
    await sql`update facts set value = ${supporting(migrations.length + 1)} where name = 'schema'`.execute(store.db);
    expect(await schema()).toBe('newer');
  });
});
