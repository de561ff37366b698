// SPDX-License-Identifier: Apache-2.0
// Starts a PostgreSQL server for one installation of a benchmark, and reads its own statistics.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { type PostgresServer, startPostgres } from '../../test/servers/startPostgres.ts';
import type { PostgresFigures, TableFigures } from './figures.ts';
import { processorTime } from './processorTime.ts';

/** A checkpoint would add images of whole pages to the log, at a moment that does not depend on the load. */
const OPTIONS = {
  shared_preload_libraries: 'pg_stat_statements',
  'pg_stat_statements.track_utility': 'off',
  track_wal_io_timing: 'off',
  checkpoint_timeout: '1h',
  max_wal_size: '8GB',
  shared_buffers: '256MB',
  autovacuum_naptime: '15s',
};

export type CountedPostgres = {
  readonly url: string;
  figures(): Promise<PostgresFigures>;
  /** Bytes of a row with its indexes, by table, after unused space is removed. */
  rowBytes(): Promise<Readonly<Record<string, { readonly rows: number; readonly bytes: number }>>>;
  stop(): Promise<void>;
};

const numbers = (row: Record<string, unknown>): Record<string, number> =>
  Object.fromEntries(Object.entries(row).map(([name, value]) => [name, Number(value)]));

const tableOf = (query: string): string | undefined =>
  /^\s*(?:insert into|update|delete from)\s+"?(\w+)"?/i.exec(query)?.[1];

async function readTables(client: pg.Client): Promise<Record<string, TableFigures>> {
  const tables: Record<string, { -readonly [name in keyof TableFigures]: number }> = {};
  const { rows } = await client.query(
    'select relname as name, n_tup_ins as inserted, n_tup_upd as updated, n_tup_del as deleted from pg_stat_user_tables',
  );
  for (const { name, ...counts } of rows)
    tables[name] = { ...(numbers(counts) as Omit<TableFigures, 'walBytes'>), walBytes: 0 };
  const statements = await client.query('select query, wal_bytes from pg_stat_statements where wal_bytes > 0');
  for (const { query, wal_bytes } of statements.rows) {
    const table = tables[tableOf(query) ?? ''];
    if (table !== undefined) table.walBytes += Number(wal_bytes);
  }
  return Object.fromEntries(
    Object.entries(tables).filter(([, { inserted, updated, deleted }]) => inserted + updated + deleted > 0),
  );
}

export async function startCountedPostgres(): Promise<CountedPostgres> {
  const server: PostgresServer = await startPostgres(
    Object.entries(OPTIONS).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  );
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  await client.query('create extension pg_stat_statements');
  const { rows } = await client.query('show data_directory');
  const pid = Number(readFileSync(join(rows[0].data_directory, 'postmaster.pid'), 'utf8').split('\n')[0]);
  return {
    url: server.url,
    async figures() {
      const wal = await client.query('select wal_bytes from pg_stat_wal');
      const tables = await readTables(client);
      return { walBytes: Number(wal.rows[0].wal_bytes), cpuMs: processorTime(pid), tables };
    },
    async rowBytes() {
      const names = await client.query('select relname as name from pg_stat_user_tables where n_live_tup > 0');
      const found: Record<string, { rows: number; bytes: number }> = {};
      for (const { name } of names.rows) {
        await client.query(`vacuum full ${name}`);
        const { rows } = await client.query(
          `select count(*) as rows, pg_total_relation_size('${name}') as bytes from ${name}`,
        );
        found[name] = numbers(rows[0]) as { rows: number; bytes: number };
      }
      return found;
    },
    async stop() {
      await client.end();
      await server.stop();
    },
  };
}
