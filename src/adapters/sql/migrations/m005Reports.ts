// SPDX-License-Identifier: Apache-2.0
// Counts of reports, the viewers that were counted, and the ids of counted batches.
import { type Kysely, sql } from 'kysely';
import { addSeq } from './addSeq.ts';
import type { SqlKind } from './migration.ts';

export async function m005Reports(db: Kysely<unknown>, kind: SqlKind): Promise<void> {
  const id = kind === 'sqlite' ? 'integer' : 'serial';
  await db.schema
    .createTable('report_series')
    .addColumn('id', id, (column) => (kind === 'sqlite' ? column.primaryKey().autoIncrement() : column.primaryKey()))
    .addColumn('system', 'text', (column) => column.notNull())
    .addColumn('report', 'text', (column) => column.notNull())
    .addColumn('dimension', 'text', (column) => column.notNull())
    .addColumn('channel', 'text', (column) => column.notNull())
    .addUniqueConstraint('report_series_once', ['system', 'report', 'dimension', 'channel'])
    .execute();
  await addSeq(db.schema.createTable('report_rollups'), kind)
    .addColumn('series', 'integer', (column) => column.notNull())
    .addColumn('step', 'integer', (column) => column.notNull())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addColumn('key', 'text', (column) => column.notNull())
    .addColumn('carried', 'integer', (column) => column.notNull())
    .addColumn('body', 'text', (column) => column.notNull())
    .execute();
  const index = (name: string) => db.schema.createIndex(name).on('report_rollups');
  await index('report_rollups_read').columns(['series', 'step', 'at']).execute();
  await index('report_rollups_fresh').columns(['series', 'at']).where(sql.ref('carried'), '=', sql.lit(0)).execute();
  await index('report_rollups_age').columns(['step', 'carried', 'at']).execute();
  await db.schema
    .createTable('report_batches')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('report_batches_by_age').on('report_batches').column('at').execute();
  await db.schema
    .createTable('report_carries')
    .addColumn('number', 'bigint', (column) => column.primaryKey())
    .execute();
  await db.schema
    .createTable('report_viewing')
    .addColumn('channel', 'text', (column) => column.notNull())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addColumn('part', 'integer', (column) => column.notNull())
    .addColumn('batch', 'text', (column) => column.notNull())
    .addColumn('viewers', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('report_viewing_part', ['channel', 'at', 'part'])
    .execute();
  await db.schema.createIndex('report_viewing_by_age').on('report_viewing').column('at').execute();
}
