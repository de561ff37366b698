// SPDX-License-Identifier: Apache-2.0
// What operators order by hand: inserted breaks, and changes of breaks of live origins; and which viewers had a break.
import type { Kysely } from 'kysely';

export async function m017BreakOrders(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('break_orders')
    .addColumn('tenant', 'text', (column) => column.notNull())
    .addColumn('channel_id', 'text', (column) => column.notNull())
    .addColumn('id', 'text', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('revision', 'integer', (column) => column.notNull())
    .addColumn('starts_at', 'bigint', (column) => column.notNull())
    // The latest time a date can hold, if it lasts until it is ended.
    .addColumn('over_at', 'bigint', (column) => column.notNull())
    .addColumn('is_cancelled', 'integer', (column) => column.notNull())
    .addColumn('body', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('break_orders_once', ['tenant', 'channel_id', 'id'])
    .execute();
  // The viewers of a break are counted from the index alone.
  await db.schema.alterTable('breaks').addColumn('life', 'text').execute();
  await db.schema
    .alterTable('breaks')
    .addColumn('has_ads', 'integer', (column) => column.notNull().defaultTo(0))
    .execute();
  await db.schema
    .createIndex('breaks_by_break')
    .on('breaks')
    .columns(['life', 'break_id', 'session_id', 'has_ads'])
    .execute();
  await db.schema.createIndex('break_orders_current').on('break_orders').column('over_at').execute();
}
