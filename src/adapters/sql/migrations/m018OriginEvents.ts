// SPDX-License-Identifier: Apache-2.0
// Changes of the origins of live channels, and of what is on air.
import type { Kysely } from 'kysely';

export async function m018OriginEvents(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('origin_events')
    .addColumn('tenant', 'text', (column) => column.notNull())
    .addColumn('channel_id', 'text', (column) => column.notNull())
    .addColumn('format', 'text', (column) => column.notNull())
    // From 1 on for each channel and format. Two processes cannot both store what follows an event.
    .addColumn('number', 'bigint', (column) => column.notNull())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addColumn('body', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('origin_events_once', ['tenant', 'channel_id', 'format', 'number'])
    .execute();
  await db.schema.createIndex('origin_events_by_time').on('origin_events').column('at').execute();
}
