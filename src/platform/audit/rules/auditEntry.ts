// SPDX-License-Identifier: Apache-2.0
// An entry of the audit log: one administrative change, by whom and from where. The contract describes its fields.
import type { DeepReadonly } from '../../../http/contract/matching.ts';
import type { Millis } from '../../../time/units.ts';
import type { AuditEntryResponse } from '../contract/auditContract.ts';

/** Secrets, and large fields that have not changed, are not stored. */
export type AuditEntry = DeepReadonly<Omit<AuditEntryResponse, 'at'>> & {
  readonly tenant: string;
  readonly at: Millis;
};

export type Actor = AuditEntry['actor'];
export type AuditSource = AuditEntry['source'];
export type FieldChange = AuditEntry['changes'][number];

/** A change of a record. Without `before` it was created, without `after` deleted; without both it is an action. */
export type AuditedChange = {
  /** The kind of the record, such as `channel`. */
  readonly kind: string;
  readonly id?: string | undefined;
  readonly name?: string | undefined;
  readonly before?: object | undefined;
  readonly after?: object | undefined;
  /** What an action did. */
  readonly details?: object | undefined;
  /** The outcome of an action: `unchanged` if there was nothing left to do, `refused` for a sign-in. */
  readonly outcome?: 'done' | 'unchanged' | 'refused';
};
