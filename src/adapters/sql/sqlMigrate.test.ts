// SPDX-License-Identifier: Apache-2.0
// Nodes of two versions use one database during an upgrade. The statements of each new migration are read: those that the
// version before cannot live with must be declared.
import { Kysely, PostgresDialect, sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { naming } from '../../../test/naming.ts';
import { onEachDatabase } from '../../../test/servers/sqlStores.ts';
import { schema } from '../../database.ts';
import { openPostgresPool } from './postgresPool.ts';
import { type Contracts, type Migration, runAll, type SqlKind } from './schema/schema.ts';
import { sqliteDialect } from './sqliteDialect.ts';
import { openSqliteFile } from './sqliteFile.ts';
import { migrate, supportsOf } from './sqlMigrate.ts';

const { migrations, contracts } = schema;
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

onEachDatabase((postgresUrl) => {
  const kind: SqlKind = postgresUrl === undefined ? 'sqlite' : 'postgres';
  let statements: string[] = [];

  /** An empty database that keeps the statements sent to it. */
  async function open(): Promise<Kysely<unknown>> {
    const limits = { connectMs: 5000, statementMs: 0 };
    const dialect =
      postgresUrl === undefined
        ? sqliteDialect(openSqliteFile(':memory:'), 'direct')
        : new PostgresDialect({ pool: openPostgresPool(postgresUrl, limits) });
    const db = new Kysely<unknown>({ dialect, log: ({ query }) => void statements.push(query.sql) });
    onTestFinished(() => db.destroy());
    if (kind === 'postgres') {
      await sql`drop schema public cascade`.execute(db);
      await sql`create schema public`.execute(db);
    }
    return db;
  }

  /** @returns what the version before each migration cannot live with, by number; the first has no version before it */
  async function contractions(list: readonly Migration[]): Promise<Record<number, string[]>> {
    const db = await open();
    const found: Record<number, string[]> = {};
    for (const [index, apply] of list.entries()) {
      statements = [];
      await apply(db, kind);
      const own = new Set<string>();
      if (index > 0) found[index + 1] = statements.flatMap((statement) => contraction(statement, own) ?? []);
    }
    return found;
  }

  /** Migrations that follow the released ones. */
  const further = (...statements: string[]): Migration[] => [
    ...migrations,
    ...statements.map(
      (one): Migration =>
        (db) =>
          runAll(db, [one]),
    ),
  ];
  const added = further('alter table sessions add column extra text', 'create table later (id text)');
  const apply = (db: Kysely<unknown>, list: readonly Migration[], declared: Contracts = {}) =>
    migrate(db, kind, { migrations: list, contracts: declared });

  test('migrations only add to the schema, unless they are declared as contracts', async () => {
    for (const [number, faults] of Object.entries(await contractions(migrations))) {
      const isDeclared = contracts[Number(number)] !== undefined;
      expect(isDeclared ? [] : faults, `migration ${number}: declare it in src/database.ts`).toEqual([]);
    }
  });

  test('reads of migrations which of them removed something', async () => {
    const removing = further('alter table sessions drop column odometer').slice(-1);
    const found = await contractions([...added, ...removing]);
    const number = added.length + 1;
    expect(found[number]).toHaveLength(1);
    expect([found[number - 1], found[number - 2]]).toEqual([[], []]);
  });

  const last = migrations.length;
  const isApplied = async (db: Kysely<unknown>): Promise<number> => {
    const { rows } = await sql<{ last: number }>`select max(number) as last from migrations`.execute(db);
    return Number(rows[0]!.last);
  };

  test('an older version starts on a schema that only has additions, and leaves it unchanged', async () => {
    const db = await open();
    await apply(db, added);
    await apply(db, migrations);
    await apply(db, added.slice(0, last + 1));
    expect(await isApplied(db)).toBe(last + 2);
    await apply(db, added);
  });

  test('a version that a contract excludes does not start; the error states what the schema supports', async () => {
    const db = await open();
    const list = [...added, ...further('alter table sessions drop column extra').slice(-1)];
    const declared = { [last + 3]: last + 2 };
    await apply(db, list, declared);
    await apply(db, added);
    await expect(apply(db, added.slice(0, last + 1))).rejects.toMatchObject({
      code: 'NEWER_STORE',
      message: naming(last + 3, last + 2, last + 1),
    });
    await expect(apply(db, migrations)).rejects.toMatchObject({ code: 'NEWER_STORE' });
    expect(await isApplied(db)).toBe(last + 3);
  });

  test('without a statement about the last migration, only its own version starts', async () => {
    const db = await open();
    await apply(db, added);
    await sql`insert into migrations (number, at) values (${last + 3}, '')`.execute(db);
    await expect(apply(db, added)).rejects.toMatchObject({ code: 'NEWER_STORE' });
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
  const two = { 4: 3, 8: 6 };
  const supported = [1, 3, 4, 7, 8, 14].map((number) => supportsOf(number, two));
  expect(supported).toEqual([1, 1, 3, 3, 6, 6]);
});
