// SPDX-License-Identifier: Apache-2.0
// A backup keeps what servers, users and keys write; `midroll check` finds nothing wrong with it after a restore, and finds each kind
// of damage. On both databases.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { openSecretBox } from '../../src/adapters/sql/secrets/secretKey.ts';
import type { Sql } from '../../src/adapters/sql/sql.ts';
import { SESSION_TABLES } from '../../src/cli/backup/backup.ts';
import { main } from '../../src/cli/main.ts';
import { openSql } from '../../src/database.ts';
import { naming } from '../naming.ts';
import { opened, scratchFolder } from '../opened.ts';
import { startAdmin } from '../servers/adminServer.ts';
import { createDatabase } from '../servers/postgresDatabase.ts';
import { filledTables, fillTables } from './fillTables.ts';

const SECRET_KEY = 'a secret for tests';
const DAY = 86_400_000;
const root = scratchFolder();

type Env = Readonly<Record<string, string>>;
async function run(words: readonly string[], env: Env) {
  const lines: string[] = [];
  const add = (text: string) => void lines.push(...text.split('\n'));
  const status = await main([...words], env, { result: add, note: add });
  return { status, lines };
}
const problemsOf = async (env: Env) =>
  (await run(['check'], env)).lines.filter((line) => /^[^\w\s]/.test(line) && !line.startsWith('✓'));

/** As text, with each value as JSON. */
async function contentOf({ db }: Sql, table: string): Promise<string[]> {
  const { rows } = await sql<object>`select * from ${sql.table(table)}`.execute(db);
  return rows.map((row) => JSON.stringify(row)).sort();
}

async function tablesOf({ db, kind }: Sql): Promise<string[]> {
  const { rows } = await (kind === 'sqlite'
    ? sql<{ name: string }>`select name from sqlite_master where type = 'table' and name not like 'sqlite_%'`
    : sql<{ name: string }>`select tablename as name from pg_tables where schemaname = 'public'`
  ).execute(db);
  return rows.map(({ name }) => name).sort();
}

describe.each(['SQLite', 'PostgreSQL'])('%s', async (kind) => {
  const [database, target] =
    kind === 'PostgreSQL' ? [await opened(createDatabase()), await opened(createDatabase())] : [];
  const withUrl = (url: string | undefined): Env => (url === undefined ? {} : { DATABASE_URL: url });
  const admin = await opened(startAdmin(database === undefined ? {} : { databaseUrl: database.url }));
  const env: Env = { DATA_DIR: admin.dataDir, SECRET_KEY, ...withUrl(database?.url) };
  beforeAll(async () => {
    await openSecretBox({ DATA_DIR: admin.dataDir, SECRET_KEY }, admin.store);
    await fillTables(admin);
  });

  test('backup, restore and check: all tables except those of sessions have the same rows', async () => {
    expect(await problemsOf(env)).toEqual([]);
    // A session without its row is left out, too.
    await admin.store.db
      .insertInto('decisions')
      .values({ session_id: 's', break_id: 'b', starts_at: 0, body: '{}' })
      .execute();
    const folder = join(root, `${kind}-backup`);
    const saved = await run(['backup', folder], env);
    expect([saved.status, saved.lines]).toEqual([0, expect.anything()]);
    const shell = (command: string, url: string) =>
      execFileSync('bash', ['-euc', command], { env: { ...process.env, DATABASE_URL: url } });
    if (database) shell(saved.lines.find((line) => line.startsWith('pg_dump'))!, database.url);
    const restored: Env = { DATA_DIR: join(root, `${kind}-restored`), SECRET_KEY, ...withUrl(target?.url) };
    const done = await run(['restore', folder], restored);
    expect([done.status, done.lines]).toEqual([0, expect.anything()]);
    if (target) shell(done.lines.find((line) => line.startsWith('pg_restore'))!, target.url);
    expect(await problemsOf(restored)).toEqual([]);
    const copy = await openSql({ DATA_DIR: restored.DATA_DIR!, ...withUrl(target?.url) });
    const tables = await tablesOf(admin.store);
    expect(await tablesOf(copy)).toEqual(tables);
    expect(tables).toEqual(expect.arrayContaining([...filledTables, ...SESSION_TABLES]));
    for (const table of tables) {
      const rows = await contentOf(copy, table);
      if (SESSION_TABLES.includes(table)) expect([table, rows]).toEqual([table, []]);
      else expect([table, rows]).toEqual([table, await contentOf(admin.store, table)]);
    }
    for (const table of filledTables) expect([table, (await contentOf(copy, table)).length]).not.toEqual([table, 0]);
    await copy.close();
    await admin.store.db.deleteFrom('decisions').execute();
  });

  test.each([
    ['sessions of users', sql`update console_sessions set tokens = 's1.a.b.c'`, ['console_sessions']],
    ['idempotency keys', sql`update idempotency_keys set response = 's1.a.b.c'`, ['idempotency_keys']],
    [
      'deleted systems',
      sql`update deleted_records set body = '{"sealed": "s1.a.b.c"}' where kind = 'system'`,
      ['deleted_records'],
    ],
    ['deleted playlists', sql`update deleted_records set body = '{' where kind = 'playlist'`, ['deleted_records']],
    ['entries of the audit log', sql`update audit_log set body = 'x'`, ['audit_log']],
    ['alerts', sql`update alerts set body = ''`, ['alerts']],
    ['silences', sql`update alert_silences set body = ''`, ['alert_silences']],
    ['events', sql`update alert_events set body = '{"id'`, ['alert_events']],
    ['attempts', sql`update webhook_deliveries set log = 'x'`, ['webhook_deliveries']],
    ['breaks of the history', sql`update past_breaks set body = ${Buffer.from('x')}`, ['past_breaks']],
    ['sessions of the history', sql`update past_sessions set parameters = '%'`, ['past_sessions']],
    ['webhooks', sql`update webhooks set body = replace(body, '"hook"', '"other"')`, ['✗', 'webhook "hook"']],
    ['ad sources', sql`update ad_sources set body = replace(body, '"vast"', '"vmap"')`, ['ad source "source"']],
    [
      'ad sources of channels',
      sql`update ad_sources set body = replace(body, '"source"', '"other"'), id = 'other'`,
      ['channel', '"source"'],
    ],
    ['alert rules', sql`update alert_rules set body = replace(body, 'off-air', 'offair')`, ['alert rule "rule"']],
    ['rights of keys', sql`update api_keys set channels = 'x' where channels is not null`, ['✗', 'key']],
    ['channels of keys', sql`update api_keys set channels = '["no"]' where channels is not null`, ['key', '"no"']],
    [
      'channels of rules',
      sql`update alert_rules set body = replace(body, '["one"]', '["no"]')`,
      ['alert rule', '"no"'],
    ],
    ['alerts of deleted rules', sql`update alerts set rule_id = 'no'`, ['alerts', 'alert_rules']],
    ['alerts of deleted channels', sql`update alerts set channel_id = 'no'`, ['alerts', 'channels']],
    [
      'deliveries of deleted webhooks',
      sql`update webhook_deliveries set webhook_id = 'no'`,
      ['webhook_deliveries', 'webhooks'],
    ],
    ...[
      ...(['console_sessions', 'deleted_records', 'idempotency_keys', 'alert_events', 'webhook_deliveries'] as const),
      ...(['past_sessions', 'past_breaks', 'audit_log'] as const),
    ].map(
      (table) =>
        [
          ...([
            `${table} of an unknown tenant`,
            sql`update ${sql.table(table)} set tenant = 'no' where tenant = 'acme'`,
          ] as const),
          [table, 'tenants'],
        ] as const,
    ),
    ...(
      [
        ['audit_log', 'at', 368],
        ['past_sessions', 'kept_from', 10],
        ['past_breaks', 'kept_from', 10],
        ['alert_events', 'at', 33],
        ['webhook_deliveries', 'created_at', 10],
        ['idempotency_keys', 'started_at', 4],
        ['console_sessions', 'expires_at', 3],
        ['deleted_records', 'until_at', 3],
      ] as const
    ).map(
      ([table, column, days]) =>
        [
          ...([
            `old rows of ${table}`,
            sql`update ${sql.table(table)} set ${sql.ref(column)} = ${Date.now() - days * DAY}`,
          ] as const),
          [table],
        ] as const,
    ),
  ] as const)('finds damage: %s', async (_, damage, names) => {
    const { db } = admin.store;
    const table = /update "?(\w+)/.exec(damage.compile(db).sql)![1]!;
    // A copy of the table, so that damages do not add up.
    await sql`create table kept as select * from ${sql.table(table)}`.execute(db);
    try {
      await damage.execute(db);
      const problems = await problemsOf(env);
      expect(problems).toContainEqual(naming(...names));
    } finally {
      await sql`delete from ${sql.table(table)}`.execute(db);
      await sql`insert into ${sql.table(table)} select * from kept`.execute(db);
      await sql`drop table kept`.execute(db);
    }
    expect(await problemsOf(env)).toEqual([]);
  });
});
