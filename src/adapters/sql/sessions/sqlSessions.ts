// SPDX-License-Identifier: Apache-2.0
// Stores sessions, their decisions and the records of their breaks. A decision is written once: of several nodes, the
// first one wins. Old decisions are folded into the odometer (law 3). What to decide is left to src/playback.
import { type Compilable, sql } from 'kysely';
import type { Odometer } from '../../../ads/placement/decision.ts';
import type { BreakRecord } from '../../../ads/record/breakRecord.ts';
import { foldOld } from '../../../sessions/foldOld.ts';
import type { SessionState, SessionStore, ShownBreak, StoredDecision } from '../../../sessions/ports.ts';
import { BREAKS_KEPT_MS, hasAds, MAX_BREAKS } from '../../../sessions/retention.ts';
import type { Session } from '../../../sessions/session.ts';
import type { Millis } from '../../../time/units.ts';
import { inChunks } from '../../inChunks.ts';
import type { Sql } from '../sql.ts';
import type { ViewerBreakTable } from '../sqlSchema.ts';
import { keepAssets } from './keepAssets.ts';
import { sqlClaims } from './sqlClaims.ts';
import { sqlSessionExpiry } from './sqlSessionExpiry.ts';
import { replaceDecision, replaceRecord, sqlSettle } from './sqlSettle.ts';

/** Ids in one statement. */
const MAX_IDS = 500;

export function sqlSessions(store: Sql): SessionStore {
  const { db } = store;

  /** One statement: between two, another process might fold a decision, and it would be in neither result. */
  async function find(id: string): Promise<SessionState | undefined> {
    // PostgreSQL rejects this character.
    if (id.includes('\0')) return undefined;
    const rows = await db
      .selectFrom('sessions')
      .leftJoin('decisions', 'decisions.session_id', 'sessions.id')
      .select(['sessions.body', 'odometer', 'folded_before', 'is_watched', 'decisions.body as decision'])
      .where('sessions.id', '=', id)
      .execute();
    const [row] = rows;
    if (row === undefined) return undefined;
    return {
      session: JSON.parse(row.body) as Session,
      decisions: rows.flatMap(({ decision }) => (decision === null ? [] : [JSON.parse(decision) as StoredDecision])),
      odometer: JSON.parse(row.odometer) as Odometer,
      foldedBefore: Number(row.folded_before) as Millis,
      ...(row.is_watched === 0 ? { isUnwatched: true } : {}),
    };
  }

  const ofTenant = (tenant: string) =>
    db.selectFrom('sessions').where((where) => where.or([where('tenant', '=', tenant), where('tenant', 'is', null)]));

  /** Inserts if the session still exists: changes 1 row if this was the first insert, otherwise 0. */
  type BreakKey = Pick<ViewerBreakTable, 'break_id' | 'starts_at'>;
  const rowOf = (sessionId: string, one: Omit<ViewerBreakTable, 'session_id'>) =>
    db
      .selectFrom('sessions')
      .select([
        'id',
        sql<string>`cast(${one.break_id} as text)`.as('break_id'),
        sql<number>`cast(${one.starts_at} as bigint)`.as('starts_at'),
        sql<string>`cast(${one.body} as text)`.as('body'),
      ])
      .where('id', '=', sessionId);
  const insertDecision = (sessionId: string, one: Omit<ViewerBreakTable, 'session_id'>) =>
    db
      .insertInto('decisions')
      .columns(['session_id', 'break_id', 'starts_at', 'body'])
      .expression(rowOf(sessionId, one))
      .onConflict((conflict) => conflict.columns(['session_id', 'break_id']).doNothing());
  const insertRecord = ({ id, life }: { id: string; life?: string }, key: BreakKey, record: BreakRecord) =>
    db
      .insertInto('breaks')
      .columns(['session_id', 'break_id', 'starts_at', 'body', 'life', 'has_ads'])
      .expression(
        rowOf(id, { ...key, body: JSON.stringify(record) }).select([
          sql<string>`cast(${life ?? null} as text)`.as('life'),
          sql<number>`cast(${hasAds(record) ? 1 : 0} as integer)`.as('has_ads'),
        ]),
      )
      .onConflict((conflict) => conflict.columns(['session_id', 'break_id']).doNothing());

  /** Replaces what was stored for the break. The first two statements show whether anything changed. */
  const writeShown = ({ sessionId, life, decision, record }: ShownBreak): Compilable[] => {
    const { breakId, startsAt } = decision;
    const key = { break_id: breakId, starts_at: startsAt };
    const body = JSON.stringify(decision);
    return [
      insertDecision(sessionId, { ...key, body }),
      replaceDecision(store, { sessionId, breakId, text: body }),
      insertRecord({ id: sessionId, ...(life === undefined ? {} : { life }) }, key, record),
      replaceRecord(store, sessionId, breakId, record),
    ];
  };

  /** Of several processes that fold at once, only the first one changes the odometer. */
  const writeFold = ({ session, foldedBefore }: SessionState, folded: SessionState): Compilable[] => [
    db
      .updateTable('sessions')
      .set({ odometer: JSON.stringify(folded.odometer), folded_before: folded.foldedBefore })
      .where('id', '=', session.id)
      .where('folded_before', '=', foldedBefore),
    ...(['decisions', 'claims'] as const).map((table) =>
      db
        .deleteFrom(table)
        .where('session_id', '=', session.id)
        .where('starts_at', '<', (query) =>
          query.selectFrom('sessions').select('folded_before').where('id', '=', session.id),
        ),
    ),
  ];

  /** Records are many times larger than decisions, so old ones and those beyond a number are removed. */
  const removeOldBreaks = (sessionId: string, at: number): Compilable =>
    db
      .deleteFrom('breaks')
      .where('session_id', '=', sessionId)
      .where((where) =>
        where.or([
          where('starts_at', '<', at - BREAKS_KEPT_MS),
          where('starts_at', '<', (query) =>
            query
              .selectFrom('breaks')
              .select('starts_at')
              .where('session_id', '=', sessionId)
              .orderBy('starts_at', 'desc')
              .limit(1)
              .offset(MAX_BREAKS - 1),
          ),
        ]),
      );

  return {
    find,
    create: async (session, odometer) => {
      const row = {
        id: session.id,
        channel_id: session.channelId,
        tenant: session.tenant,
        body: JSON.stringify(session),
        odometer: JSON.stringify(odometer),
        folded_before: 0,
        seen_at: session.openedAt,
        is_watched: 0,
        keep_until: session.vod?.keepUntil ?? null,
      };
      const insertion = db.insertInto('sessions').values(row);
      if (session.vod === undefined) await insertion.execute();
      else await store.atomically([...keepAssets(store, session.vod), insertion]);
    },
    decide: async (state, decision, record, foldBefore) => {
      const { id } = state.session;
      const key = { break_id: decision.breakId, starts_at: decision.startsAt };
      const folded = foldOld(state, foldBefore);
      const isFolding = folded !== state;
      const [isNew, , isFolded] = await store.atomically([
        insertDecision(id, { ...key, body: JSON.stringify(decision) }),
        insertRecord(state.session, key, record),
        ...(isFolding ? writeFold(state, folded) : []),
        removeOldBreaks(id, decision.startsAt),
      ]);
      // No other process has written, so the stored state is known without reading it.
      const isOurs = isNew === 1 && (!isFolding || isFolded === 1);
      const now = isOurs ? { ...folded, decisions: [...folded.decisions, decision] } : await find(id);
      return now === undefined ? undefined : { state: now, isFirst: isNew === 1 };
    },
    ...sqlClaims(store),
    recordShown: async (shown) => {
      const changed = await store.atomically(shown.flatMap(writeShown));
      return shown.map((_, index) => changed[index * 4] === 1 || changed[index * 4 + 1] === 1);
    },
    ...sqlSettle(store),
    seen: async (ids, at) => {
      let count = 0;
      for (const some of inChunks(ids, MAX_IDS)) {
        const { numUpdatedRows } = await db
          .updateTable('sessions')
          .set({ seen_at: at, is_watched: 1 })
          .where('id', 'in', some)
          .executeTakeFirst();
        count += Number(numUpdatedRows);
      }
      return count;
    },
    expire: sqlSessionExpiry(store),
    list: async ({ id, tenant }, { offset, limit }) => {
      const ofChannel = ofTenant(tenant).where('channel_id', '=', id);
      const [counted, rows] = await Promise.all([
        ofChannel.select((query) => query.fn.countAll().as('total')).executeTakeFirst(),
        ofChannel.select('body').orderBy('seq', 'desc').limit(limit).offset(offset).execute(),
      ]);
      return { total: Number(counted?.total ?? 0), items: rows.map(({ body }) => JSON.parse(body) as Session) };
    },
    watching: async (tenant, channelIds, since) => {
      if (channelIds.length === 0) return new Map();
      const rows = await ofTenant(tenant)
        .select(['channel_id', (query) => query.fn.countAll().as('count')])
        .where('channel_id', 'in', [...channelIds])
        .where('seen_at', '>=', since)
        .where('is_watched', '=', 1)
        .groupBy('channel_id')
        .execute();
      return new Map(rows.map(({ channel_id, count }) => [channel_id, Number(count)]));
    },
    findBreak: async (sessionId, breakId) => {
      const row = await db
        .selectFrom('breaks')
        .select('body')
        .where('session_id', '=', sessionId)
        .where('break_id', '=', breakId)
        .executeTakeFirst();
      return row && (JSON.parse(row.body) as BreakRecord);
    },
    breaks: async (sessionId, most) => {
      const rows = await db
        .selectFrom('breaks')
        .select('body')
        .where('session_id', '=', sessionId)
        .orderBy('starts_at', 'desc')
        .limit(most)
        .execute();
      return rows.map(({ body }) => JSON.parse(body) as BreakRecord).reverse();
    },
  };
}
