// SPDX-License-Identifier: Apache-2.0
// Deletes a record so that it can be restored for a day.
import { randomUUID } from 'node:crypto';
import { auditedChange, type DiscardRecord } from '../../../http/admin/routes/record.ts';
import type { Millis } from '../../../time/units.ts';
import type { DeletedStore, Deletion } from '../rules/deletedRecord.ts';

export const DELETED_PATH = '/api/v2/deleted';

export const discardRecord =
  (deleted: Pick<DeletedStore, 'discard'>, now: () => Millis): DiscardRecord =>
  async (kind, record, { caller, audit }, conditions = {}) => {
    const ref = randomUUID();
    const { tenant, id, name, version } = record;
    const deletion: Deletion = {
      ref,
      kind,
      tenant,
      id,
      deletedAt: now(),
      deletedBy: caller.email,
      ...(name === undefined ? {} : { name }),
      version,
      ...conditions,
    };
    return (await deleted.discard(deletion, audit.entry(auditedChange(kind, record, undefined))))
      ? { 'x-restore': `${DELETED_PATH}/${ref}/restore` }
      : undefined;
  };
