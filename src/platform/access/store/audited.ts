// SPDX-License-Identifier: Apache-2.0
// Changes with an entry of the audit log in the same transaction. What a process does on its own has none.
import { auditInsertion } from '../../../adapters/sql/records/auditInsertion.ts';
import type { Sql } from '../../../adapters/sql/sql.ts';
import type { SqlStatement } from '../../../adapters/sql/statement.ts';
import type { AuditEntry } from '../../audit/rules/auditEntry.ts';

/** The statement that stores the entry. */
export const withEntry = (store: Sql, entry: AuditEntry | undefined): SqlStatement[] =>
  entry === undefined ? [] : [auditInsertion(store, entry)];

/** Stores the entry only if `statement` removes a row. @returns whether it did */
export async function removeAudited(
  store: Sql,
  statement: SqlStatement,
  entry: AuditEntry | undefined,
  before: readonly SqlStatement[] = [],
): Promise<boolean> {
  if (entry === undefined) return (await store.atomically([...before, statement])).at(-1) === 1;
  return (await store.change({ before, statement, ifChanged: auditInsertion(store, entry) })) === 1;
}
