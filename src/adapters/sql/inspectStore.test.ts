// SPDX-License-Identifier: Apache-2.0

import { readdirSync } from 'node:fs';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { scratchFolderInTest } from '../../../test/opened.ts';
import { onEachDatabase } from '../../../test/servers/sqlStores.ts';
import { openSql, schema } from '../../database.ts';
import { withoutUndefined } from '../../invariant.ts';
import { inspectStore } from './inspectStore.ts';

onEachDatabase((postgresUrl, name) => {
  const next = { ...schema, migrations: [...schema.migrations, async () => {}] };
  const own = schema.migrations.length;

  test('reports whose schema a database has, and does not change it', async () => {
    const folder = scratchFolderInTest();
    const source = { DATA_DIR: folder, ...withoutUndefined({ DATABASE_URL: postgresUrl }) };
    const found = async (of = schema) => (await inspectStore(of, source)).schema;

    expect(await found()).toBe(name === 'SQLite' ? 'absent' : 'empty');
    expect(readdirSync(folder)).toEqual([]);
    expect(await found()).toBe(name === 'SQLite' ? 'absent' : 'empty');

    const store = await openSql(source);
    onTestFinished(() => store.close());
    expect(await inspectStore(schema, source)).toMatchObject({
      schema: 'current',
      isWritable: true,
      version: expect.any(String),
    });
    expect(await found(next)).toBe('older');
    expect(await found(next)).toBe('older');
    await sql`insert into migrations (number, at) values (${own + 1}, '')`.execute(store.db);
    expect(await found()).toBe('newer');
    const supporting = (supports: number) => JSON.stringify({ number: own + 1, supports });
    await sql`update facts set value = ${supporting(own)} where name = 'versions'`.execute(store.db);
    expect(await found()).toBe('supported');
    await sql`update facts set value = ${supporting(own + 1)} where name = 'versions'`.execute(store.db);
    expect(await found()).toBe('newer');
    await sql`delete from facts where name = 'versions'`.execute(store.db);
    expect(await found()).toBe('unreleased');
  });
});
