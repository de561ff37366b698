// SPDX-License-Identifier: Apache-2.0
// The store of the audit log. Stores of records write the entry of a change in the transaction of the change.
import type { Millis } from '../../../time/units.ts';
import type { AuditEntry } from './auditEntry.ts';

export type AuditFilter = {
  readonly tenant: string;
  readonly from: Millis;
  /** Exclusive. */
  readonly to: Millis;
  /** Id or e-mail address. */
  readonly actor?: string;
  readonly kind?: string;
  readonly recordId?: string;
  readonly operation?: string;
  /** Occurs in the names, ids or changed fields; case-insensitive. */
  readonly text?: string;
};

/** The last entry that a page covers. */
export type AuditCursor = { readonly at: Millis; readonly seq: number };

type AuditPage = {
  readonly entries: readonly AuditEntry[];
  /** Undefined on the last page. A page that is not the last one can have few entries or none. */
  readonly next: AuditCursor | undefined;
};

export type AuditStore = {
  /** On disk when it resolves. */
  record(entry: AuditEntry): Promise<void>;
  /** Newest first. Reads a bounded number of entries, however many match. */
  list(filter: AuditFilter, after: AuditCursor | undefined, limit: number): Promise<AuditPage>;
  find(tenant: string, id: string): Promise<AuditEntry | undefined>;
  /** Deletes a bounded number of entries. @returns whether there are more */
  removeBefore(time: Millis): Promise<boolean>;
};
