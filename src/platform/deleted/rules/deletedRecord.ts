// SPDX-License-Identifier: Apache-2.0
// Deleted playlists, channels, systems and ad sources: what is kept of them, and for how long. API keys are not kept, so that a revoked
// key can never be valid again.

import type { DeepReadonly } from '../../../http/contract/matching.ts';
import { type Millis, millis } from '../../../time/units.ts';
import type { AuditEntry } from '../../audit/rules/auditEntry.ts';
import type { DeletedResponse } from '../contract/deletedContract.ts';

export type RestorableKind = DeletedResponse['kind'];

export const RESTORABLE_FOR_MS = 24 * 3_600_000;
/** Newest deletions of a tenant that can be restored. Earlier ones are removed before their time. */
export const MAX_DELETED = 500;

export const restorableUntil = (deletedAt: Millis): Millis => millis(deletedAt + RESTORABLE_FOR_MS);

/** `ref` identifies the deletion: a record can be deleted, restored and deleted again. */
export type DeletedRecord = DeepReadonly<Omit<DeletedResponse, 'deletedAt' | 'restorableUntil'>> & {
  readonly deletedAt: Millis;
  readonly until: Millis;
};

export type Deletion = Omit<DeletedRecord, 'until'> & {
  readonly tenant: string;
  /** Only this version is deleted. */
  readonly version?: number;
  /** IDs of records of the same kind, one of which must remain. */
  readonly unlessLastOf?: readonly string[];
};

/** `idTaken`: there is another record with this id. `keyTaken`: a channel of any tenant has this id and key. */
type Restoring = 'restored' | 'idTaken' | 'keyTaken' | 'unknown';

/** With an entry of the audit log, a change stores it in the same transaction. */
export type DeletedStore = {
  /** Deletes a record and keeps it. False if there is no such record or version, if it is the last, or an ad source in use. */
  discard(deletion: Deletion, entry?: AuditEntry): Promise<boolean>;
  find(tenant: string, ref: string, now: Millis): Promise<DeletedRecord | undefined>;
  /** Newest deletions first. */
  list(
    tenant: string,
    page: { readonly offset: number; readonly limit: number; readonly kind?: RestorableKind },
    now: Millis,
  ): Promise<{ total: number; items: DeletedRecord[] }>;
  /** Stores the record as it was, with version and place. What the last deleted channel of an id had on air continues. */
  restore(tenant: string, ref: string, now: Millis, entry?: AuditEntry): Promise<Restoring>;
  /** Removes what can no longer be restored. */
  purge(now: Millis): Promise<void>;
};
