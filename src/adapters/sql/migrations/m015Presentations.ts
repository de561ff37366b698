// SPDX-License-Identifier: Apache-2.0
// What VoD sessions show, how long they and their deliveries are kept, and the imports of titles that viewers named.
import { type Kysely, sql } from 'kysely';

export async function m015Presentations(db: Kysely<unknown>): Promise<void> {
  for (const table of ['sessions', 'deliveries', 'assets'])
    await db.schema.alterTable(table).addColumn('keep_until', 'bigint').execute();
  // Expiry reads live rows by their age and kept ones by `keep_until`, not all kept rows each time.
  await db.schema.dropIndex('deliveries_by_age').execute();
  for (const [table, age] of [
    ['sessions', 'seen_at'],
    ['deliveries', 'last_at'],
  ] as const) {
    const keepUntil = sql.ref('keep_until');
    const index = (name: string) => db.schema.createIndex(`${table}_${name}`).on(table);
    await index('live').column(age).where(keepUntil, 'is', sql.lit(null)).execute();
    await index('kept').column('keep_until').where(keepUntil, 'is not', sql.lit(null)).execute();
  }
  await db.schema
    .createTable('presentations')
    .addColumn('session_id', 'text', (column) => column.primaryKey())
    .addColumn('body', 'text', (column) => column.notNull())
    .addColumn('writer', 'text', (column) => column.notNull())
    .execute();
  await db.schema
    .createTable('titles')
    .addColumn('tenant', 'text', (column) => column.notNull())
    .addColumn('channel_id', 'text', (column) => column.notNull())
    // The index of PostgreSQL does not accept URLs of several kilobytes.
    .addColumn('url_hash', 'text', (column) => column.notNull())
    .addColumn('url', 'text', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('reason', 'text')
    .addColumn('asset', 'text')
    .addColumn('duration', 'bigint')
    .addColumn('started_at', 'bigint', (column) => column.notNull())
    .addColumn('updated_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('titles_once', ['tenant', 'channel_id', 'url_hash'])
    .execute();
}
