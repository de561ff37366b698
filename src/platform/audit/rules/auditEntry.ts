// SPDX-License-Identifier: Apache-2.0
// An entry of the audit log: one administrative change, by whom and from where.
import type { Millis } from '../../../time/units.ts';

/** Who changed something. */
export type Actor = {
  /** `unknown`: a sign-in was refused before the provider has named the user. */
  readonly kind: 'key' | 'user' | 'cli' | 'unknown';
  /** Of the API key or the user; for the command line, the name of the account in the operating system; otherwise empty. */
  readonly id: string;
  readonly email?: string;
  readonly name?: string;
  /** First characters of an API key. */
  readonly hint?: string;
};

/** Where a request came from. */
export type AuditSource = {
  readonly address?: string;
  readonly userAgent?: string;
  readonly requestId?: string;
};

export type FieldChange = {
  /** JSON Pointer of the field. */
  readonly path: string;
  readonly change: 'added' | 'removed' | 'changed';
};

export const auditOutcomes = ['created', 'changed', 'deleted', 'unchanged', 'done', 'refused'] as const;
export type AuditOutcome = (typeof auditOutcomes)[number];

/** A change of a record. Without `before` it was created, without `after` deleted; without both it is an action. */
export type AuditedChange = {
  /** Of the record, such as `channel`. */
  readonly kind: string;
  readonly id?: string | undefined;
  readonly name?: string | undefined;
  readonly before?: object | undefined;
  readonly after?: object | undefined;
  /** Of an action: what it did. */
  readonly details?: object | undefined;
  /** Of an action: `unchanged` if there was nothing left to do, `refused` for a sign-in. */
  readonly outcome?: 'done' | 'unchanged' | 'refused';
};

export type AuditEntry = {
  /** A UUID. */
  readonly id: string;
  readonly tenant: string;
  readonly at: Millis;
  readonly actor: Actor;
  readonly source: AuditSource;
  /** Operation id of the route, or the command. */
  readonly operation: string;
  readonly record: { readonly kind: string; readonly id?: string; readonly name?: string };
  readonly outcome: AuditOutcome;
  readonly changes: readonly FieldChange[];
  /** How many changes are not listed. */
  readonly moreChanges?: number;
  /** Without secrets, and without large fields that have not changed. */
  readonly before?: object;
  readonly after?: object;
  readonly details?: object;
};
