// SPDX-License-Identifier: Apache-2.0
// Removes old history in batches: what is older than the retention, then the oldest until the rest is small enough.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql } from 'kysely';
import type { SessionHistory } from '../../../sessions/history/ports.ts';
import type { Sql } from '../sql.ts';

/** Rows of a table that one statement removes. */
const ROWS_PER_BATCH = 500;
const MAX_BATCHES = 200;

export function sqlHistoryPrune({ db, kind }: Sql): SessionHistory['prune'] {
  // Of several nodes that do this at once, none waits for rows that another one removes.
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
    const last = oldest.at(-1);
    if (last === undefined) return removeBreaks(Number.MAX_SAFE_INTEGER);
    const ids = sql.join(oldest.map(({ id }) => id));
    const older = await removeBreaks(Number(oldest[0]!.kept_from));
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
