// SPDX-License-Identifier: Apache-2.0
// The queue of creatives and slate to prepare, for all nodes: a row is both the creative and its job. Each job is
// leased by one node at a time. Preparing creatives is left to src/ingest.
import { sql } from 'kysely';
import type { CreativeRequester } from '../../../ads/creative/creative.ts';
import { maskUrl } from '../../../ads/request/maskSecrets.ts';
import type { ConditionOrder } from '../../../ingest/condition/conditionMedia.ts';
import {
  type CreativeJobs,
  type CreativeQueue,
  type CreativeRequest,
  IDLE_AFTER,
  type JobOutcome,
  type JobStatus,
  type MediaSummary,
  URGENCY,
} from '../../../ingest/creatives/creativeJobs.ts';
import { type Millis, millis } from '../../../time/units.ts';
import { inChunks } from '../../inChunks.ts';
import { storable } from '../schema/schema.ts';
import type { Sql } from '../sql.ts';
import { countOf } from '../sqlRecords.ts';
import type { SqlStatement } from '../statement.ts';
import { orderOf, sqlCreativeRecords, statusOf } from './sqlCreativeRecords.ts';

/** The number of unprepared creatives that are remembered: an ad server may name any number of new ones. */
const MAX_UNPREPARED = 20_000;
const MAX_SEARCHED = 500;

/** Secrets of URLs cannot be found out by searching for them. */
const searchedText = ({ source }: ConditionOrder): string =>
  storable(source === undefined ? '' : maskUrl(source.url).toLowerCase()).slice(0, MAX_SEARCHED);

const MAX_NAME = 200;
const nameIn = (text: string | undefined): string | null => (text ? storable(text).slice(0, MAX_NAME) : null);

const readyColumns = (made: MediaSummary, at: Millis) => ({
  state: 'ready',
  fault: null,
  reason: null,
  failed_at: null,
  media_id: made.mediaId,
  made: JSON.stringify(made),
  made_at: at,
});

export function sqlCreatives(store: Sql): CreativeJobs {
  const { kind, db, atomically } = store;
  /** Creatives that were not requested recently come after the others of their urgency. */
  const inOrder = (at: Millis) => sql`urgency, case when asked_at < ${at - IDLE_AFTER} then 1 else 0 end, due_at, seq`;
  const isOpen = (at: Millis, maxUrgency: number, minUrgency: number) =>
    sql<boolean>`(state = 'waiting' and due_at <= ${at} or state = 'preparing' and lease_until < ${at}) and urgency between ${minUrgency} and ${maxUrgency}`;

  function asking({ order, urgency, owner, made }: CreativeRequest, at: Millis): SqlStatement[] {
    const { id, kind: what, ...rest } = order;
    const ready = made && readyColumns(made, at);
    const source = { body: JSON.stringify(rest), source_key: searchedText(order) };
    const job = { ...source, state: 'waiting', urgency, due_at: at, attempts: 0 };
    const known = db.updateTable('creatives').where('id', '=', id);
    const statements: SqlStatement[] = [
      db
        .insertInto('creatives')
        .values({ ...job, id, kind: what, created_at: at, asked_at: at, ...ready })
        .onConflict((conflict) => conflict.column('id').doUpdateSet({ asked_at: at })),
    ];
    if (owner !== undefined) {
      statements.push(owning(owner, id, at));
    }
    if (ready !== undefined) {
      statements.push(known.set({ ...ready, lease: null }).where('state', 'in', ['waiting', 'failed']));
      return statements;
    }
    // The caller has found no media, so a ready creative is lost. A failed one may be retried once it is due.
    statements.push(
      known
        .set({ ...job, fault: null, reason: null, media_id: null, made: null })
        .where(sql<boolean>`(state = 'ready' or state = 'failed' and due_at <= ${at})`),
      known.set({ urgency }).where('state', '=', 'waiting').where('reason', 'is', null).where('urgency', '>', urgency),
      // URLs may expire, so a waiting job uses the latest one.
      known.set(source).where('state', '=', 'waiting').where('body', '!=', source.body),
    );
    return statements;
  }

  function owning({ tenant, channelId, ad }: CreativeRequester, id: string, at: Millis): SqlStatement {
    const names = { ad_id: nameIn(ad?.adId), ad_creative_id: nameIn(ad?.creativeId), ad_title: nameIn(ad?.title) };
    const insert = db
      .insertInto('creative_owners')
      .values({ tenant, channel_id: channelId, creative_id: id, asked_at: at, ...names });
    const isNamed = Object.values(names).some((name) => name !== null);
    return insert.onConflict((conflict) => {
      if (!isNamed) return conflict.doNothing();
      // An operator may have added it before an ad server returned it.
      const unnamed = sql<boolean>`coalesce(creative_owners.ad_id, creative_owners.ad_creative_id, creative_owners.ad_title) is null`;
      return conflict.columns(['tenant', 'creative_id', 'channel_id']).doUpdateSet(names).where(unnamed);
    });
  }

  const held = (lease: string) =>
    db.updateTable('creatives').where('lease', '=', lease).where('state', '=', 'preparing');
  const changed = (result: { numUpdatedRows: bigint }) => result.numUpdatedRows > 0n;
  const freed = { lease: null, lease_until: null };

  const allWaiting = db.selectFrom('creatives').where('state', '=', 'waiting');

  const outcomeColumns = (outcome: JobOutcome, at: Millis) =>
    outcome.state === 'ready'
      ? readyColumns(outcome.made, at)
      : {
          state: outcome.state,
          fault: outcome.fault,
          reason: outcome.reason,
          due_at: outcome.dueAt,
          failed_at: sql<number>`coalesce(failed_at, ${at})`,
        };

  return {
    ...sqlCreativeRecords(store),
    enqueue: async (requests, at) => {
      // Always in the same order, so that two processes do not deadlock.
      const sorted = [...requests].sort((a, b) => (a.order.id < b.order.id ? -1 : 1));
      for (const some of inChunks(sorted)) await atomically(some.flatMap((one) => asking(one, at)));
    },
    states: async (ids) => {
      const found: JobStatus[] = [];
      for (const some of inChunks(ids)) {
        const rows = await db
          .selectFrom('creatives')
          .select(['id', 'state', 'fault', 'reason', 'due_at', 'failed_at'])
          .where('id', 'in', some)
          .execute();
        found.push(...rows.map(statusOf));
      }
      return found;
    },
    prioritize: async ({ tenant, channelId }) => {
      const owned = db
        .selectFrom('creative_owners')
        .select('creative_id')
        .where((row) => row.and({ tenant, channel_id: channelId }));
      const slate = db.updateTable('creatives').set({ urgency: URGENCY.requested }).where('state', '=', 'waiting');
      await slate
        .where('kind', '=', 'slate')
        .where('urgency', '>', URGENCY.requested)
        .where('id', 'in', owned)
        .execute();
    },
    queuedBefore: async (ids, at) => {
      const place = sql<number>`row_number() over (order by case state when 'preparing' then 0 else 1 end, ${inOrder(at)})`;
      const queue = db
        .selectFrom('creatives')
        .select(['id', 'state', place.as('place')])
        .where(sql<boolean>`(state = 'preparing' or state = 'waiting' and due_at <= ${at})`)
        .as('queue');
      const found = new Map<string, number>();
      for (const some of inChunks(ids)) {
        const waiting = db.selectFrom(queue).select(['id', 'place']).where('state', '=', 'waiting');
        const rows = await waiting.where('id', 'in', some).execute();
        for (const row of rows) found.set(row.id, row.place - 1);
      }
      return found;
    },
    take: async (lease, at, until, maxUrgency, minUrgency = URGENCY.requested) => {
      const next = db
        .selectFrom('creatives')
        .select('id')
        .where(isOpen(at, maxUrgency, minUrgency))
        .orderBy(inOrder(at))
        .limit(1);
      // Reads first, so that looking for work does not occupy the single writer if there is none.
      if ((await next.executeTakeFirst()) === undefined) return undefined;
      const row = await db
        .updateTable('creatives')
        .set({ state: 'preparing', lease, lease_until: until, attempts: sql<number>`attempts + 1` })
        .where('id', '=', kind === 'postgres' ? next.forUpdate().skipLocked() : next)
        .where(isOpen(at, maxUrgency, minUrgency))
        .returning(['id', 'kind', 'body', 'attempts'])
        .executeTakeFirst();
      return row && { order: orderOf(row), lease, attempts: row.attempts };
    },
    renew: async (lease, until) => changed(await held(lease).set({ lease_until: until }).executeTakeFirst()),
    finish: async (lease, outcome, at) => {
      const again =
        outcome.state === 'waiting'
          ? { urgency: sql<number>`case when urgency <= ${URGENCY.slate} then urgency else ${URGENCY.retry} end` }
          : {};
      return changed(
        await held(lease)
          .set({ ...outcomeColumns(outcome, at), ...again, ...freed })
          .executeTakeFirst(),
      );
    },
    release: async (lease, at) =>
      void (await held(lease)
        .set({ state: 'waiting', due_at: at, attempts: sql<number>`attempts - 1`, ...freed })
        .executeTakeFirst()),
    queue: (at) => readCreativeQueue(store, at),
    waiting: () => countOf(allWaiting),
    overdue: async (before, at) => {
      const held = db
        .selectFrom('creatives')
        .select('seq')
        .where('state', '=', 'preparing')
        .where('lease_until', '>=', at);
      return countOf(allWaiting.where('due_at', '<', before).where((where) => where.not(where.exists(held))));
    },
    forget: async (mediaIds) => {
      for (const some of inChunks(mediaIds)) {
        const gone = db.selectFrom('creatives').select('id').where('media_id', 'in', some);
        await atomically([
          db.deleteFrom('creative_owners').where('creative_id', 'in', gone),
          db.deleteFrom('creatives').where('media_id', 'in', some),
        ]);
      }
    },
    expire: async (before) => {
      const unmade = ['waiting', 'failed'];
      const last = db
        .selectFrom('creatives')
        .select('seq')
        .where('state', 'in', unmade)
        .orderBy('seq', 'desc')
        .limit(1)
        .offset(MAX_UNPREPARED);
      await atomically([
        db
          .deleteFrom('creatives')
          .where('state', 'in', unmade)
          .where((where) => where.or([where('asked_at', '<', before), where('seq', '<=', last)])),
        sql`delete from creative_owners
          where not exists (select 1 from creatives where creatives.id = creative_owners.creative_id)`,
      ]);
    },
  };
}

// The size of the queue of creatives, for metrics. The number of creatives that are not ready is bounded.

async function readCreativeQueue({ db }: Sql, at: Millis): Promise<CreativeQueue> {
  const rows = await db
    .selectFrom('creatives')
    .select([
      sql<string>`case when state = 'waiting' and reason is not null then 'retrying' else state end`.as('what'),
      sql<number>`count(*)`.as('total'),
      sql<number | null>`min(case when state = 'waiting' and due_at <= ${at} then due_at end)`.as('oldest'),
    ])
    .where('state', 'in', ['waiting', 'preparing', 'failed'])
    .groupBy('what')
    .execute();
  const counts = { waiting: 0, retrying: 0, preparing: 0, failed: 0 };
  for (const { what, total } of rows) counts[what as keyof typeof counts] = total;
  const due = rows.flatMap(({ oldest }) => oldest ?? []);
  return { counts, ...(due.length === 0 ? {} : { oldestDue: millis(Math.min(...due)) }) };
}
