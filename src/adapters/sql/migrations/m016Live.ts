// SPDX-License-Identifier: Apache-2.0
// The feeds of live channels and their timelines.
import type { Kysely } from 'kysely';

export async function m016Live(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('live_feeds')
    .addColumn('life', 'text', (column) => column.primaryKey())
    .addColumn('tenant', 'text', (column) => column.notNull())
    .addColumn('channel_id', 'text', (column) => column.notNull())
    .addColumn('format', 'text', (column) => column.notNull())
    .addColumn('body', 'text', (column) => column.notNull())
    .addColumn('off_since', 'bigint')
    .addColumn('on_since', 'bigint')
    .addUniqueConstraint('live_feeds_once', ['tenant', 'channel_id', 'format'])
    .execute();
  await db.schema
    .createTable('live_entries')
    // Removing a feed removes its entries.
    .addColumn('life', 'text', (column) => column.notNull().references('live_feeds.life').onDelete('cascade'))
    .addColumn('number', 'bigint', (column) => column.notNull())
    .addColumn('starts_at', 'bigint')
    .addColumn('writer', 'text', (column) => column.notNull())
    .addColumn('body', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('live_entries_once', ['life', 'number'])
    .execute();
}
