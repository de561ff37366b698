// SPDX-License-Identifier: Apache-2.0
// Migrates sessions and imports that were stored before m011Bounds.
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { beforeMigration } from '../../../test/servers/sqlStores.ts';
import { m011Bounds } from './migrations/m011Bounds.ts';

beforeMigration(m011Bounds, (database, migrateOn) => {
  test('existing sessions count as watched, and existing imports as used at their import', async () => {
    const db = database();
    await sql`insert into sessions (id, channel_id, body, odometer, folded_before, seen_at)
      values ('s', 'c', '{}', '{}', 0, 1000)`.execute(db);
    for (const key of ['new', 'old']) await sql`insert into assets (key, body) values (${key}, '')`.execute(db);
    const add = (url: string, at: number) =>
      sql`insert into sources (url, asset, imported_at) values (${url}, 'new', ${at})`.execute(db);
    await add('https://o.test/a', 2000);
    await add('https://o.test/b', 3000);
    await migrateOn();
    const read = async (query: ReturnType<typeof sql>) =>
      (await query.execute(db)).rows.map((row) =>
        Object.values(row as object).map((value) => (value === null ? null : String(value))),
      );
    expect(await read(sql`select is_watched from sessions`)).toEqual([['1']]);
    expect(await read(sql`select used_at from sources order by url`)).toEqual([['2000'], ['3000']]);
    // No source refers to the old asset.
    expect(await read(sql`select key, used_at from assets order by key`)).toEqual([
      ['new', '3000'],
      ['old', '0'],
    ]);
  });
});
