import type { Compilable } from 'kysely';
import type { BreakRecord } from '../ads/breakRecord.ts';
import { addShift, type Odometer } from '../ads/decision.ts';
import type { SessionState, SessionStore, StoredDecision } from '../sessions/ports.ts';
import type { Session } from '../sessions/session.ts';
import type { Millis } from '../time/units.ts';
import type { Sql } from './sql.ts';

/** Milliseconds for which the story of a break is kept while its session lives. */
const KEPT_BREAKS = 6 * 3600 * 1000;

export function sqlSessions(store: Sql): SessionStore {
  const { db } = store;

  async function find(id: string): Promise<SessionState | undefined> {
    const row = await db.selectFrom('sessions').selectAll().where('id', '=', id).executeTakeFirst();
    if (row === undefined) return undefined;
    const decisions = await db.selectFrom('decisions').select('body').where('session_id', '=', id).execute();
    return {
      session: JSON.parse(row.body) as Session,
      decisions: decisions.map(({ body }) => JSON.parse(body) as StoredDecision),
      odometer: JSON.parse(row.odometer) as Odometer,
      foldedBefore: Number(row.folded_before) as Millis,
    };
  }

  /** What is older than `before` moves into the odometer; only the first to do so succeeds, and deletes. */
  const fold = ({ session, decisions, odometer, foldedBefore }: SessionState, before: Millis): Compilable[] => {
    const old = decisions.filter(({ startsAt }) => startsAt < before);
    if (old.length === 0) return [];
    const sum = old.filter(({ isVoid }) => !isVoid).reduce((total, { shift }) => addShift(total, shift), odometer);
    return [
      db
        .updateTable('sessions')
        .set({ odometer: JSON.stringify(sum), folded_before: before })
        .where('id', '=', session.id)
        .where('folded_before', '=', foldedBefore),
      db
        .deleteFrom('decisions')
        .where('session_id', '=', session.id)
        .where('starts_at', '<', (query) =>
          query.selectFrom('sessions').select('folded_before').where('id', '=', session.id),
        ),
    ];
  };

  return {
    find,
    create: async (session, odometer) => {
      const row = {
        id: session.id,
        channel_id: session.channelId,
        body: JSON.stringify(session),
        odometer: JSON.stringify(odometer),
        folded_before: 0,
        seen_at: session.openedAt,
      };
      await db.insertInto('sessions').values(row).execute();
    },
    decide: async (state, decision, record, foldBefore) => {
      const { id } = state.session;
      const key = { session_id: id, break_id: decision.breakId, starts_at: decision.startsAt };
      const ifNew = <Row extends { body: string }>(table: 'decisions' | 'breaks', body: Row['body']) =>
        db
          .insertInto(table)
          .values({ ...key, body })
          .onConflict((conflict) => conflict.doNothing());
      await store.atomically([
        ifNew('decisions', JSON.stringify(decision)),
        ifNew('breaks', JSON.stringify(record)),
        ...fold(state, foldBefore),
        db
          .deleteFrom('breaks')
          .where('session_id', '=', id)
          .where('starts_at', '<', decision.startsAt - KEPT_BREAKS),
      ]);
      return find(id);
    },
    seen: async (ids, at) => {
      for (let from = 0; from < ids.length; from += 500) {
        await db
          .updateTable('sessions')
          .set({ seen_at: at })
          .where('id', 'in', ids.slice(from, from + 500))
          .execute();
      }
    },
    expire: async (before) => {
      const old = db.selectFrom('sessions').select('id').where('seen_at', '<', before);
      const [, , sessions] = await store.atomically([
        db.deleteFrom('decisions').where('session_id', 'in', old),
        db.deleteFrom('breaks').where('session_id', 'in', old),
        db.deleteFrom('sessions').where('seen_at', '<', before),
      ]);
      return sessions ?? 0;
    },
    list: async (channelId, { offset, limit }) => {
      const ofChannel = db.selectFrom('sessions').where('channel_id', '=', channelId);
      const [counted, rows] = await Promise.all([
        ofChannel.select((query) => query.fn.countAll().as('total')).executeTakeFirst(),
        ofChannel.select('body').orderBy('seq', 'desc').limit(limit).offset(offset).execute(),
      ]);
      return { total: Number(counted?.total ?? 0), items: rows.map(({ body }) => JSON.parse(body) as Session) };
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
