// SPDX-License-Identifier: Apache-2.0
// Stores the history of sessions in tables of its own, so that the tables of living sessions stay small. The
// history is in the database even if sessions are in Redis.

import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql } from 'kysely';
import { inChunks } from '../../../adapters/inChunks.ts';
import { toEnded, toPastSessionRow } from '../../../adapters/sql/past/pastSessionRow.ts';
import type { Sql } from '../../../adapters/sql/sql.ts';
import { groupBy } from '../../../invariant.ts';
import { readFill } from '../../../sessions/history/breakFill.ts';
import type { Ended, KeptBreak, SessionHistory } from '../../../sessions/history/ports.ts';
import type { PastBreakTable } from './historyTables.ts';
import { sqlHistorySearch } from './sqlHistorySearch.ts';

/** Rows in one statement. */
const ROWS_PER_INSERT = 200;
/** What a row takes with its indexes beyond its texts, roughly. */
const ROW_BYTES = 250;

function toBreakRow({ sessionId, breakId, tenant, startsAt, keptFrom, fill, body }: KeptBreak): PastBreakTable {
  const text = fill === undefined ? '' : JSON.stringify(fill);
  return {
    session_id: sessionId,
    break_id: breakId,
    tenant,
    starts_at: startsAt,
    kept_from: keptFrom,
    status: fill?.status ?? null,
    reason: fill?.reason ?? null,
    fill: text,
    body,
    bytes: ROW_BYTES + text.length + body.length,
  };
}

const isUsable = (id: string): boolean => !id.includes('\0');

export function sqlHistory(store: Sql): SessionHistory {
  const { db } = store;

  const breaksOf = (sessionId: string) => db.selectFrom('past_breaks').where('session_id', '=', sessionId);

  /** A tenant may have been removed while its viewers were watching. */
  async function ofExistingTenants<Owned>(items: readonly Owned[], tenantOf: (item: Owned) => string) {
    const names = [...new Set(items.map(tenantOf))];
    if (names.length === 0) return [];
    const rows = await db.selectFrom('tenants').select('name').where('name', 'in', names).execute();
    const existing = new Set(rows.map(({ name }) => name));
    return items.filter((item) => existing.has(tenantOf(item)));
  }

  return {
    async add(sessions: readonly Ended[], breaks: readonly KeptBreak[]) {
      for (const some of inChunks(await ofExistingTenants(breaks, ({ tenant }) => tenant), ROWS_PER_INSERT))
        await db
          .insertInto('past_breaks')
          .values(some.map(toBreakRow))
          .onConflict((conflict) => conflict.columns(['session_id', 'break_id']).doNothing())
          .execute();
      const owned = await ofExistingTenants(sessions, ({ session }) => session.tenant);
      for (const some of inChunks(owned, ROWS_PER_INSERT))
        await db
          .insertInto('past_sessions')
          .values(some.map(toPastSessionRow))
          .onConflict((conflict) => conflict.column('id').doNothing())
          .execute();
      // Breaks that were stored while the session lived are kept as long as it.
      for (const { session, keptFrom } of owned)
        await db
          .updateTable('past_breaks')
          .set({ kept_from: keptFrom })
          .where('session_id', '=', session.id)
          .where('kept_from', '<', keptFrom)
          .execute();
    },
    async find(id, tenant) {
      if (!isUsable(id)) return undefined;
      const row = await db
        .selectFrom('past_sessions')
        .selectAll()
        .where('id', '=', id)
        .where('tenant', '=', tenant)
        .executeTakeFirst();
      return row && toEnded(row);
    },
    async breaks(sessionId, most) {
      if (!isUsable(sessionId)) return [];
      const rows = await breaksOf(sessionId).select('body').orderBy('starts_at', 'desc').limit(most).execute();
      return rows.map(({ body }) => body).reverse();
    },
    async findBreak(sessionId, breakId) {
      if (!isUsable(sessionId) || !isUsable(breakId)) return undefined;
      return (await breaksOf(sessionId).select('body').where('break_id', '=', breakId).executeTakeFirst())?.body;
    },
    async fills(ids) {
      if (ids.length === 0) return new Map();
      const rows = await db
        .selectFrom('past_breaks')
        .select(['session_id', 'fill'])
        .where('session_id', 'in', [...ids])
        .execute();
      const ofSessions = groupBy(rows, ({ session_id }) => session_id);
      return new Map([...ofSessions].map(([id, some]) => [id, some.flatMap(({ fill }) => readFill(fill) ?? [])]));
    },
    search: sqlHistorySearch(store),
    prune: sqlHistoryPrune(store),
  };
}

// Removes old history in batches: what is older than the retention, then the oldest until the rest is small enough.

/** Rows of a table that one statement removes. */
const ROWS_PER_BATCH = 500;
const MAX_BATCHES = 200;

function sqlHistoryPrune({ db, kind }: Sql): SessionHistory['prune'] {
  // If several nodes do this at once, none waits for rows that another one removes.
  const unlocked = sql.raw(kind === 'postgres' ? 'for update skip locked' : '');
  const changes = async (statement: ReturnType<typeof sql>) =>
    Number((await statement.execute(db)).numAffectedRows ?? 0n);
  const removeBreaks = (before: number) =>
    changes(sql`delete from past_breaks where (session_id, break_id) in
      (select session_id, break_id from past_breaks where kept_from < ${before}
       order by kept_from limit ${ROWS_PER_BATCH} ${unlocked})`);
  const removeBreaksOf = (ids: ReturnType<typeof sql.join>) =>
    changes(sql`delete from past_breaks where (session_id, break_id) in
      (select session_id, break_id from past_breaks where session_id in (${ids}) limit ${ROWS_PER_BATCH} ${unlocked})`);
  const removeSessions = (before: number) =>
    changes(sql`delete from past_sessions where id in
      (select id from past_sessions where kept_from < ${before} order by kept_from limit ${ROWS_PER_BATCH} ${unlocked})`);

  const sizeOf = async () =>
    Number((await db.selectFrom('past_size').select('bytes').where('id', '=', 1).executeTakeFirst())?.bytes ?? 0);

  /** Removes the oldest sessions with their breaks, and breaks of living sessions that are older. */
  async function removeOldest(): Promise<number> {
    const oldest = await db
      .selectFrom('past_sessions')
      .select(['id', 'kept_from'])
      .orderBy('kept_from')
      .limit(ROWS_PER_BATCH / 5)
      .execute();
    const [first] = oldest;
    if (first === undefined) return removeBreaks(Number.MAX_SAFE_INTEGER);
    const ids = sql.join(oldest.map(({ id }) => id));
    const older = await removeBreaks(Number(first.kept_from));
    // A session that lived for days has many breaks: the rest of them is removed next, and their sessions only then.
    const removed = older === ROWS_PER_BATCH ? older : older + (await removeBreaksOf(ids));
    if (removed >= ROWS_PER_BATCH) return removed;
    return (
      removed +
      (await changes(sql`delete from past_sessions where id in (${ids}) and not exists (
      select 1 from past_breaks where past_breaks.session_id = past_sessions.id)`))
    );
  }

  return async (before, maxBytes) => {
    for (let batch = 0; batch < MAX_BATCHES; batch += 1) {
      // Breaks first: a session without breaks would be found, and look as if it had had none.
      const removed = (await removeBreaks(before)) || (await removeSessions(before));
      if (removed === 0 && ((await sizeOf()) <= maxBytes || (await removeOldest()) === 0)) return false;
      await nextTurn();
    }
    return true;
  };
}
