// SPDX-License-Identifier: Apache-2.0
// Creatives and slate that were requested, with their owners. A row is both the creative and the job of preparing it.
import type { Kysely } from 'kysely';
import { addSeq } from './addSeq.ts';
import type { SqlKind } from './migration.ts';

export async function m007Creatives(db: Kysely<unknown>, kind: SqlKind): Promise<void> {
  await addSeq(db.schema.createTable('creatives'), kind)
    .addColumn('id', 'text', (column) => column.notNull().unique())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('body', 'text', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('urgency', 'integer', (column) => column.notNull())
    .addColumn('due_at', 'bigint', (column) => column.notNull())
    .addColumn('attempts', 'integer', (column) => column.notNull())
    .addColumn('reason', 'text')
    .addColumn('lease', 'text')
    .addColumn('lease_until', 'bigint')
    .addColumn('media_id', 'text')
    .addColumn('made', 'text')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('asked_at', 'bigint', (column) => column.notNull())
    .addColumn('made_at', 'bigint')
    .execute();
  await db.schema.createIndex('creatives_to_do').on('creatives').columns(['state', 'urgency', 'due_at']).execute();
  await db.schema.createIndex('creatives_by_lease').on('creatives').column('lease').execute();
  await db.schema.createIndex('creatives_by_media').on('creatives').column('media_id').execute();
  await db.schema
    .createTable('creative_owners')
    .addColumn('tenant', 'text', (column) => column.notNull())
    .addColumn('channel_id', 'text', (column) => column.notNull())
    .addColumn('creative_id', 'text', (column) => column.notNull())
    .addColumn('asked_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('creative_owners_once', ['tenant', 'creative_id', 'channel_id'])
    .execute();
  await db.schema.createIndex('owners_of_creative').on('creative_owners').column('creative_id').execute();
}
