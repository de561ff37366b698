// SPDX-License-Identifier: Apache-2.0
// Lists of playlists, channels and ad sources, filtered, searched and sorted by columns.
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Channel } from '../../../channels/channel.ts';
import { labelKey } from '../../../channels/labels.ts';
import type {
  LabelCount,
  ListCursor,
  Listed,
  Listing,
  RecordNames,
  SortField,
  Versioned,
} from '../../../channels/ports.ts';
import { groupBy } from '../../../invariant.ts';
import type { ListColumns } from '../schema/channelTables.ts';
import { storable } from '../schema/schema.ts';
import type { Sql } from '../sql.ts';
import { type Body, countOf, decodeAll } from '../sqlRecords.ts';
import type { Database } from '../sqlSchema.ts';

type Named = Pick<Channel, 'id' | 'name' | 'createdAt' | 'modifiedAt'>;

/** @returns what the column contains */
function writeLabels(labels: readonly string[]): string | null {
  const lines = labels.map((text) => `${labelKey(text)}\t${text}\n`);
  return lines.length === 0 ? null : storable(`\n${lines.join('')}`);
}

const readLabels = (column: string): string[] =>
  column.split('\n').flatMap((line) => (line === '' ? [] : [line.slice(line.indexOf('\t') + 1)]));

/** The columns of a record. @param labels that it is listed by */
export const listColumns = (
  { id, name, createdAt, modifiedAt }: Named,
  values: Pick<ListColumns, 'kind' | 'status'>,
  labels: readonly string[] = [],
): ListColumns => ({
  name: name === undefined ? null : storable(name),
  name_key: storable((name || id).toLowerCase()),
  changed_at: modifiedAt ?? createdAt,
  labels: writeLabels(labels),
  ...values,
});

const hasText = ({ kind }: Pick<Sql, 'kind'>, column: string, text: string) =>
  kind === 'sqlite'
    ? sql<boolean>`instr(${sql.raw(column)}, ${text}) > 0`
    : sql<boolean>`strpos(${sql.raw(column)}, ${text}) > 0`;

/** What the column of a channel contains. @param ids of the ad sources of its steps */
export const writeSourceIds = (ids: readonly string[]): string | null =>
  ids.length === 0 ? null : `\n${ids.join('\n')}\n`;

/** Whether the steps of a channel list the ad source. */
export const listsSource = (store: Pick<Sql, 'kind'>, id: string): RawBuilder<boolean> =>
  sql<boolean>`(ad_sources is not null and ${hasText(store, 'ad_sources', `\n${id}\n`)})`;

const columnOf = { createdAt: undefined, modifiedAt: 'changed_at', name: 'name_key' } as const satisfies Record<
  SortField,
  string | undefined
>;

export function sqlLists<Row>(
  store: Sql,
  ofTable: 'playlists' | 'channels' | 'ad_sources',
  decode: (row: Body) => Versioned<Row>,
) {
  // The tables have the columns of lists.
  const db = store.db as unknown as Kysely<Pick<Database, 'channels'>>;
  const table = ofTable as 'channels';
  /** Both databases compare bytes. */
  const collation = sql.raw(store.kind === 'sqlite' ? '' : 'collate "C"');
  const has = (column: string, text: string) => hasText(store, column, text);

  /** A null column has no label. */
  function hasLabel(labels: readonly string[]): RawBuilder<boolean> {
    const each = labels.map((text) => has('labels', `\n${storable(labelKey(text))}\t`));
    return sql<boolean>`(labels is not null and (${sql.join(each, sql` or `)}))`;
  }

  type Filter = Omit<Listing, 'offset' | 'limit'>;
  function filtered(tenant: string, { search, type, status, playlistId, adSource, labels = [], ids }: Filter) {
    let found = db.selectFrom(table).where('tenant', '=', tenant);
    if (type !== undefined) found = found.where('kind', '=', type);
    if (status !== undefined) found = found.where('status', '=', status);
    if (playlistId !== undefined) found = found.where('playlist_id', '=', playlistId);
    if (adSource !== undefined) found = found.where(listsSource(store, adSource));
    if (labels.length > 0) found = found.where(hasLabel(labels));
    if (ids !== undefined) found = ids.length === 0 ? found.where(sql<boolean>`1 = 0`) : found.where('id', 'in', ids);
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
    async labels(tenant: string, ids?: readonly string[]): Promise<LabelCount[]> {
      if (ids?.length === 0) return [];
      const all = filtered(tenant, { ids }).where('labels', 'is not', null);
      const rows = await all.select('labels').orderBy('seq').execute();
      const groups = groupBy(
        rows.flatMap((row) => readLabels(row.labels ?? '')),
        labelKey,
      );
      const sorted = [...groups].sort(([a], [b]) => (a < b ? -1 : 1));
      return sorted.map(([, [label, ...others]]) => ({ label, count: 1 + others.length }));
    },
    async labelled(tenant: string, labels: readonly string[]): Promise<string[]> {
      const rows = await filtered(tenant, { labels }).select('id').orderBy('seq').execute();
      return rows.map(({ id }) => id);
    },
    async list(tenant: string, listing: Listing): Promise<Listed<Versioned<Row>>> {
      const { offset, limit, sort = { field: 'createdAt', isDescending: true }, after } = listing;
      if (listing.ids?.length === 0) return { total: 0, items: [] };
      const column = columnOf[sort.field];
      const direction = sort.isDescending ? 'desc' : 'asc';
      const all = filtered(tenant, listing);
      const sortKey = sql<string | null>`${sql.raw(column ?? 'null')}`;
      const byKey = sql`${sql.raw(column ?? 'seq')} ${column === undefined ? sql.raw('') : collation}`;
      let page = all.select('seq').orderBy(byKey, direction).orderBy('seq', direction);
      if (after) page = page.where(isAfter(after, column, direction));
      // The index finds the page and only the bodies of its rows are read, so the last page costs as much as the first.
      const [total, rows] = await Promise.all([
        countOf(all),
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
        total,
        items: await decodeAll(rows, decode),
        ...(last && rows.length === limit ? { next: { key: last.key, seq: last.seq } } : {}),
      };
    },
    /** Records without a name, and unknown ones, are absent. */
    async names(tenant: string, ids: readonly string[]): Promise<RecordNames> {
      if (ids.length === 0) return new Map();
      const rows = await filtered(tenant, { ids }).select(['id', 'name']).execute();
      return new Map(rows.flatMap(({ id, name }) => (name ? [[id, name] as const] : [])));
    },
  };
}
