// SPDX-License-Identifier: Apache-2.0
// The records of creatives for their owners: find, list, retry and remove. The queue itself is in sqlCreatives.ts.
import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { CreativeFault, CreativeOwner } from '../../../ads/creative/creative.ts';
import type { ConditionOrder } from '../../../ingest/condition/conditionMedia.ts';
import {
  type CreativeFilter,
  type CreativeJobs,
  type CreativePage,
  type CreativeRecord,
  type JobState,
  type JobStatus,
  type MediaSummary,
  URGENCY,
} from '../../../ingest/creatives/creativeJobs.ts';
import { type Millis, millis } from '../../../time/units.ts';
import { present } from '../present.ts';
import type { CreativeTable, CreativeTables } from '../schema/creativeTables.ts';
import type { Sql } from '../sql.ts';
import { countOf } from '../sqlRecords.ts';

type Row = Selectable<CreativeTable>;
type Records = Pick<CreativeJobs, 'unmadeByOwner' | 'owners' | 'failures' | 'find' | 'list' | 'retry' | 'remove'>;

export const orderOf = ({ id, kind, body }: Pick<Row, 'id' | 'kind' | 'body'>): ConditionOrder => ({
  id,
  kind: kind as ConditionOrder['kind'],
  ...(JSON.parse(body) as Pick<ConditionOrder, 'source' | 'ladder'>),
});

type StatusRow = Pick<Row, 'id' | 'state' | 'fault' | 'reason' | 'due_at' | 'failed_at'>;
export const statusOf = ({ id, state, fault, reason, due_at, failed_at }: StatusRow): JobStatus => ({
  id,
  state: state as JobState,
  dueAt: millis(due_at),
  ...present({ fault: fault as CreativeFault | null, reason, failedAt: failed_at as Millis | null }),
});

export function sqlCreativeRecords(store: Sql): Records {
  const { db, atomically } = store;
  const changed = (result: { numUpdatedRows: bigint }) => result.numUpdatedRows > 0n;

  async function withChannels(tenant: string, rows: readonly Row[]): Promise<CreativeRecord[]> {
    const ids = rows.map(({ id }) => id);
    const owners =
      ids.length === 0
        ? []
        : await db
            .selectFrom('creative_owners')
            .selectAll()
            .where('tenant', '=', tenant)
            .where('creative_id', 'in', ids)
            .execute();
    const ownersOf = (row: Row) => owners.filter(({ creative_id }) => creative_id === row.id);
    return rows.map((row) => ({
      ...statusOf(row),
      order: orderOf(row),
      attempts: row.attempts,
      channels: ownersOf(row)
        .map(({ channel_id }) => channel_id)
        .sort(),
      ...namesIn(ownersOf(row)),
      createdAt: millis(row.created_at),
      ...(row.made_at === null || row.state !== 'ready' ? {} : { madeAt: millis(row.made_at) }),
      ...(row.made === null || row.state !== 'ready' ? {} : { made: JSON.parse(row.made) as MediaSummary }),
    }));
  }

  /** As the first ad that needed it is called. */
  function namesIn(owners: readonly Selectable<CreativeTables['creative_owners']>[]): Pick<CreativeRecord, 'ad'> {
    const [first] = owners
      .map((one) => ({ at: one.asked_at, adId: one.ad_id, creativeId: one.ad_creative_id, title: one.ad_title }))
      .filter(({ adId, creativeId, title }) => (adId ?? creativeId ?? title) !== null)
      .toSorted((a, b) => a.at - b.at);
    if (first === undefined) return {};
    const { adId, creativeId, title } = first;
    return { ad: present({ adId, creativeId, title }) };
  }

  const { ofTenant, pageOf } = sqlCreativeList(store);

  return {
    unmadeByOwner: async () => {
      const { rows } = await sql<CreativeOwner & { waiting: number; failing: number }>`
        select tenant, channel_id as "channelId", sum(1 - failing) as waiting, sum(failing) as failing from (
          select tenant, min(channel_id) as channel_id, max(case when failed_at is null then 0 else 1 end) as failing
          from creative_owners join creatives on creatives.id = creative_owners.creative_id
          where state = 'waiting' or state = 'preparing' and failed_at is not null
          group by creative_id, tenant) as unmade
        group by tenant, channel_id`.execute(db);
      return rows.map((row) => ({ ...row, waiting: Number(row.waiting), failing: Number(row.failing) }));
    },
    owners: async (id) => {
      const all = db.selectFrom('creative_owners').where('creative_id', '=', id);
      return all.select(['tenant', 'channel_id as channelId']).orderBy('asked_at').orderBy('channel_id').execute();
    },
    failures: async (tenant, requestedSince) => {
      type Found = { readonly id: string; readonly reason: string | null; readonly name: string | null };
      // The order of a cross join is fixed in SQLite: few creatives fail, and a tenant may have a hundred thousand.
      const { rows } = await sql<Found & Record<'count' | 'failing' | 'since', number>>`
        select channel_id as id, count(distinct coalesce(ad_creative_id, source_key)) as count,
          count(distinct case when state <> 'failed' then coalesce(ad_creative_id, source_key) end) as failing,
          min(coalesce(failed_at, created_at)) as since, max(reason) as reason,
          max(coalesce(ad_creative_id, ad_title, ad_id)) as name
        from creatives cross join creative_owners
        where creatives.id = creative_id and tenant = ${tenant} and kind = 'creative'
          and creatives.asked_at >= ${requestedSince}
          and (failed_at is not null or reason is not null) and state <> 'ready'
        group by channel_id`.execute(db);
      return rows.map(({ id, count, failing, since, reason, name }) => {
        const counts = { count: Number(count), failing: Number(failing), since: millis(since) };
        return { channelId: id, ...counts, ...present({ reason, name }) };
      });
    },
    find: async (tenant, id) => {
      const row = await ofTenant(tenant).selectAll().where('id', '=', id).executeTakeFirst();
      return row && (await withChannels(tenant, [row]))[0];
    },
    list: async (tenant, filter, page) => {
      const { rows, ...rest } = await pageOf(tenant, filter, page);
      return { ...rest, items: await withChannels(tenant, rows) };
    },
    retry: async (tenant, id, at) => {
      const owned = db.selectFrom('creative_owners').select('creative_id').where('tenant', '=', tenant);
      const urgency = sql<number>`case when kind = 'slate' then ${sql.lit(URGENCY.slate)} else ${sql.lit(URGENCY.ahead)} end`;
      const again = { state: 'waiting', urgency, due_at: at, attempts: 0, fault: null, reason: null, failed_at: null };
      return changed(
        await db
          .updateTable('creatives')
          .set(again)
          .where('id', '=', id)
          .where('id', 'in', owned)
          .where('state', 'in', ['waiting', 'failed'])
          .executeTakeFirst(),
      );
    },
    remove: async (tenant, id) => {
      const [owned, isGone] = await atomically([
        db.deleteFrom('creative_owners').where('tenant', '=', tenant).where('creative_id', '=', id),
        db
          .deleteFrom('creatives')
          .where('id', '=', id)
          .where('id', 'not in', db.selectFrom('creative_owners').select('creative_id').where('creative_id', '=', id)),
      ]);
      if (owned === 0) return undefined;
      return isGone === 1 ? 'gone' : 'kept';
    },
  };
}

// Which creatives of a tenant a page of the list contains: filtered, searched and sorted.

function sqlCreativeList({ db, kind: database }: Sql) {
  const has = (column: RawBuilder<unknown>, text: string) =>
    database === 'sqlite' ? sql<boolean>`instr(${column}, ${text}) > 0` : sql<boolean>`strpos(${column}, ${text}) > 0`;

  const ofTenant = (tenant: string, { state, channelId, kind, search }: CreativeFilter = {}) => {
    let owned = db.selectFrom('creative_owners').select('creative_id').where('tenant', '=', tenant);
    if (channelId !== undefined) owned = owned.where('channel_id', '=', channelId);
    let all = db.selectFrom('creatives').where('id', 'in', owned);
    const isUnmade = sql<boolean>`state in ('waiting', 'preparing')`;
    if (state === 'failing') all = all.where(isUnmade).where('failed_at', 'is not', null);
    else if (state !== undefined) all = all.where('state', '=', state);
    if (state === 'waiting' || state === 'preparing') all = all.where('failed_at', 'is', null);
    if (kind !== undefined) all = all.where('kind', '=', kind);
    const text = search?.toLowerCase();
    if (!text) return all;
    // The names that ad servers use, as reports and the overview show them.
    const names = sql`lower(coalesce(ad_creative_id, '') || ' ' || coalesce(ad_title, '') || ' ' || coalesce(ad_id, ''))`;
    const named = owned.where(has(names, text));
    return all.where((where) => where.or([has(sql`source_key`, text), has(sql`id`, text), where('id', 'in', named)]));
  };

  return {
    ofTenant,
    async pageOf(tenant: string, filter: CreativeFilter, page: CreativePage) {
      const { offset, limit, after, sort = { field: 'createdAt', isDescending: true } } = page;
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
      const [total, rows] = await Promise.all([
        countOf(all),
        some
          .orderBy('seq', direction)
          .limit(limit)
          .offset(after ? 0 : offset)
          .execute(),
      ]);
      const last = rows.at(-1);
      const keyOf = ({ made_at }: Selectable<CreativeTable>) => (isByMaking ? String(made_at ?? 0) : null);
      const next = last && rows.length === limit ? { key: keyOf(last), seq: last.seq } : undefined;
      return { total, rows, next };
    },
  };
}
