// SPDX-License-Identifier: Apache-2.0
// Bytes that the tables of the history use in the database, with their indexes.
import { sql } from 'kysely';
import type { Sql } from '../../src/adapters/sql/sql.ts';

export async function usedByHistory({ db, kind }: Sql): Promise<number> {
  // SQLite: all pages in use, since the history is almost all of the file of a test.
  const query =
    kind === 'sqlite'
      ? sql<{ bytes: number }>`select (page_count - freelist_count) * page_size as bytes
          from pragma_page_count(), pragma_freelist_count(), pragma_page_size()`
      : sql<{
          bytes: number;
        }>`select pg_total_relation_size('past_sessions') + pg_total_relation_size('past_breaks') as bytes`;
  return Number((await query.execute(db)).rows[0]!.bytes);
}
