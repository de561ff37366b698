// What a ledger of an earlier program holds after it was brought forward, in SQLite and in PostgreSQL.
import { Kysely, PostgresDialect, sql } from 'kysely';
import { Pool } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createDatabase, type PostgresDatabase } from '../../../test/servers/postgresDatabase.ts';
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
  beforeEach(async () => {
    db = open();
    if (kind === 'postgres') await sql`drop schema public cascade`.execute(db);
    if (kind === 'postgres') await sql`create schema public`.execute(db);
    await migrate(db, kind, migrations.slice(0, 8));
  });
  afterEach(() => db.destroy());

  test('deliveries that were counted as they were written are not counted again', async () => {
    await sql`
      insert into deliveries (session_id, ad_id, chunk, ends, pictures, sound, pictures_before, sound_before, first_at, last_at)
      values ('s', '1-2-0', 0, '[2000,4000]', 3, 1, 1, 0, 100000, 102000)`.execute(db);
    await migrate(db, kind);
    const { rows } = await sql`
      select pictures, sound, pictures_counted, sound_counted, counted from deliveries`.execute(db);
    expect(rows).toEqual([{ pictures: 3, sound: 1, pictures_counted: 3, sound_counted: 1, counted: null }]);
  });

  test('beacons are due when they were, as far as the old rows still say it', async () => {
    const insert = (nth: number, row: { due: number; claimed?: number; attempts?: number; outcome?: string }) =>
      sql`
      insert into beacons (tenant, channel_id, session_id, ad_id, event, nth, host, url, viewer, recorded_at, due_at,
        is_claimed, attempts, unsure, outcome)
      values ('t', 'c', 's', '1-2-0', 'start', ${sql.lit(nth)}, 'a.test', 'https://a.test/', null, 100000,
        ${sql.lit(row.due)}, ${sql.lit(row.claimed ?? 0)}, ${sql.lit(row.attempts ?? 0)}, 0,
        ${row.outcome === undefined ? sql.lit(null) : sql.lit(row.outcome)})`.execute(db);
    // Not tried yet; under way; waiting for its second attempt; sent at the first and at the third; claimed early.
    await insert(0, { due: 107_000 });
    await insert(1, { due: 140_000, claimed: 1, attempts: 1 });
    await insert(2, { due: 119_000, attempts: 1 });
    await insert(3, { due: 138_000, attempts: 1, outcome: 'sent' });
    await insert(4, { due: 250_000, attempts: 3, outcome: 'sent' });
    await insert(5, { due: 129_990, attempts: 1, outcome: 'failed' });
    await migrate(db, kind);
    const { rows } = await sql<{ due: unknown; next: unknown }>`
      select due_at as due, next_at as next from beacons order by nth`.execute(db);
    expect(rows.map(({ due, next }) => [Number(due), next === null ? undefined : Number(next)])).toEqual([
      [107_000, 107_000],
      [110_000, 140_000],
      [100_000, 119_000],
      [108_000, undefined],
      [100_000, undefined],
      [100_000, undefined],
    ]);
  });
});
