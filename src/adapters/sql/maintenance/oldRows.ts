// SPDX-License-Identifier: Apache-2.0
// Rows that tasks of the servers should have deleted.
import { sql } from 'kysely';
import type { Sql } from '../sql.ts';

/** `column` is a time in milliseconds; rows before `before` are old. */
export type AgeLimit = { readonly table: string; readonly column: string; readonly before: number };
export type OldRows = { readonly table: string; readonly count: number };

export async function findOldRows({ db }: Sql, limits: readonly AgeLimit[]): Promise<OldRows[]> {
  const found: OldRows[] = [];
  for (const { table, column, before } of limits) {
    const { rows } = await sql<{ count: number }>`select count(*) as count from ${sql.table(table)}
      where ${sql.ref(column)} < ${before}`.execute(db);
    const count = Number(rows[0]?.count ?? 0);
    if (count > 0) found.push({ table, count });
  }
  return found;
}
