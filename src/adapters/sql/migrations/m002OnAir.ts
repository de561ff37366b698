// SPDX-License-Identifier: Apache-2.0
// Lives and editions of channels, imported assets, sessions and their decisions.
import type { Kysely } from 'kysely';
import { addSeq } from './addSeq.ts';
import type { SqlKind } from './migration.ts';

export async function m002OnAir(db: Kysely<unknown>, kind: SqlKind): Promise<void> {
  await db.schema
    .createTable('airings')
    .addColumn('channel_id', 'text', (column) => column.primaryKey())
    .addColumn('life', 'text', (column) => column.notNull())
    .addColumn('body', 'text', (column) => column.notNull())
    .execute();
  await db.schema
    .createTable('editions')
    .addColumn('life', 'text', (column) => column.notNull())
    .addColumn('number', 'integer', (column) => column.notNull())
    .addColumn('body', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('editions_of_life', ['life', 'number'])
    .execute();
  await db.schema
    .createTable('assets')
    .addColumn('key', 'text', (column) => column.primaryKey())
    .addColumn('body', 'text', (column) => column.notNull())
    .execute();

  await db.schema
    .createTable('sources')
    .addColumn('url', 'text', (column) => column.primaryKey())
    .addColumn('asset', 'text', (column) => column.notNull())
    .addColumn('imported_at', 'bigint', (column) => column.notNull())
    .execute();

  await addSeq(db.schema.createTable('sessions'), kind)
    .addColumn('id', 'text', (column) => column.notNull().unique())
    .addColumn('channel_id', 'text', (column) => column.notNull())
    .addColumn('body', 'text', (column) => column.notNull())
    .addColumn('odometer', 'text', (column) => column.notNull())
    .addColumn('folded_before', 'bigint', (column) => column.notNull())
    .addColumn('seen_at', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('sessions_of_channel').on('sessions').columns(['channel_id', 'seq']).execute();
  await db.schema.createIndex('sessions_by_seen').on('sessions').column('seen_at').execute();
  for (const name of ['decisions', 'breaks']) {
    await db.schema
      .createTable(name)
      .addColumn('session_id', 'text', (column) => column.notNull())
      .addColumn('break_id', 'text', (column) => column.notNull())
      .addColumn('starts_at', 'bigint', (column) => column.notNull())
      .addColumn('body', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint(`${name}_once`, ['session_id', 'break_id'])
      .execute();
  }
}
