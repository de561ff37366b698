// What sessions and imports of an earlier program are after their tables were brought forward.
import { Kysely, PostgresDialect, sql } from 'kysely';
import { Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDatabase, type PostgresDatabase } from '../../../test/servers/postgresDatabase.ts';
import { m011Bounds } from './migrations/m011Bounds.ts';
import type { SqlKind } from './migrations/migration.ts';
import { sqliteDialect } from './sqliteDialect.ts';
import { openSqliteFile } from './sqliteFile.ts';
import { migrate } from './sqlMigrate.ts';
import { migrations } from './sqlMigrations.ts';

let postgres: PostgresDatabase;
beforeAll(async () => {
  postgres = await createDatabase();
});
afterAll(() => postgres.drop());

const stores: [SqlKind, () => Kysely<unknown>][] = [
  ['sqlite', () => new Kysely({ dialect: sqliteDialect(openSqliteFile(':memory:'), 'here') })],
  [
    'postgres',
    () => new Kysely({ dialect: new PostgresDialect({ pool: new Pool({ connectionString: postgres.url }) }) }),
  ],
];

describe.each(stores)('%s', (kind, open) => {
  let db: Kysely<unknown>;
  beforeAll(async () => {
    db = open();
    await migrate(db, kind, migrations.slice(0, migrations.indexOf(m011Bounds)));
  });
  afterAll(() => db.destroy());

  test('sessions count as watched, and imports as used when they were made', async () => {
    await sql`insert into sessions (id, channel_id, body, odometer, folded_before, seen_at)
      values ('s', 'c', '{}', '{}', 0, 1000)`.execute(db);
    for (const key of ['new', 'old']) await sql`insert into assets (key, body) values (${key}, '')`.execute(db);
    const add = (url: string, at: number) =>
      sql`insert into sources (url, asset, imported_at) values (${url}, 'new', ${at})`.execute(db);
    await add('https://o.test/a', 2000);
    await add('https://o.test/b', 3000);
    await migrate(db, kind);
    const read = async (query: ReturnType<typeof sql>) =>
      (await query.execute(db)).rows.map((row) =>
        Object.values(row as object).map((value) => (value === null ? null : String(value))),
      );
    expect(await read(sql`select is_watched from sessions`)).toEqual([['1']]);
    expect(await read(sql`select used_at from sources order by url`)).toEqual([['2000'], ['3000']]);
    // Nothing names the other any more.
    expect(await read(sql`select key, used_at from assets order by key`)).toEqual([
      ['new', '3000'],
      ['old', '0'],
    ]);
  });
});
