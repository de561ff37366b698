// SPDX-License-Identifier: Apache-2.0
// A change of a record for the audit log: its fields, without those that every change sets.
import type { AuditedChange } from '../../../platform/audit/rules/auditEntry.ts';
import { without } from './record.ts';

type Shown = { readonly id: string; readonly name?: string };

const omitted = ['_id', 'version', 'tenant', 'createdBy', 'createdAt', 'modifiedBy', 'modifiedAt', 'lastUsedAt'];

const fieldsOf = (record: object | undefined) => record && (without(record, omitted) as object);

export function auditedChange(kind: string, before: Shown | undefined, after: Shown | undefined): AuditedChange {
  const { id, name } = (after ?? before)!;
  return { kind, id, name, before: fieldsOf(before), after: fieldsOf(after) };
}
