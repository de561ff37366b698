// SPDX-License-Identifier: Apache-2.0
// Claims of the right to request the ads of a break: one holder at a time, and the response until the break is decided.
import type { Kysely } from 'kysely';

export async function m010Claims(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('claims')
    .addColumn('session_id', 'text', (column) => column.notNull())
    .addColumn('break_id', 'text', (column) => column.notNull())
    .addColumn('starts_at', 'bigint', (column) => column.notNull())
    .addColumn('holder', 'text', (column) => column.notNull())
    .addColumn('until_at', 'bigint', (column) => column.notNull())
    .addColumn('answer', 'text')
    .addPrimaryKeyConstraint('claims_once', ['session_id', 'break_id'])
    .execute();
}
