// SPDX-License-Identifier: Apache-2.0
// The statement that stores an entry of the audit log, for the transaction of the change.
import type { Compilable, Kysely } from 'kysely';
import type { AuditEntry } from '../../../platform/audit/rules/auditEntry.ts';
import type { AuditTable } from '../schema/channelTables.ts';
import { storable } from '../schema/schema.ts';

const MAX_SEARCHED = 2000;

function searchOf({ actor, operation, record, source, changes }: AuditEntry): string {
  const names = [actor.email, actor.name, actor.hint, actor.id, operation, record.kind, record.id, record.name];
  const texts = [...names, source.requestId, source.address, ...changes.map(({ path }) => path)];
  const text = texts.filter((one) => one !== undefined).join(' ');
  return storable(text.toLowerCase()).slice(0, MAX_SEARCHED);
}

export function auditInsertion<Tables extends { audit_log: AuditTable }>(
  store: { readonly db: Kysely<Tables> },
  entry: AuditEntry,
): Compilable {
  const db = store.db as unknown as Kysely<{ audit_log: AuditTable }>;
  const { id, tenant, at, actor, operation, record } = entry;
  return db.insertInto('audit_log').values({
    id,
    tenant,
    at,
    operation,
    kind: record.kind,
    actor_id: storable(actor.id),
    actor_email: actor.email === undefined ? null : storable(actor.email),
    record_id: storable(record.id ?? ''),
    search: searchOf(entry),
    body: JSON.stringify(entry),
  });
}
