// SPDX-License-Identifier: Apache-2.0
import { randomUUID } from 'node:crypto';
import type { Versioned } from '../../../channels/ports.ts';
import type { Written } from '../../../channels/written.ts';
import { AppError } from '../../../errors.ts';
import type { AdminRequest } from '../../../http/admin/request/route.ts';
import { auditedChange } from '../../../http/admin/routes/record.ts';
import { isRecordId } from '../../../http/contract/commonContract.ts';
import type { AuditEntry } from '../../audit/rules/auditEntry.ts';
import type { RecordStore } from '../../systems/rules/ports.ts';

/**
 * What alert rules and webhooks have in common: a tenant can have few, and a deletion cannot be undone.
 * @param most of a tenant; an insertion at the limit throws a CONFLICT
 */
export const tenantRecords = <Row extends Written>(noun: string, store: RecordStore<Row>, most: number) => ({
  noun,
  store: {
    ...store,
    async insert(record: Row, entry: AuditEntry): Promise<boolean> {
      if (await store.insert(record, entry)) return true;
      if ((await store.find(record.tenant, record.id)) !== undefined) return false;
      throw new AppError('CONFLICT', `A tenant can have ${most} ${noun}s. Delete one first.`);
    },
  },
  async discard(record: Versioned<Row>, { audit }: AdminRequest) {
    const entry = audit.entry(auditedChange(noun, record, undefined));
    return (await store.remove(record.tenant, record.id, record.version, entry)) ? {} : undefined;
  },
  discarding: { headers: {} },
  newId: randomUUID,
  isId: isRecordId,
  changed: () => {},
});
