// SPDX-License-Identifier: Apache-2.0
// What a request adds to the audit log. Stores of records write the entry in the transaction of the change; changes of other
// routes are noted, and written before the response is sent.
import { randomUUID } from 'node:crypto';
import type { AuditEntry, AuditedChange } from '../../../platform/audit/rules/auditEntry.ts';
import { type AuditContext, composeEntry } from '../../../platform/audit/rules/composeEntry.ts';

export type AuditTrail = {
  /** The entry of a change that a store writes together with the change. */
  entry(change: AuditedChange): AuditEntry;
  /** A change that was made; its entry is written before the response is sent. */
  note(change: AuditedChange): void;
  /** The request has changed nothing, so no entry is written. */
  nothing(): void;
};

type Pending = AuditTrail & {
  /** What remains to be written. @param fallback the change if the route has stated none */
  rest(fallback: AuditedChange): readonly AuditEntry[];
};

export function createAuditTrail(contextOf: () => Omit<AuditContext, 'id'>): Pending {
  let isWritten = false;
  const noted: AuditEntry[] = [];
  const entryOf = (change: AuditedChange) => composeEntry({ ...contextOf(), id: randomUUID() }, change);
  return {
    entry(change) {
      isWritten = true;
      return entryOf(change);
    },
    nothing() {
      isWritten = true;
    },
    note: (change) => void noted.push(entryOf(change)),
    rest: (fallback) => (isWritten || noted.length > 0 ? noted : [entryOf(fallback)]),
  };
}
