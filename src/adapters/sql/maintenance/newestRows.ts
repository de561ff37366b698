// SPDX-License-Identifier: Apache-2.0
// Reads the newest rows of a table, page by page: tables of what has happened grow with their retention.
import { sql } from 'kysely';
import type { Sql } from '../sql.ts';

const PAGE = 200;

export type StoredRow = Readonly<Record<string, unknown>>;

/** @param order an indexed column, newest last */
export async function* newestRows(
  { db }: Sql,
  table: string,
  columns: readonly string[],
  order: string,
  most: number,
): AsyncGenerator<StoredRow> {
  for (let offset = 0; offset < most; offset += PAGE) {
    const { rows } = await sql<StoredRow>`select ${sql.join(columns.map((column) => sql.ref(column)))}
      from ${sql.table(table)} order by ${sql.ref(order)} desc limit ${Math.min(PAGE, most - offset)} offset ${offset}`.execute(
      db,
    );
    yield* rows;
    if (rows.length < PAGE) return;
  }
}
