// SPDX-License-Identifier: Apache-2.0
// The audit log: one row for each administrative change.
import type { Kysely } from 'kysely';
import { addSeq } from './addSeq.ts';
import type { SqlKind } from './migration.ts';

export async function m021AuditLog(db: Kysely<unknown>, kind: SqlKind): Promise<void> {
  await addSeq(db.schema.createTable('audit_log'), kind)
    .addColumn('id', 'text', (column) => column.notNull())
    .addColumn('tenant', 'text', (column) => column.notNull())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addColumn('actor_id', 'text', (column) => column.notNull())
    .addColumn('actor_email', 'text')
    .addColumn('operation', 'text', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('record_id', 'text', (column) => column.notNull())
    // What a search compares, in lower case.
    .addColumn('search', 'text', (column) => column.notNull())
    // Last, so that a search does not read it.
    .addColumn('body', 'text', (column) => column.notNull())
    .execute();
  const index = (name: string) => db.schema.createIndex(name).on('audit_log');
  await index('audit_log_by_id').column('id').execute();
  await index('audit_log_by_tenant').columns(['tenant', 'at', 'seq']).execute();
  await index('audit_log_by_record').columns(['tenant', 'kind', 'record_id', 'at', 'seq']).execute();
  await index('audit_log_by_time').column('at').execute();
}
