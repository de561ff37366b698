// SPDX-License-Identifier: Apache-2.0
// Deletes a record so that it can be restored for a day.
import { randomUUID } from 'node:crypto';
import type { Versioned } from '../../../channels/ports.ts';
import type { Deletion, RestorableKind } from '../rules/deletedRecord.ts';
import { forceQuery } from '../contract/deletedContract.ts';
import { readQuery } from '../../../http/admin/request/readQuery.ts';
import type { AdminRequest, OpenRequest } from '../../../http/admin/request/route.ts';
import { auditedChange } from '../../../http/admin/routes/auditedChange.ts';
import type { AdminDeps } from '../../../http/admin/routes/ports.ts';
import type { Owned } from '../../../http/admin/routes/record.ts';
import type { Headers } from './affectedViewers.ts';

export const DELETED_PATH = '/api/v2/deleted';

export const restoreHeader = {
  'x-restore': 'Path that restores the record with POST, for 24 hours.',
};

/** @throws {AppError} VALIDATION_ERROR if it is neither `true` nor `false` */
export const isForced = ({ query }: Pick<OpenRequest, 'query'>): boolean =>
  readQuery(forceQuery, query).force === 'true';

/** @returns the headers of the response, or undefined if there is no such record or version, or if it is the last */
export async function discardRecord(
  { deleted, now }: Pick<AdminDeps, 'deleted' | 'now'>,
  kind: RestorableKind,
  record: Versioned<Owned & { readonly name?: string }>,
  { caller, audit }: Pick<AdminRequest, 'caller' | 'audit'>,
  conditions: { readonly unlessLastOf?: readonly string[] } = {},
): Promise<Headers | undefined> {
  const ref = randomUUID();
  const { tenant, id, name, version } = record;
  const deletion: Deletion = {
    ...{ ref, kind, tenant, id, deletedAt: now(), deletedBy: caller.email },
    ...(name === undefined ? {} : { name }),
    ...{ version, ...conditions },
  };
  return (await deleted.discard(deletion, audit.entry(auditedChange(kind, record, undefined))))
    ? { 'x-restore': `${DELETED_PATH}/${ref}/restore` }
    : undefined;
}
