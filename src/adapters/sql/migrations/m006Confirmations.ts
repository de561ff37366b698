// SPDX-License-Identifier: Apache-2.0
// Tracking events that players report.
import type { Kysely } from 'kysely';

export async function m006Confirmations(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('confirmations')
    .addColumn('session_id', 'text', (column) => column.notNull())
    .addColumn('break_id', 'text', (column) => column.notNull())
    .addColumn('ad_id', 'text', (column) => column.notNull())
    .addColumn('event', 'text', (column) => column.notNull())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addColumn('player_at', 'bigint')
    .addPrimaryKeyConstraint('confirmations_once', ['session_id', 'break_id', 'ad_id', 'event'])
    .execute();
}
