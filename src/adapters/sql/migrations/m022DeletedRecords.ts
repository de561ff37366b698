// SPDX-License-Identifier: Apache-2.0
// Deleted playlists, channels and systems, which can be restored until `until_at`.
import type { Kysely } from 'kysely';
import { addSeq } from './addSeq.ts';
import type { SqlKind } from './migration.ts';

export async function m022DeletedRecords(db: Kysely<unknown>, kind: SqlKind): Promise<void> {
  await addSeq(db.schema.createTable('deleted_records'), kind)
    .addColumn('ref', 'text', (column) => column.notNull().unique())
    .addColumn('tenant', 'text', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('id', 'text', (column) => column.notNull())
    // JSON, because names may contain what text columns reject.
    .addColumn('name', 'text')
    // The columns of the record: its place in lists, its version and its body.
    .addColumn('record_seq', 'bigint', (column) => column.notNull())
    .addColumn('version', 'integer', (column) => column.notNull())
    .addColumn('body', 'text', (column) => column.notNull())
    .addColumn('deleted_by', 'text', (column) => column.notNull())
    .addColumn('deleted_at', 'bigint', (column) => column.notNull())
    .addColumn('until_at', 'bigint', (column) => column.notNull())
    .execute();
  const index = (name: string, columns: readonly ('tenant' | 'seq' | 'id' | 'until_at')[]) =>
    db.schema
      .createIndex(name)
      .on('deleted_records')
      .columns([...columns])
      .execute();
  await index('deleted_records_by_tenant', ['tenant', 'seq']);
  await index('deleted_records_by_id', ['tenant', 'id']);
  await index('deleted_records_by_end', ['until_at']);
}
