// SPDX-License-Identifier: Apache-2.0
// Stores versioned JSON records (systems, playlists, channels): insert, find, list, replace and remove, one statement
// each. Leaves the format of a record and its extra columns to the stores that are built on this.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Kysely, type SelectQueryBuilder, sql } from 'kysely';
import type { Page, Versioned } from '../../channels/ports.ts';
import type { AuditEntry } from '../../platform/audit/rules/auditEntry.ts';
import { auditInsertion } from './records/auditInsertion.ts';
import type { ChannelTable, RecordTable } from './schema/channelTables.ts';
import type { Sql } from './sql.ts';
import type { Database } from './sqlSchema.ts';
import type { SqlStatement } from './statement.ts';

type Owned = { readonly tenant: string; readonly id: string };
/** The columns of a table in addition to `recordColumns`. */
type FurtherColumns = Omit<ChannelTable, keyof RecordTable>;
export type Body = { version: number; body: string };

export type RecordKind<Row extends Owned> = {
  readonly table: 'systems' | 'playlists' | 'channels' | 'alert_rules' | 'alert_silences' | 'webhooks';
  /** The columns in addition to tenant, id, version and body. */
  columns?(record: Row): Partial<FurtherColumns>;
  /** The most records of a tenant. Only for tables without further columns. */
  readonly most?: number;
  write(record: Row): string;
  read(body: string): Row;
};

export type Records<Row extends Owned> = {
  /**
   * With an entry of the audit log, which is stored in the same transaction; so do `replace` and `remove`.
   * @returns false if the id exists, or the tenant has the most records
   */
  insert(record: Row, entry?: AuditEntry): Promise<boolean>;
  /** The insert statement alone, for `Sql.atomically`. */
  insertion(record: Row): SqlStatement;
  /** Inserts a record after `before`, in one transaction. @throws if a unique value is in use */
  insertAfter(before: readonly SqlStatement[], record: Row, entry?: AuditEntry): Promise<boolean>;
  find(tenant: string, id: string): Promise<Versioned<Row> | undefined>;
  list(tenant: string, page: Page): Promise<{ total: number; items: Versioned<Row>[] }>;
  replace(record: Versioned<Row>, entry?: AuditEntry): Promise<boolean>;
  remove(tenant: string, id: string, version?: number, entry?: AuditEntry): Promise<boolean>;
  /** Removes a record and what `rest` deletes, in one transaction. */
  removeWith(
    rest: readonly SqlStatement[],
    tenant: string,
    id: string,
    version?: number,
    entry?: AuditEntry,
  ): Promise<boolean>;
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

export async function decodeAll<Row>(rows: readonly Body[], decode: (row: Body) => Row): Promise<Row[]> {
  const decoded: Row[] = [];
  for (const row of rows) {
    if (row.body.length > LARGE_BODY) await nextTurn();
    decoded.push(decode(row));
  }
  return decoded;
}

export async function countOf<Tables, Name extends keyof Tables>(
  rows: SelectQueryBuilder<Tables, Name, object>,
): Promise<number> {
  const row: { total?: number } | undefined = await rows.select(sql<number>`count(*)`.as('total')).executeTakeFirst();
  return row?.total ?? 0;
}

export function sqlRecords<Row extends Owned>(store: Sql, kind: RecordKind<Row>): Records<Row> {
  // The tables share these columns, so the types use one of them for all.
  const db = store.db as unknown as Kysely<Pick<Database, 'channels'>>;
  const table = kind.table as 'channels';

  const decode = ({ version, body }: Body): Versioned<Row> => ({ ...kind.read(body), version });
  const columnsOf = (record: Row) =>
    ({ ...kind.columns?.(record), body: kind.write(record) }) as FurtherColumns & Pick<ChannelTable, 'body'>;
  const insertion = (record: Row) =>
    db.insertInto(table).values({ tenant: record.tenant, id: record.id, version: 0, ...columnsOf(record) });

  const removal = (tenant: string, id: string, version?: number) => {
    const all = db.deleteFrom(table).where('tenant', '=', tenant).where('id', '=', id);
    return version === undefined ? all : all.where('version', '=', version);
  };

  /** @returns whether the statement has changed a row */
  const change = async (
    statement: SqlStatement,
    entry: AuditEntry | undefined,
    around: Partial<Record<'before' | 'after', readonly SqlStatement[]>> = {},
  ) => (await store.change({ ...around, statement, ifChanged: entry && auditInsertion(store, entry) })) === 1;

  const referenceOf = ({ tenant, id }: Owned) => ({ table, tenant, id });

  async function find(tenant: string, id: string): Promise<Versioned<Row> | undefined> {
    const kept = store.gathered()?.find({ table, tenant, id });
    if (kept !== undefined) return kept.row as Versioned<Row> | undefined;
    const row = await db
      .selectFrom(table)
      .select(['version', 'body'])
      .where((row) => row.and({ tenant, id }))
      .executeTakeFirst();
    return row && decode(row);
  }

  /** An atomic batch is written later, and assumes that the record is then as it is now. */
  async function isPossible(reference: Owned, version: number | undefined, isExpected: boolean): Promise<boolean> {
    if (store.gathered() === undefined) return true;
    const found = await find(reference.tenant, reference.id);
    return (found !== undefined) === isExpected && (version === undefined || found?.version === version);
  }

  async function insertWith(record: Row, insert: () => Promise<boolean>): Promise<boolean> {
    if (!(await isPossible(record, undefined, false))) return false;
    const isInserted = await insert();
    if (isInserted) store.gathered()?.keep(referenceOf(record), { ...record, version: 0 });
    return isInserted;
  }

  async function removeWith(
    rest: readonly SqlStatement[],
    reference: Owned,
    version: number | undefined,
    entry: AuditEntry | undefined,
  ): Promise<boolean> {
    if (!(await isPossible(reference, version, true))) return false;
    const isRemoved = await change(removal(reference.tenant, reference.id, version), entry, { after: rest });
    if (isRemoved) store.gathered()?.keep(referenceOf(reference), undefined);
    return isRemoved;
  }

  /** Concurrent transactions of PostgreSQL would not count each other's records. */
  function insertWithin(most: number, record: Row, entry: AuditEntry | undefined): Promise<boolean> {
    const { tenant, id } = record;
    const lock = sql`select pg_advisory_xact_lock(hashtextextended(${`${table}/${tenant}`}, 0))`;
    const statement = sql`
      insert into ${sql.table(table)} (tenant, id, version, body)
      select cast(${tenant} as text), cast(${id} as text), 0, cast(${kind.write(record)} as text)
      where (select count(*) from ${sql.table(table)} where tenant = ${tenant}) < ${most}
      on conflict do nothing`;
    return change(statement, entry, store.kind === 'postgres' ? { before: [lock] } : {});
  }

  return {
    decode,
    insertion,
    insertAfter: (before, record, entry) => insertWith(record, () => change(insertion(record), entry, { before })),
    insert: (record, entry) =>
      insertWith(record, () =>
        kind.most === undefined
          ? change(
              insertion(record).onConflict((conflict) => conflict.doNothing()),
              entry,
            )
          : insertWithin(kind.most, record, entry),
      ),
    find,
    // The index finds the page and only its rows are read, so the last page costs as much as the first.
    list: async (tenant, { offset, limit }) => {
      const page = db
        .selectFrom(table)
        .select('seq')
        .where('tenant', '=', tenant)
        .orderBy('seq', 'desc')
        .limit(limit)
        .offset(offset);
      const [total, rows] = await Promise.all([
        countOf(db.selectFrom(table).where('tenant', '=', tenant)),
        db.selectFrom(table).select(['version', 'body']).where('seq', 'in', page).orderBy('seq', 'desc').execute(),
      ]);
      return { total, items: await decodeAll(rows, decode) };
    },
    replace: async (record, entry) => {
      if (!(await isPossible(record, record.version, true))) return false;
      const update = db
        .updateTable(table)
        .set({ version: record.version + 1, ...columnsOf(record) })
        .where((row) => row.and({ tenant: record.tenant, id: record.id, version: record.version }));
      const isReplaced = await change(update, entry);
      if (isReplaced) store.gathered()?.keep(referenceOf(record), { ...record, version: record.version + 1 });
      return isReplaced;
    },
    remove: (tenant, id, version, entry) => removeWith([], { tenant, id }, version, entry),
    removeWith: (rest, tenant, id, version, entry) => removeWith(rest, { tenant, id }, version, entry),
  };
}
