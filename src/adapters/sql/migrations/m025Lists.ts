// SPDX-License-Identifier: Apache-2.0
// Columns by which lists of records are filtered, searched and sorted, and the requests that were sent with an Idempotency-Key.
import { type Kysely, sql } from 'kysely';
import type { SqlKind } from './migration.ts';

const recordColumns = ['name', 'name_key', 'kind', 'status', 'changed_at'];

export async function m025Lists(db: Kysely<unknown>, kind: SqlKind): Promise<void> {
  // Both databases order texts by their bytes.
  const collation = sql.raw(kind === 'postgres' ? 'collate "C"' : '');
  for (const table of ['playlists', 'channels']) {
    for (const column of recordColumns) await db.schema.alterTable(table).addColumn(column, 'text').execute();
    // The version of the record from which the columns were made. They are filled when a list needs them, also for rows of the
    // version before, which does not write them.
    await db.schema
      .alterTable(table)
      .addColumn('listed_version', 'bigint', (column) => column.notNull().defaultTo(-1))
      .execute();
    // Searches read this index only: bodies are large.
    const more = table === 'channels' ? sql.raw(', playlist_id') : sql.raw('');
    await sql`create index ${sql.id(`${table}_by_name`)} on ${sql.table(table)}
      (tenant, name_key ${collation}, seq, id, kind, status${more})`.execute(db);
    await sql`create index ${sql.id(`${table}_by_change`)} on ${sql.table(table)}
      (tenant, changed_at ${collation}, seq)`.execute(db);
    await sql`create index ${sql.id(`${table}_unlisted`)} on ${sql.table(table)}
      (tenant) where listed_version <> version`.execute(db);
  }
  await db.schema.alterTable('creatives').addColumn('source_key', 'text').execute();
  await sql`create index creatives_unlisted on creatives (seq) where source_key is null`.execute(db);

  await db.schema
    .createTable('idempotency_keys')
    .addColumn('tenant', 'text', (column) => column.notNull())
    // SHA-256 of the key.
    .addColumn('key_hash', 'text', (column) => column.notNull())
    .addColumn('started_at', 'bigint', (column) => column.notNull())
    .addColumn('request_id', 'text', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    // Characters of the response.
    .addColumn('size', 'bigint', (column) => column.notNull())
    // Encrypted: a hash of the request, and the response.
    .addColumn('request', 'text', (column) => column.notNull())
    .addColumn('response', 'text')
    .addPrimaryKeyConstraint('idempotency_keys_once', ['tenant', 'key_hash'])
    .execute();
  await db.schema.createIndex('idempotency_keys_by_time').on('idempotency_keys').column('started_at').execute();
}
