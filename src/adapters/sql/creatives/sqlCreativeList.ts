// SPDX-License-Identifier: Apache-2.0
// Which creatives of a tenant a page of the list contains: filtered, searched and sorted. The searched text of a creative is made
// when it is needed for the first time, because the previous version does not write it.
import { type RawBuilder, type Selectable, sql } from 'kysely';
import { maskUrl } from '../../../ads/request/maskSecrets.ts';
import type { CreativeFilter, CreativePage } from '../../../ingest/creatives/creativeJobs.ts';
import type { Sql } from '../sql.ts';
import type { CreativeTable } from '../sqlSchema.ts';

/** Rows in one transaction. */
const REFRESHED = 200;
const MAX_SEARCHED = 500;

type Body = { readonly source?: { readonly url: string } };

/** Secrets of URLs cannot be found out by searching for them. */
function searchedText(body: string): string {
  const { source } = JSON.parse(body) as Body;
  const text = source === undefined ? '' : maskUrl(source.url).toLowerCase();
  return text.replace(/\0|\p{Surrogate}/gu, '\uFFFD').slice(0, MAX_SEARCHED);
}

export function sqlCreativeList({ db, kind: database, atomically }: Sql) {
  const has = (column: RawBuilder<unknown>, text: string) =>
    database === 'sqlite' ? sql<boolean>`instr(${column}, ${text}) > 0` : sql<boolean>`strpos(${column}, ${text}) > 0`;

  async function refresh(): Promise<void> {
    for (;;) {
      const rows = await db
        .selectFrom('creatives')
        .select(['id', 'body'])
        .where('source_key', 'is', null)
        .limit(REFRESHED)
        .execute();
      if (rows.length === 0) return;
      await atomically(
        rows.map(({ id, body }) =>
          db
            .updateTable('creatives')
            .set({ source_key: searchedText(body) })
            .where('id', '=', id)
            .where('source_key', 'is', null),
        ),
      );
    }
  }

  const ofTenant = (tenant: string, { state, channelId, kind, search }: CreativeFilter = {}) => {
    let owned = db.selectFrom('creative_owners').select('creative_id').where('tenant', '=', tenant);
    if (channelId !== undefined) owned = owned.where('channel_id', '=', channelId);
    let all = db.selectFrom('creatives').where('id', 'in', owned);
    if (state !== undefined) all = all.where('state', '=', state);
    if (kind !== undefined) all = all.where('kind', '=', kind);
    const text = search?.toLowerCase();
    return text ? all.where(sql<boolean>`(${has(sql`source_key`, text)} or ${has(sql`id`, text)})`) : all;
  };

  return {
    ofTenant,
    async pageOf(tenant: string, filter: CreativeFilter, page: CreativePage) {
      const { offset, limit, after, sort = { field: 'createdAt', isDescending: true } } = page;
      if (filter.search) await refresh();
      const direction = sort.isDescending ? 'desc' : 'asc';
      const sign = sql.raw(sort.isDescending ? '<' : '>');
      const isByMaking = sort.field === 'madeAt';
      const madeAt = sql<number>`coalesce(made_at, 0)`;
      const all = ofTenant(tenant, filter);
      let some = all.selectAll();
      if (after)
        some = some.where(
          isByMaking
            ? sql<boolean>`(${madeAt}, seq) ${sign} (cast(${Number(after.key)} as bigint), cast(${after.seq} as bigint))`
            : sql<boolean>`seq ${sign} ${after.seq}`,
        );
      if (isByMaking) some = some.orderBy(madeAt, direction);
      const [counted, rows] = await Promise.all([
        all.select((query) => query.fn.countAll().as('total')).executeTakeFirst(),
        some
          .orderBy('seq', direction)
          .limit(limit)
          .offset(after ? 0 : offset)
          .execute(),
      ]);
      const last = rows.at(-1);
      const keyOf = ({ made_at }: Selectable<CreativeTable>) => (isByMaking ? String(made_at ?? 0) : null);
      const next = last && rows.length === limit ? { key: keyOf(last), seq: Number(last.seq) } : undefined;
      return { total: Number(counted?.total ?? 0), rows, next };
    },
  };
}
