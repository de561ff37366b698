// SPDX-License-Identifier: Apache-2.0
// Deleted records, which can be restored until `until_at`.
import type { RecordTable } from '../../../adapters/sql/schema/channelTables.ts';
import { dialect, type Migration, runAll } from '../../../adapters/sql/schema/schema.ts';

/** A record that can be restored. */
export type DeletedRecordTable = RecordTable & {
  ref: string;
  kind: string;
  /** JSON, because names may contain what text columns reject. */
  name: string | null;
  /** Its place in lists. */
  record_seq: number;
  deleted_by: string;
  deleted_at: number;
  until_at: number;
};

declare module '../../../adapters/sql/sqlSchema.ts' {
  interface PlatformTables {
    deleted_records: DeletedRecordTable;
  }
}

export const createDeletedTables: Migration = (db, kind) =>
  runAll(db, [
    `create table deleted_records (
      ${dialect[kind].seq}, ref text not null unique, tenant text not null, kind text not null, id text not null, name text,
      record_seq bigint not null, version integer not null, body text not null, deleted_by text not null,
      deleted_at bigint not null, until_at bigint not null)`,
    'create index deleted_records_by_tenant on deleted_records (tenant, seq)',
    'create index deleted_records_by_id on deleted_records (tenant, id)',
    'create index deleted_records_by_end on deleted_records (until_at)',
  ]);
