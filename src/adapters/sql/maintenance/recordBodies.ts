// SPDX-License-Identifier: Apache-2.0
// Reads the records of operators as they are stored, of all tenants, page by page.
import type { Sql } from '../sql.ts';

const PAGE = 200;

export type RecordTableName = 'channels' | 'playlists' | 'systems' | 'alert_rules' | 'webhooks';

export type StoredBody = { readonly tenant: string; readonly id: string; readonly body: string };

export async function* recordBodies({ db }: Sql, table: RecordTableName): AsyncGenerator<StoredBody> {
  for (let after = 0; ; ) {
    const rows = await db
      // The tables share these columns, so the types use one of them for all.
      .selectFrom(table as 'playlists')
      .select(['seq', 'tenant', 'id', 'body'])
      .where('seq', '>', after)
      .orderBy('seq')
      .limit(PAGE)
      .execute();
    const last = rows.at(-1);
    if (last === undefined) return;
    yield* rows;
    after = Number(last.seq);
  }
}
