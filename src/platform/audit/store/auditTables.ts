// SPDX-License-Identifier: Apache-2.0
// The audit log: one row for each administrative change.
import { dialect, type Migration, runAll } from '../../../adapters/sql/schema/schema.ts';

export const createAuditTables: Migration = (db, kind) =>
  runAll(db, [
    // The body is last, so that a search does not read it.
    `create table audit_log (
      ${dialect[kind].seq}, id text not null, tenant text not null, at bigint not null, actor_id text not null,
      actor_email text, operation text not null, kind text not null, record_id text not null, search text not null,
      body text not null)`,
    'create index audit_log_by_id on audit_log (id)',
    'create index audit_log_by_tenant on audit_log (tenant, at, seq)',
    'create index audit_log_by_record on audit_log (tenant, kind, record_id, at, seq)',
    'create index audit_log_by_time on audit_log (at)',
  ]);
