// SPDX-License-Identifier: Apache-2.0
// Statements, as stores pass them to the database (sql.ts).
import type { CompiledQuery, QueryExecutorProvider } from 'kysely';

/** What Kysely builds: a query, or the text of an SQL statement. */
export type SqlStatement<Row = unknown> = { compile(db: QueryExecutorProvider): CompiledQuery<Row> };
export type SqlResult<Row> = { readonly rows: readonly Row[]; readonly changes: number };

/** A change and what depends on it, in one transaction. */
export type Change = {
  readonly before?: readonly SqlStatement[];
  readonly statement: SqlStatement;
  /** Runs only if `statement` has changed a row. */
  readonly ifChanged?: SqlStatement | undefined;
  readonly after?: readonly SqlStatement[];
};
