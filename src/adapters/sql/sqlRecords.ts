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

type RecordKind<Row extends Owned> = {
  readonly table: 'systems' | 'playlists' | 'channels' | 'alert_rules' | 'alert_silences' | 'webhooks' | 'ad_sources';
  /** The columns in addition to tenant, id, version and body. */
  columns?(record: Row): Partial<FurtherColumns>;
  /** The most records of a tenant. Only for tables whose further columns are text. */
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
  /** @param after in the same transaction, for what belongs to the record */
  remove(
    tenant: string,
    id: string,
    version?: number,
    entry?: AuditEntry,
    after?: readonly SqlStatement[],
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

/** Characters. Before more than these, other work of this thread gets a turn. */
const LARGE_BODY = 64 * 1024;

export async function decodeAll<Row>(rows: readonly Body[], decode: (row: Body) => Row): Promise<Row[]> {
  const decoded: Row[] = [];
  let length = 0;
  for (const row of rows) {
    length += row.body.length;
    if (length > LARGE_BODY) {
      await nextTurn();
      length = 0;
    }
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

  /**
   * In an atomic batch, which is written later, this fails if the record is not as expected now, and reads find `after` from then on.
   * @param version of the record before; `none` if there must be no record, undefined for any
   */
  async function changeRecord(
    { tenant, id }: Owned,
    version: number | 'none' | undefined,
    after: object | undefined,
    work: () => Promise<boolean>,
  ): Promise<boolean> {
    const gathered = store.gathered();
    if (gathered === undefined) return work();
    const found = await find(tenant, id);
    const isExpected = version === 'none' ? !found : found && (version === undefined || found.version === version);
    const isChanged = isExpected === true && (await work());
    if (isChanged) gathered.keep({ table, tenant, id }, after);
    return isChanged;
  }

  /** Concurrent transactions of PostgreSQL would not count each other's records. */
  function insertWithin(most: number, record: Row, entry: AuditEntry | undefined): Promise<boolean> {
    const { tenant, id } = record;
    const lock = sql`select pg_advisory_xact_lock(hashtextextended(${`${table}/${tenant}`}, 0))`;
    const texts = Object.entries({ tenant, id, ...columnsOf(record) });
    const statement = sql`
      insert into ${sql.table(table)} (version, ${sql.join(texts.map(([column]) => sql.ref(column)))})
      select 0, ${sql.join(texts.map(([, text]) => sql`cast(${text} as text)`))}
      where (select count(*) from ${sql.table(table)} where tenant = ${tenant}) < ${most}
      on conflict do nothing`;
    return change(statement, entry, store.kind === 'postgres' ? { before: [lock] } : {});
  }

  return {
    decode,
    insertion,
    insertAfter: (before, record, entry) =>
      changeRecord(record, 'none', { ...record, version: 0 }, () => change(insertion(record), entry, { before })),
    insert: (record, entry) =>
      changeRecord(record, 'none', { ...record, version: 0 }, () =>
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
    replace: (record, entry) => {
      const version = record.version + 1;
      return changeRecord(record, record.version, { ...record, version }, () =>
        change(
          db
            .updateTable(table)
            .set({ version, ...columnsOf(record) })
            .where((row) => row.and({ tenant: record.tenant, id: record.id, version: record.version })),
          entry,
        ),
      );
    },
    remove: (tenant, id, version, entry, after = []) =>
      changeRecord({ tenant, id }, version, undefined, () => change(removal(tenant, id, version), entry, { after })),
  };
}
