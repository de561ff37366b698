// SPDX-License-Identifier: Apache-2.0
// Nodes of two versions use one database during an upgrade. The statements of each new migration are read: those that the
// version before cannot live with must be declared.
import { type Compilable, Kysely, PostgresDialect, sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { naming } from '../../../../test/naming.ts';
import { onEachDatabase } from '../../../../test/servers/sqlStores.ts';
import { openPostgresPool } from '../postgresPool.ts';
import { sqliteDialect } from '../sqliteDialect.ts';
import { openSqliteFile } from '../sqliteFile.ts';
import { migrate } from '../sqlMigrate.ts';
import { contracts, migrations } from '../sqlMigrations.ts';
import type { Migration, SqlKind } from './migration.ts';
import { FIRST_ROLLING, supportsOf } from './schemaSupport.ts';

const NAME = '[\\w.]+';
/** Statements that every older version can live with. Groups: the table that is created, or that an index is created on. */
const additions = {
  table: new RegExp(`^create table (?:if not exists )?(${NAME})`),
  index: new RegExp(`^create (unique )?index (?:if not exists )?${NAME} on (${NAME})`),
  column: new RegExp(`^alter table (${NAME}) add column ${NAME} [^,]*$`),
  rows: /^(?:select|insert into|with|update) /,
  /** A trigger before a change could reject what the version before writes; one after it adds to it. */
  trigger: new RegExp(`^create (?:or replace function ${NAME}\\(\\) returns trigger|trigger ${NAME} after) `),
};

/**
 * @param own tables that the version before does not have; those that are created are added
 * @returns what the version before cannot live with
 */
function contraction(statement: string, own: Set<string>): string | undefined {
  const text = statement.replaceAll('"', '').replaceAll(/\s+/g, ' ').trim().toLowerCase();
  const table = additions.table.exec(text)?.[1];
  if (table !== undefined) return void own.add(table);
  const [, isUnique, indexed] = additions.index.exec(text) ?? [];
  if (indexed !== undefined && (isUnique === undefined || own.has(indexed))) return undefined;
  const changed = additions.column.exec(text)?.[1];
  const isOptional = !/ unique| primary key/.test(text) && (!/ not null/.test(text) || / default /.test(text));
  if (changed !== undefined && (own.has(changed) || isOptional)) return undefined;
  const name = /^(?:alter table|drop table|delete from) (?:if exists )?([\w.]+)/.exec(text)?.[1];
  if (name !== undefined && own.has(name)) return undefined;
  return additions.rows.test(text) || additions.trigger.test(text) ? undefined : text;
}

onEachDatabase((name, postgresUrl) => {
  const kind: SqlKind = name === 'SQLite' ? 'sqlite' : 'postgres';
  let statements: string[] = [];

  /** An empty database that keeps the statements sent to it. */
  async function open(): Promise<Kysely<unknown>> {
    const limits = { connectMs: 5000, statementMs: 0 };
    const dialect =
      kind === 'sqlite'
        ? sqliteDialect(openSqliteFile(':memory:'), 'direct')
        : new PostgresDialect({ pool: openPostgresPool(postgresUrl(), limits, () => {}) });
    const db = new Kysely<unknown>({ dialect, log: ({ query }) => void statements.push(query.sql) });
    onTestFinished(() => db.destroy());
    if (kind === 'postgres') {
      await sql`drop schema public cascade`.execute(db);
      await sql`create schema public`.execute(db);
    }
    return db;
  }

  /** @returns what the version before each migration cannot live with, by number */
  async function contractions(from: number): Promise<Record<number, string[]>> {
    const db = await open();
    await migrate(db, kind, migrations.slice(0, from - 1));
    const found: Record<number, string[]> = {};
    for (let number = from; number <= migrations.length; number += 1) {
      statements = [];
      await migrations[number - 1]!(db, kind);
      const own = new Set<string>();
      found[number] = statements.flatMap((statement) => contraction(statement, own) ?? []);
    }
    return found;
  }

  test('migrations only add to the schema, unless they are declared as contracts', async () => {
    const found = await contractions(FIRST_ROLLING + 1);
    for (const [number, faults] of Object.entries(found)) {
      const isDeclared = contracts[Number(number)] !== undefined;
      expect(isDeclared ? [] : faults, `migration ${number}: declare it in sqlMigrations.ts`).toEqual([]);
    }
  });

  test('reads of earlier migrations which of them removed something', async () => {
    const found = await contractions(12);
    const removing = Object.entries(found).flatMap(([number, faults]) => (faults.length > 0 ? [Number(number)] : []));
    expect(removing).toContain(12);
    for (const number of [13, 16, 17, 18]) expect(removing).not.toContain(number);
  });

  /** Migrations that follow the released ones. */
  const further = (
    ...change: ((db: Kysely<unknown>) => Compilable & { execute(): Promise<unknown> })[]
  ): Migration[] => [
    ...migrations,
    ...change.map(
      (one): Migration =>
        async (db) =>
          void (await one(db).execute()),
    ),
  ];
  const added = further(
    (db) => db.schema.alterTable('sessions').addColumn('extra', 'text'),
    (db) => db.schema.createTable('later').addColumn('id', 'text'),
  );
  const last = migrations.length;
  const isApplied = async (db: Kysely<unknown>): Promise<number> => {
    const { rows } = await sql<{ last: number }>`select max(number) as last from migrations`.execute(db);
    return Number(rows[0]!.last);
  };

  test('an older version starts on a schema that only has additions, and leaves it unchanged', async () => {
    const db = await open();
    await migrate(db, kind, added);
    await migrate(db, kind, migrations);
    await migrate(db, kind, added.slice(0, last + 1));
    expect(await isApplied(db)).toBe(last + 2);
    await migrate(db, kind, added);
  });

  test('a version that a contract excludes does not start; the error states what the schema supports', async () => {
    const db = await open();
    const list = [...added, ...further((it) => it.schema.alterTable('sessions').dropColumn('extra')).slice(-1)];
    const declared = { [last + 3]: { supports: last + 2, gone: '1.0.0' } };
    await migrate(db, kind, list, declared);
    await migrate(db, kind, added);
    await expect(migrate(db, kind, added.slice(0, last + 1))).rejects.toMatchObject({
      code: 'NEWER_STORE',
      message: naming(last + 3, last + 2, last + 1),
    });
    await expect(migrate(db, kind, migrations)).rejects.toMatchObject({ code: 'NEWER_STORE' });
    expect(await isApplied(db)).toBe(last + 3);
  });

  test('without a statement about the last migration, only its own version starts', async () => {
    const db = await open();
    await migrate(db, kind, added);
    await sql`insert into migrations (number, at) values (${last + 3}, '')`.execute(db);
    await expect(migrate(db, kind, added)).rejects.toMatchObject({ code: 'NEWER_STORE' });
  });
});

test.each([
  'drop table sessions',
  'alter table "sessions" drop column "state"',
  'alter table sessions rename to viewers',
  'alter table sessions rename column a to b',
  'alter table sessions alter column opened_at type text',
  'alter table sessions alter column a set not null',
  'alter table sessions add column a text not null',
  'alter table sessions add column a text unique',
  'alter table sessions add constraint once unique (a)',
  'create unique index once on sessions (a)',
  'delete from sessions',
  'drop index sessions_by_channel',
  'create trigger t before insert on sessions for each row execute function f()',
])('the version before cannot live with: %s', (statement) => {
  expect(contraction(statement, new Set(['viewers_of_breaks']))).toBeDefined();
});

test.each([
  'alter table "sessions" add column "a" text',
  'alter table sessions add column a integer default 0 not null',
  'create index i on sessions (a)',
  'create table t (id text primary key)',
  'create unique index once on viewers_of_breaks (a)',
  'insert into facts (name, value) values ($1, $2)',
  'create trigger t after insert on sessions for each row execute function f()',
  'create or replace function f() returns trigger language plpgsql as $$ begin return null; end $$',
])('the version before works with: %s', (statement) => {
  expect(contraction(statement, new Set(['viewers_of_breaks']))).toBeUndefined();
});

test('a schema supports the versions from the last contract on', () => {
  const two = { 20: { supports: 19, gone: '0.2.0' }, 24: { supports: 22, gone: '0.4.0' } };
  const supported = [18, 19, 20, 23, 24, 30].map((schema) => supportsOf(schema, two));
  expect(supported).toEqual([18, 18, 19, 19, 22, 22]);
});
