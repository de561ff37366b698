// SPDX-License-Identifier: Apache-2.0

import { AppError } from '../../../errors.ts';
import type { AuditEntry } from '../../audit/rules/auditEntry.ts';

type Owned = { readonly tenant: string; readonly id: string };
type Store<Row extends Owned> = {
  insert(record: Row, entry?: AuditEntry): Promise<boolean>;
  find(tenant: string, id: string): Promise<unknown>;
};

/**
 * The insertion of a store that limits the records of a tenant.
 * @param limit such as `50 webhooks`
 * @returns false if the id exists; @throws {AppError} CONFLICT at the limit
 */
export const insertWithin =
  <Row extends Owned>(store: Store<Row>, limit: string) =>
  async (record: Row, entry?: AuditEntry): Promise<boolean> => {
    if (await store.insert(record, entry)) return true;
    if ((await store.find(record.tenant, record.id)) !== undefined) return false;
    throw new AppError('CONFLICT', `A tenant can have ${limit}. Delete one first.`);
  };
