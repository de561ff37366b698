// SPDX-License-Identifier: Apache-2.0
// Lists of playlists and channels, filtered, searched and sorted by columns. A record that is restored after it was deleted has none
// yet: they are made from the bodies before they are used, once for each version of a record.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import type { ListCursor, Listed, Listing, RecordNames, SortField, Versioned } from '../../../channels/ports.ts';
import type { Sql } from '../sql.ts';
import { decodeAll } from '../sqlRecords.ts';
import type { Database } from '../sqlSchema.ts';

type Named = { readonly id: string; readonly name?: string; readonly createdAt: string; readonly modifiedAt?: string };
export type ListValues = { readonly kind: string; readonly status: string };

type ListKind<Row> = {
  readonly table: 'playlists' | 'channels';
  decode(row: { version: number; body: string }): Versioned<Row>;
  listed(record: Row): ListValues;
};

/** Rows in one transaction. */
const REFRESHED = 50;

const storable = (text: string): string => text.replace(/\0|\p{Surrogate}/gu, '\uFFFD');

/** The columns of a record. */
export const listColumns = ({ id, name, createdAt, modifiedAt }: Named, values: ListValues) => ({
  name: name === undefined ? null : storable(name),
  name_key: storable((name || id).toLowerCase()),
  changed_at: modifiedAt ?? createdAt,
  ...values,
});

const columnOf = { createdAt: undefined, modifiedAt: 'changed_at', name: 'name_key' } as const satisfies Record<
  SortField,
  string | undefined
>;

export function sqlLists<Row extends Named & { readonly tenant: string }>(store: Sql, list: ListKind<Row>) {
  // Both tables have the columns of lists.
  const db = store.db as unknown as Kysely<Pick<Database, 'channels'>>;
  const table = list.table as 'channels';
  const isSqlite = store.kind === 'sqlite';
  /** Both databases compare bytes. */
  const collation = sql.raw(isSqlite ? '' : 'collate "C"');
  const has = (column: string, text: string) =>
    isSqlite
      ? sql<boolean>`instr(${sql.raw(column)}, ${text}) > 0`
      : sql<boolean>`strpos(${sql.raw(column)}, ${text}) > 0`;

  /** Makes the columns of rows that were written without them. */
  async function refresh(tenant: string): Promise<void> {
    for (;;) {
      const rows = await db
        .selectFrom(table)
        .select(['id', 'version', 'body'])
        .where('tenant', '=', tenant)
        .where(sql<boolean>`listed_version <> version`)
        .limit(REFRESHED)
        .execute();
      if (rows.length === 0) return;
      const updates = rows.map((row) => {
        const record = list.decode(row);
        return db
          .updateTable(table)
          .set({ ...listColumns(record, list.listed(record)), listed_version: row.version })
          .where('tenant', '=', tenant)
          .where('id', '=', row.id)
          .where('version', '=', row.version);
      });
      await store.atomically(updates);
      await nextTurn();
    }
  }

  function filtered(tenant: string, { search, type, status, playlistId }: Listing) {
    let found = db.selectFrom(table).where('tenant', '=', tenant);
    if (type !== undefined) found = found.where('kind', '=', type);
    if (status !== undefined) found = found.where('status', '=', status);
    if (playlistId !== undefined) found = found.where('playlist_id', '=', playlistId);
    const text = search?.toLowerCase();
    return text === undefined || text === ''
      ? found
      : found.where(sql<boolean>`(${has('name_key', text)} or ${has('lower(id)', text)})`);
  }

  function isAfter({ key, seq }: ListCursor, column: string | undefined, direction: 'asc' | 'desc') {
    const sign = sql.raw(direction === 'asc' ? '>' : '<');
    if (column === undefined || key === null) return sql<boolean>`seq ${sign} ${seq}`;
    return sql<boolean>`(${sql.raw(column)} ${collation}, seq) ${sign} (cast(${key} as text) ${collation}, ${seq})`;
  }

  return {
    async list(tenant: string, listing: Listing): Promise<Listed<Versioned<Row>>> {
      const { offset, limit, sort = { field: 'createdAt', isDescending: true }, after } = listing;
      const { search, type, status } = listing;
      const column = columnOf[sort.field];
      if ([search, type, status, column].some((one) => one !== undefined)) await refresh(tenant);
      const direction = sort.isDescending ? 'desc' : 'asc';
      const all = filtered(tenant, listing);
      const sortKey = sql<string | null>`${sql.raw(column ?? 'null')}`;
      const byKey = sql`${sql.raw(column ?? 'seq')} ${column === undefined ? sql.raw('') : collation}`;
      let page = all.select('seq').orderBy(byKey, direction).orderBy('seq', direction);
      if (after) page = page.where(isAfter(after, column, direction));
      // The index finds the page and only the bodies of its rows are read, so the last page costs as much as the first.
      const [counted, rows] = await Promise.all([
        all.select(sql<number>`count(*)`.as('total')).executeTakeFirst(),
        db
          .selectFrom(table)
          .select(['seq', 'version', 'body', sortKey.as('key')])
          .where('seq', 'in', page.limit(limit).offset(after ? 0 : offset))
          .orderBy(byKey, direction)
          .orderBy('seq', direction)
          .execute(),
      ]);
      const last = rows.at(-1);
      return {
        total: Number(counted?.total ?? 0),
        items: await decodeAll(rows, list.decode),
        ...(last && rows.length === limit ? { next: { key: last.key, seq: Number(last.seq) } } : {}),
      };
    },
    /** Records without a name, and unknown ones, are absent. */
    async names(tenant: string, ids: readonly string[]): Promise<RecordNames> {
      if (ids.length === 0) return new Map();
      await refresh(tenant);
      const rows = await db
        .selectFrom(table)
        .select(['id', 'name'])
        .where('tenant', '=', tenant)
        .where('id', 'in', ids)
        .execute();
      return new Map(rows.flatMap(({ id, name }) => (name ? [[id, name] as const] : [])));
    },
  };
}
