// SPDX-License-Identifier: Apache-2.0
// Reads the state of the database without changing it: openSql would create it and apply migrations.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { loadSqlite } from './loadSqlite.ts';
import type { Schema } from './schema/schema.ts';
import { DATABASE_FILE, type SqlSource } from './sql.ts';
import { readSupport, supportQuery } from './sqlMigrate.ts';

export type StoreState = {
  readonly kind: 'sqlite' | 'postgres';
  /**
   * `empty`: it has no tables of Midroll. The others: whose schema it has. `supported`: that of a newer version, which this
   * version can use; `newer`: which it cannot use. `unreleased`: that of a build from before the first release.
   */
  readonly schema: 'absent' | 'empty' | 'unreleased' | 'older' | 'current' | 'supported' | 'newer';
  readonly version: string;
  /** PostgreSQL: whether the user may create tables. */
  readonly isWritable: boolean;
};

/** @param own how many migrations this version contains */
function schemaOf(own: number, last: number, support: string | undefined): StoreState['schema'] {
  if (last === 0) return 'empty';
  if (support === undefined) return 'unreleased';
  if (last === own) return 'current';
  if (last < own) return 'older';
  return readSupport(last, support) <= own ? 'supported' : 'newer';
}

/** @throws if the database cannot be read */
export const inspectStore = ({ migrations }: Schema, source: SqlSource): Promise<StoreState> =>
  source.DATABASE_URL === undefined
    ? inspectSqlite(migrations.length, join(source.DATA_DIR, DATABASE_FILE))
    : inspectPostgres(migrations.length, source.DATABASE_URL, source.DATABASE_CONNECT_TIMEOUT_MS);

async function inspectSqlite(own: number, path: string): Promise<StoreState> {
  const { Driver } = await loadSqlite();
  const isAbsent = !existsSync(path);
  const file = new Driver(isAbsent ? ':memory:' : path, { readonly: !isAbsent, timeout: 2000 });
  try {
    const version = `${file.prepare('select sqlite_version()').pluck().get()}`;
    const hasTables = file.prepare("select 1 from sqlite_master where name = 'migrations'").get() !== undefined;
    const last = Number((hasTables ? file.prepare('select max(number) from migrations').pluck().get() : 0) ?? 0);
    const support = last > 0 ? (file.prepare(supportQuery).pluck().get() as string | undefined) : undefined;
    return { kind: 'sqlite', version, schema: isAbsent ? 'absent' : schemaOf(own, last, support), isWritable: true };
  } finally {
    file.close();
  }
}

async function inspectPostgres(
  own: number,
  connectionString: string,
  connectionTimeoutMillis = 5000,
): Promise<StoreState> {
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString, connectionTimeoutMillis, query_timeout: 10_000 });
  // Without a listener, a connection that ends by itself would end the process.
  client.on('error', () => {});
  await client.connect();
  try {
    const { rows } = await client.query<{ version: string; writable: boolean | null; found: boolean }>(
      `select current_setting('server_version') as version, to_regclass('migrations') is not null as found,
              has_schema_privilege(current_schema(), 'CREATE') as writable`,
    );
    const { version = 'unknown version', writable = false, found = false } = rows[0] ?? {};
    const read = found ? (await client.query<{ last: number }>('select max(number) as last from migrations')).rows : [];
    const last = Number(read[0]?.last ?? 0);
    const support = last > 0 ? (await client.query<{ value: string }>(supportQuery)).rows : [];
    const schema = schemaOf(own, last, support[0]?.value);
    return { kind: 'postgres', version, schema, isWritable: writable === true };
  } finally {
    await client.end();
  }
}
