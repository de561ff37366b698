// SPDX-License-Identifier: Apache-2.0
// What `midroll check` reads of the tables, of all tenants. Tables grow with their retention, so they are read page by page.
import { sql } from 'kysely';
import type { Sql } from '../sql.ts';

const PAGE = 200;

export type RecordTableName = 'channels' | 'playlists' | 'systems' | 'ad_sources' | 'alert_rules' | 'webhooks';
type StoredBody = { readonly tenant: string; readonly id: string; readonly body: string };

export async function* recordBodies({ db }: Sql, table: RecordTableName): AsyncGenerator<StoredBody> {
  for (let after = 0; ; ) {
    const rows = await db
      // The tables share these columns, so the types use one of them for all.
      .selectFrom(table as 'systems')
      .select(['seq', 'tenant', 'id', 'body'])
      .where('seq', '>', after)
      .orderBy('seq')
      .limit(PAGE)
      .execute();
    const last = rows.at(-1);
    if (last === undefined) return;
    yield* rows;
    after = last.seq;
  }
}

export type StoredRow = Readonly<Record<string, unknown>>;
/** `order` is an indexed column, newest last. */
type Newest = {
  readonly table: string;
  readonly columns: readonly string[];
  readonly order: string;
  readonly most: number;
};

export async function* newestRows({ db }: Sql, { table, columns, order, most }: Newest): AsyncGenerator<StoredRow> {
  for (let offset = 0; offset < most; offset += PAGE) {
    const { rows } = await sql<StoredRow>`select ${sql.join(columns.map((column) => sql.ref(column)))}
      from ${sql.table(table)} order by ${sql.ref(order)} desc limit ${Math.min(PAGE, most - offset)} offset ${offset}`.execute(
      db,
    );
    yield* rows;
    if (rows.length < PAGE) return;
  }
}

/** `column` is a time in milliseconds; tasks of the servers should have deleted rows before `before`. */
type AgeLimit = { readonly table: string; readonly column: string; readonly before: number };

export async function findOldRows({ db }: Sql, limits: readonly AgeLimit[]) {
  const found: { readonly table: string; readonly count: number }[] = [];
  for (const { table, column, before } of limits) {
    const { rows } = await sql<{ count: number }>`select count(*) as count from ${sql.table(table)}
      where ${sql.ref(column)} < ${before}`.execute(db);
    const count = rows[0]?.count ?? 0;
    if (count > 0) found.push({ table, count });
  }
  return found;
}

type ReadyMedium = { readonly id: string; readonly mediaId: string };

/** Creatives and slate that are ready, with the media that they are in. Creatives that are used as they are have none. */
export async function readyMedia({ db }: Sql): Promise<ReadyMedium[]> {
  const ready = db.selectFrom('creatives').select(['id', 'media_id']).where('state', '=', 'ready');
  const rows = await ready.execute();
  return rows.flatMap(({ id, media_id: mediaId }) => (mediaId === null ? [] : [{ id, mediaId }]));
}
