// SPDX-License-Identifier: Apache-2.0
// `midroll upgrade` on both databases: a trial changes nothing, and the real one does what a start would do.
import { mkdirSync, mkdtempSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import { expect, test } from 'vitest';
import { runCommand } from '../../../test/cli.ts';
import { naming } from '../../../test/naming.ts';
import { scratchFolder } from '../../../test/opened.ts';
import { createDatabase } from '../../../test/servers/postgresDatabase.ts';
import type { Migration } from '../../adapters/sql/schema/schema.ts';
import type { SqlSource } from '../../adapters/sql/sql.ts';
import { sqliteDialect } from '../../adapters/sql/sqliteDialect.ts';
import { openSqliteFile } from '../../adapters/sql/sqliteFile.ts';
import { migrate } from '../../adapters/sql/sqlMigrate.ts';
import { openSql, schema } from '../../database.ts';
import { upgrade } from './upgrade.ts';

const root = scratchFolder();

const run = ({ DATA_DIR, DATABASE_URL }: SqlSource, ...words: string[]) =>
  runCommand({ DATA_DIR, DATABASE_URL }, 'upgrade', ...words);

const kinds = {
  sqlite: async () => {
    const DATA_DIR = mkdtempSync(join(root, 'data-'));
    const db = new Kysely<unknown>({ dialect: sqliteDialect(openSqliteFile(join(DATA_DIR, 'midroll.db')), 'direct') });
    return { source: { DATA_DIR }, db, end: () => db.destroy() };
  },
  postgres: async () => {
    const database = await createDatabase();
    const pool = new pg.Pool({ connectionString: database.url });
    const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
    const end = () => db.destroy().then(database.drop);
    return { source: { DATA_DIR: mkdtempSync(join(root, 'data-')), DATABASE_URL: database.url }, db, end };
  },
};

const lastOf = async (db: Kysely<unknown>) =>
  Number((await sql<{ last: number }>`select max(number) as last from migrations`.execute(db)).rows[0]!.last);

/** The schema of a next version. */
const m002Extras: Migration = async (db) => {
  await db.schema.alterTable('sessions').addColumn('extra', 'text').execute();
};
const next = { ...schema, migrations: [...schema.migrations, m002Extras] };

test.each(Object.keys(kinds) as (keyof typeof kinds)[])('%s: a trial changes nothing', async (kind) => {
  const { source, db, end } = await kinds[kind]();
  await db.connection().execute((connection) => migrate(connection as Kysely<unknown>, kind, schema));

  const trial = await upgrade(source, true, next);
  expect(trial.note).toEqual(naming('1 step'));
  expect(trial.table?.split('\n')).toHaveLength(2);
  expect(trial.table).toContain('extras');
  expect(await lastOf(db)).toBe(schema.migrations.length);
  expect(readdirSync(source.DATA_DIR).filter((name) => name.includes('trial'))).toEqual([]);

  expect((await upgrade(source, false, next)).table).toContain('extras');
  expect(await lastOf(db)).toBe(next.migrations.length);
  expect((await upgrade(source, true, next)).table).toBeUndefined();
  // The version before can use what was added, and leaves it as it is.
  expect(await run(source, '--dry-run')).toMatchObject({ status: 0, out: '' });
  const opened = await openSql(source);
  await opened.close();
  expect(await lastOf(db)).toBe(next.migrations.length);

  // A build from before 0.1.0 made it.
  await sql`delete from facts where name = 'versions'`.execute(db);
  await expect(openSql(source)).rejects.toThrow('before the first release');
  expect(await run(source)).toMatchObject({ status: 1, err: naming('before the first release') });
  await end();
});

test('refuses a database without tables, and a file that is none', async () => {
  const absent = join(root, 'absent');
  mkdirSync(absent);
  expect(await run({ DATA_DIR: absent })).toMatchObject({ status: 1, out: '' });
  expect(readdirSync(absent)).toEqual([]);
  expect((await run({ DATA_DIR: absent }, 'now')).status).toBe(2);
});
