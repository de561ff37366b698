// SPDX-License-Identifier: Apache-2.0
// Stores sessions, their decisions and the records of their breaks. A decision is written once: of several nodes, the
// first one wins. Old decisions are folded into the odometer (law 3). What to decide is left to src/playback.
import { sql } from 'kysely';
import type { Odometer } from '../../../ads/placement/decision.ts';
import type { BreakRecord } from '../../../ads/record/breakRecord.ts';
import { storedFill } from '../../../sessions/history/breakFill.ts';
import type { SessionState, SessionStore, ShownBreak, StoredDecision } from '../../../sessions/ports.ts';
import { keepUntilOf, type Session } from '../../../sessions/session.ts';
import { foldOld, hasAds } from '../../../sessions/sessionRules.ts';
import { millis } from '../../../time/units.ts';
import { inChunks } from '../../inChunks.ts';
import { compileOnce } from '../compileOnce.ts';
import { clockOf } from '../measure/databaseClock.ts';
import type { SessionTables } from '../schema/sessionTables.ts';
import type { Sql } from '../sql.ts';
import { countOf } from '../sqlRecords.ts';
import type { SqlStatement } from '../statement.ts';
import { decisionStatements } from './decisionStatements.ts';
import { keepAssets } from './keepAssets.ts';
import { sqlClaims } from './sqlClaims.ts';
import { sqlSessionExpiry } from './sqlSessionExpiry.ts';

type NewSession = Pick<
  SessionTables['sessions'],
  'id' | 'channel_id' | 'tenant' | 'body' | 'odometer' | 'seen_at' | 'keep_until'
>;

/** @param keepsTraces whether what is removed is set aside for the history (src/sessions/history) */
export function sqlSessions(store: Sql, keepsTraces = false): SessionStore {
  const { db } = store;
  const { insertDecision, insertRecord, removeOldBreaks, writeFold } = decisionStatements(store, keepsTraces);
  const stateOf = compileOnce((of: { id: string }) =>
    db
      .selectFrom('sessions')
      .leftJoin('decisions', 'decisions.session_id', 'sessions.id')
      .select(['sessions.body', 'odometer', 'folded_before', 'is_watched', 'decisions.body as decision'])
      .where('sessions.id', '=', of.id),
  );
  const insertSession = compileOnce(({ id, channel_id, tenant, body, odometer, seen_at, keep_until }: NewSession) => {
    const row = { id, channel_id, tenant, body, odometer, seen_at, keep_until, folded_before: 0, is_watched: 0 };
    return db.insertInto('sessions').values(row);
  });

  /** One statement: between two, another process might fold a decision, and it would be in neither result. */
  async function find(id: string): Promise<SessionState | undefined> {
    // PostgreSQL rejects this character.
    if (id.includes('\0')) return undefined;
    const { rows } = await store.run(stateOf({ id }));
    const [row] = rows;
    if (row === undefined) return undefined;
    return {
      session: JSON.parse(row.body) as Session,
      decisions: rows.flatMap(({ decision }) => (decision === null ? [] : [JSON.parse(decision) as StoredDecision])),
      odometer: JSON.parse(row.odometer) as Odometer,
      foldedBefore: millis(row.folded_before),
      ...(row.is_watched === 0 ? { isUnwatched: true } : {}),
    };
  }

  const ofTenant = (tenant: string) => db.selectFrom('sessions').where('tenant', '=', tenant);

  /** Replaces what was stored for the break. The first two statements show whether anything changed. */
  const writeShown = ({ sessionId, life, decision, record }: ShownBreak): SqlStatement[] => [
    insertDecision(sessionId, decision),
    replaceDecision(sessionId, decision),
    insertRecord({ id: sessionId, life }, decision, record),
    replaceRecord(sessionId, decision.breakId, record),
  ];

  return {
    find,
    create: async (session, odometer) => {
      const { id, channelId, tenant, openedAt } = session;
      const vod = session.kind === 'film' ? session.vod : undefined;
      const bodies = { body: JSON.stringify(session), odometer: JSON.stringify(odometer) };
      const times = { seen_at: openedAt, keep_until: keepUntilOf(session) ?? null };
      const insertion = insertSession({ id, channel_id: channelId, tenant, ...bodies, ...times });
      if (vod === undefined) await store.run(insertion);
      else await store.atomically([...keepAssets(store, vod), insertion]);
    },
    decide: async (state, decision, record, foldBefore, mayWaitMs) => {
      const { id } = state.session;
      const folded = foldOld(state, foldBefore);
      const isFolding = folded !== state;
      const statements = [
        insertDecision(id, decision),
        insertRecord(state.session, decision, record),
        ...(isFolding ? writeFold(state, folded) : []),
        removeOldBreaks(id, decision.startsAt),
      ];
      const [isNew, , isFolded] = await store.atomically(statements, mayWaitMs);
      // No other process has written, so the stored state is known without reading it.
      const isOurs = isNew === 1 && (!isFolding || isFolded === 1);
      const now = isOurs ? { ...folded, decisions: [...folded.decisions, decision] } : await find(id);
      return now === undefined ? undefined : { state: now, isFirst: isNew === 1 };
    },
    ...sqlClaims(store),
    recorded: sqlRecorded(store),
    recordShown: async (shown) => {
      const changed = await store.atomically(shown.flatMap(writeShown));
      return shown.map((_, index) => changed[index * 4] === 1 || changed[index * 4 + 1] === 1);
    },
    settle: sqlSettle(store),
    seen: async (ids, at) => {
      let count = 0;
      for (const some of inChunks(ids)) {
        const { numUpdatedRows } = await db
          .updateTable('sessions')
          .set({ seen_at: at, is_watched: 1 })
          .where('id', 'in', some)
          .executeTakeFirst();
        count += Number(numUpdatedRows);
      }
      return count;
    },
    expire: sqlSessionExpiry(store, keepsTraces),
    list: async ({ id, tenant }, { offset, limit }) => {
      const ofChannel = ofTenant(tenant).where('channel_id', '=', id);
      const [total, rows] = await Promise.all([
        countOf(ofChannel),
        ofChannel.select('body').orderBy('seq', 'desc').limit(limit).offset(offset).execute(),
      ]);
      return { total, items: rows.map(({ body }) => JSON.parse(body) as Session) };
    },
    watching: async (tenant, channelIds, since) => {
      if (channelIds.length === 0) return new Map();
      const rows = await ofTenant(tenant)
        .select(['channel_id', sql<number>`count(*)`.as('count')])
        .where('channel_id', 'in', [...channelIds])
        .where('seen_at', '>=', since)
        .where('is_watched', '=', 1)
        .groupBy('channel_id')
        .execute();
      return new Map(rows.map(({ channel_id, count }) => [channel_id, count]));
    },
    findBreak: async (sessionId, breakId) => {
      const row = await db
        .selectFrom('breaks')
        .select('body')
        .where((row) => row.and({ session_id: sessionId, break_id: breakId }))
        .executeTakeFirst();
      return row && (JSON.parse(row.body) as BreakRecord);
    },
    breaks: async (sessionId, most) => {
      const all = db.selectFrom('breaks').select('body').where('session_id', '=', sessionId);
      const rows = await all.orderBy('starts_at', 'desc').limit(most).execute();
      return rows.map(({ body }) => JSON.parse(body) as BreakRecord).reverse();
    },
  };
}

// Reads the decisions that any process has recorded lately.

/** Milliseconds. A transaction may end so much later than the time that its row states. */
const OVERLAP = 1000;
/** Milliseconds. What is older was read, or is read when its viewer comes. */
const LATELY = 10_000;

function sqlRecorded(store: Sql): SessionStore['recorded'] {
  const greatest = sql.raw(store.kind === 'postgres' ? 'greatest' : 'max');
  const recordedSince = compileOnce((of: { since: number }) =>
    store.db
      .selectFrom('decisions')
      .select(['session_id', 'body', 'decided_at'])
      .where(
        'decided_at',
        '>=',
        sql<number>`${greatest}(cast(${of.since} as bigint), ${clockOf(store)} - ${sql.lit(LATELY)})`,
      ),
  );
  return async (sessionIds, since) => {
    const known = since.get('') ?? 0;
    const { rows } = await store.run(recordedSince({ since: known - OVERLAP }));
    let until = known;
    const decisions = [];
    for (const { session_id: sessionId, body, decided_at: at } of rows) {
      until = Math.max(until, at ?? 0);
      if (sessionIds.has(sessionId)) decisions.push({ sessionId, decision: JSON.parse(body) as StoredDecision });
    }
    return { decisions, until: new Map([['', until]]), isRead: () => true };
  };
}

// Replaces what is stored of decided breaks.

/** Breaks in one transaction. */
const MAX_SETTLED = 200;

/** Changes 1 row if another text was stored, otherwise 0. */
const replaceDecision = (sessionId: string, decision: StoredDecision) => {
  const body = JSON.stringify(decision);
  return sql`update decisions set body = ${body}
    where session_id = ${sessionId} and break_id = ${decision.breakId} and body <> ${body}`;
};

const replaceRecord = (sessionId: string, breakId: string, record: BreakRecord) => {
  const body = JSON.stringify(record);
  return sql`update breaks set body = ${body}, has_ads = ${hasAds(record) ? 1 : 0}, fill = ${storedFill(record)}
    where session_id = ${sessionId} and break_id = ${breakId} and body <> ${body}`;
};

const sqlSettle =
  ({ atomically }: Sql): SessionStore['settle'] =>
  async (settled) => {
    const changed: boolean[] = [];
    for (const some of inChunks(settled, MAX_SETTLED)) {
      const statements = some.map(({ sessionId, decision, record }) => [
        replaceDecision(sessionId, decision),
        ...(record === undefined ? [] : [replaceRecord(sessionId, decision.breakId, record)]),
      ]);
      const counts = await atomically(statements.flat());
      let index = 0;
      for (const { length } of statements) {
        changed.push(length > 1 && (counts[index + 1] ?? 0) > 0);
        index += length;
      }
    }
    return changed;
  };
