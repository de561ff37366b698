// SPDX-License-Identifier: Apache-2.0
// Stores versioned JSON records (systems, playlists, channels): insert, find, list, replace and remove, one statement
// each. Leaves the format of a record and its extra columns to the stores that are built on this.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Compilable, type Kysely, sql } from 'kysely';
import type { Page, Versioned } from '../../channels/ports.ts';
import type { Sql } from './sql.ts';
import type { ChannelTable } from './sqlRecordSchema.ts';
import type { Database } from './sqlSchema.ts';

type Owned = { readonly tenant: string; readonly id: string };
type ColumnsOfChannel = Pick<ChannelTable, 'state' | 'playlist_id' | 'key_hash'>;
type Body = { version: number; body: string };

export type RecordKind<Row extends Owned> = {
  readonly table: 'systems' | 'playlists' | 'channels' | 'alert_rules' | 'webhooks';
  /** The columns in addition to tenant, id, version and body. */
  columns?(record: Row): Partial<ColumnsOfChannel>;
  write(record: Row): string;
  read(body: string): Row;
};

export type Records<Row extends Owned> = {
  insert(record: Row): Promise<boolean>;
  /** The insert statement alone, for `Sql.atomically`. */
  insertion(record: Row): Compilable;
  find(tenant: string, id: string): Promise<Versioned<Row> | undefined>;
  list(tenant: string, page: Page): Promise<{ total: number; items: Versioned<Row>[] }>;
  replace(record: Versioned<Row>): Promise<boolean>;
  remove(tenant: string, id: string, version?: number): Promise<boolean>;
  /** The delete statement alone. */
  removal(tenant: string, id: string, version?: number): Compilable;
  decode(row: Body): Versioned<Row>;
};

/** The record as JSON, without its version, which has a column. */
export const jsonBody = {
  write: (record: object): string => {
    const { version: _, ...rest } = record as { version?: number };
    return JSON.stringify(rest);
  },
  read: <Row>(body: string): Row => JSON.parse(body) as Row,
};

/** Characters. Before each larger body, other work of this thread gets a turn. */
const LARGE_BODY = 64 * 1024;

async function decodeAll<Row>(rows: readonly Body[], decode: (row: Body) => Row): Promise<Row[]> {
  const decoded: Row[] = [];
  for (const row of rows) {
    if (row.body.length > LARGE_BODY) await nextTurn();
    decoded.push(decode(row));
  }
  return decoded;
}

export function sqlRecords<Row extends Owned>(store: Sql, kind: RecordKind<Row>): Records<Row> {
  // The tables share these columns, so the types use one of them for all.
  const db = store.db as unknown as Kysely<Pick<Database, 'channels'>>;
  const table = kind.table as 'channels';

  const decode = ({ version, body }: Body): Versioned<Row> => ({ ...kind.read(body), version });
  const columnsOf = (record: Row) =>
    ({ ...kind.columns?.(record), body: kind.write(record) }) as ColumnsOfChannel & Pick<ChannelTable, 'body'>;
  const insertion = (record: Row) =>
    db.insertInto(table).values({ tenant: record.tenant, id: record.id, version: 0, ...columnsOf(record) });

  const removal = (tenant: string, id: string, version?: number) => {
    const all = db.deleteFrom(table).where('tenant', '=', tenant).where('id', '=', id);
    return version === undefined ? all : all.where('version', '=', version);
  };

  return {
    decode,
    insertion,
    insert: async (record) => {
      const result = await insertion(record)
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirst();
      return result.numInsertedOrUpdatedRows === 1n;
    },
    find: async (tenant, id) => {
      const row = await db
        .selectFrom(table)
        .select(['version', 'body'])
        .where('tenant', '=', tenant)
        .where('id', '=', id)
        .executeTakeFirst();
      return row && decode(row);
    },
    // The index finds the page and only its rows are read, so the last page costs as much as the first.
    list: async (tenant, { offset, limit }) => {
      const page = db
        .selectFrom(table)
        .select('seq')
        .where('tenant', '=', tenant)
        .orderBy('seq', 'desc')
        .limit(limit)
        .offset(offset);
      const [counted, rows] = await Promise.all([
        db.selectFrom(table).select(sql<number>`count(*)`.as('total')).where('tenant', '=', tenant).executeTakeFirst(),
        db.selectFrom(table).select(['version', 'body']).where('seq', 'in', page).orderBy('seq', 'desc').execute(),
      ]);
      return { total: Number(counted?.total ?? 0), items: await decodeAll(rows, decode) };
    },
    replace: async (record) => {
      const result = await db
        .updateTable(table)
        .set({ version: record.version + 1, ...columnsOf(record) })
        .where('tenant', '=', record.tenant)
        .where('id', '=', record.id)
        .where('version', '=', record.version)
        .executeTakeFirst();
      return result.numUpdatedRows === 1n;
    },
    removal,
    remove: async (tenant, id, version) =>
      (await removal(tenant, id, version).executeTakeFirst()).numDeletedRows === 1n,
  };
}
