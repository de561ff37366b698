// SPDX-License-Identifier: Apache-2.0
// Publications in the containers of cloud systems, and the state of the containers.
import type { Kysely } from 'kysely';

export async function m003Cloud(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('publications')
    .addColumn('location', 'text', (column) => column.notNull())
    .addColumn('edition', 'text', (column) => column.notNull())
    .addColumn('frames', 'integer', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('objects', 'integer', (column) => column.notNull())
    .addColumn('bytes', 'bigint', (column) => column.notNull())
    .addColumn('tries', 'integer', (column) => column.notNull())
    .addColumn('due_at', 'bigint', (column) => column.notNull())
    .addColumn('used_at', 'bigint', (column) => column.notNull())
    .addColumn('changed_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('publications_once', ['location', 'edition', 'frames'])
    .execute();
  await db.schema.createIndex('publications_changed').on('publications').column('changed_at').execute();
  await db.schema.createIndex('publications_due').on('publications').columns(['state', 'due_at']).execute();
  await db.schema
    .createTable('containers')
    .addColumn('location', 'text', (column) => column.primaryKey())
    .addColumn('reason', 'text')
    .addColumn('checked_at', 'bigint', (column) => column.notNull())
    .execute();
}
