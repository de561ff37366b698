// SPDX-License-Identifier: Apache-2.0
// Rows whose owner does not exist. Every writer removes an owner together with what belongs to it, in one transaction, so such rows
// are the trace of a defect, of an edit by hand or of a damaged file.
import { sql } from 'kysely';
import type { Sql } from '../sql.ts';

/** `table.column` refers to `owner.key`. */
type Reference = { readonly table: string; readonly column: string; readonly owner: string; readonly key: string };

const inSessions = ['decisions', 'breaks', 'claims', 'presentations', 'confirmations'].map((table) => ({
  ...{ table, column: 'session_id', owner: 'sessions', key: 'id' },
}));
const references: readonly Reference[] = [
  { table: 'editions', column: 'life', owner: 'airings', key: 'life' },
  { table: 'live_entries', column: 'life', owner: 'live_feeds', key: 'life' },
  { table: 'creative_owners', column: 'creative_id', owner: 'creatives', key: 'id' },
  ...['channels', 'playlists', 'systems', 'api_keys'].map((table) => ({
    ...{ table, column: 'tenant', owner: 'tenants', key: 'name' },
  })),
];

export type LooseRows = { readonly table: string; readonly owner: string; readonly count: number };

/** @param hasSessions whether sessions are in the database, not in Redis */
export async function findLooseRows({ db }: Sql, hasSessions: boolean): Promise<LooseRows[]> {
  const found: LooseRows[] = [];
  for (const { table, column, owner, key } of [...references, ...(hasSessions ? inSessions : [])]) {
    const { rows } = await sql<{ count: number }>`select count(*) as count from ${sql.table(table)}
      where not exists (select 1 from ${sql.table(owner)}
                        where ${sql.ref(`${owner}.${key}`)} = ${sql.ref(`${table}.${column}`)})`.execute(db);
    const count = Number(rows[0]?.count ?? 0);
    if (count > 0) found.push({ table, owner, count });
  }
  return found;
}
