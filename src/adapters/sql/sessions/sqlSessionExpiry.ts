// SPDX-License-Identifier: Apache-2.0
// Removes expired sessions with all of their records, or moves them to the history.
import { type ExpressionBuilder, type ExpressionWrapper, type SqlBool, sql } from 'kysely';
import type { Ended } from '../../../sessions/history/ports.ts';
import type { EndedSession, SessionStore, VodExpiry } from '../../../sessions/ports.ts';
import type { Session } from '../../../sessions/session.ts';
import { MAX_OVERTIME_MS } from '../../../sessions/sessionRules.ts';
import { type Millis, millis } from '../../../time/units.ts';
import { jsonRows } from '../jsonRows.ts';
import { toPastSessionRow } from '../past/pastSessionRow.ts';
import type { PastSessionTable } from '../schema/platformTables.ts';
import type { Sql, SqlStatement } from '../sql.ts';
import type { Database } from '../sqlSchema.ts';

/** Sessions removed in one transaction. */
const MAX_EXPIRED_AT_ONCE = 500;
const tablesOfSessions = ['claims', 'decisions', 'presentations', 'confirmations', 'breaks'] as const;
const KEEP_ALL: VodExpiry = { now: millis(0), unwatchedBefore: millis(0) };

const endedOf = (body: string, seenAt: number, at: Millis): Ended => ({
  ...{ session: JSON.parse(body) as Session, seenAt: millis(seenAt), keptFrom: at },
});

type Where = ExpressionBuilder<Database, 'sessions'>;
type IsExpired = (where: Where) => ExpressionWrapper<Database, 'sessions', SqlBool>;

export function sqlSessionExpiry(store: Sql, keepsTraces: boolean): SessionStore['expire'] {
  const { db } = store;
  const toHistory = moveToHistory(store);

  /** The channel is switched off, or was until after `since`, so its sessions could not request anything. */
  const wasOff = (since: Millis, lives: 'airings' | 'live_feeds') =>
    db
      // What is read here has the same columns in both.
      .selectFrom(`${lives as 'airings'} as life`)
      .select('life.life')
      .where('life.channel_id', '=', sql.ref<string>('sessions.channel_id'))
      .where('life.tenant', '=', sql.ref<string>('sessions.tenant'))
      .where((where) => where.or([where('life.off_since', 'is not', null), where('life.on_since', '>=', since)]));

  /**
   * @param at when the sessions are removed
   * @param by the column of the index to use: without an order, PostgreSQL would read all sessions.
   */
  async function remove(at: Millis, by: 'seen_at' | 'keep_until', isExpired: IsExpired): Promise<EndedSession[]> {
    const ended: EndedSession[] = [];
    for (;;) {
      const old = await db
        .selectFrom('sessions')
        .select([
          'id',
          'channel_id',
          'tenant',
          'seen_at',
          // For the history.
          (keepsTraces ? sql<string>`body` : sql<string>`''`).as('body'),
        ])
        .where(isExpired)
        .orderBy(by)
        .limit(MAX_EXPIRED_AT_ONCE)
        .execute();
      if (old.length === 0) return ended;
      const ids = old.map(({ id }) => id);
      const hasEnded = (table: (typeof tablesOfSessions)[number]) =>
        db
          .deleteFrom(table)
          .where('session_id', 'in', ids)
          .where('session_id', 'not in', (query) => query.selectFrom('sessions').select('id').where('id', 'in', ids));
      // If several processes do this at once, each one reports the rows that it deleted.
      const [deleted] = await store.atomicRows([
        db.deleteFrom('sessions').where('id', 'in', ids).where(isExpired).returning('id'),
        ...(keepsTraces ? toHistory(old.map(({ body, seen_at }) => endedOf(body, Number(seen_at), at))) : []),
        ...tablesOfSessions.slice(0, keepsTraces ? 3 : undefined).map(hasEnded),
      ]);
      const ours = new Set((deleted ?? []).map((row) => (row as { id: string }).id));
      for (const { id, channel_id: channelId, tenant, seen_at } of old) {
        if (ours.has(id)) ended.push({ channelId, tenant, seenAt: Number(seen_at) as Millis });
      }
    }
  }

  return async (before, unwatchedBefore = before, vod = KEEP_ALL) => {
    const isUnseen = (where: Where, since: Millis) =>
      where.and([
        where('keep_until', 'is', null),
        where('seen_at', '<', since),
        where.not(where.exists(wasOff(since, 'airings'))),
        where.not(where.exists(wasOff(since, 'live_feeds'))),
      ]);
    const at = millis(Math.max(before, vod.now));
    const live = await remove(at, 'seen_at', (where) => isUnseen(where, before));
    const kept = await remove(at, 'keep_until', (where) =>
      where.and([
        where('keep_until', '<', vod.now),
        where.or([where('seen_at', '<', before), where('keep_until', '<', vod.now - MAX_OVERTIME_MS)]),
      ]),
    );
    const unwatched = await remove(at, 'seen_at', (where) =>
      where.and([
        // A literal, and one range, so that the query planner uses the partial index of unwatched sessions.
        where('is_watched', '=', sql.lit(0)),
        where('seen_at', '<', Math.max(unwatchedBefore, vod.unwatchedBefore)),
        where.or([
          isUnseen(where, unwatchedBefore),
          where.and([where('keep_until', 'is not', null), where('seen_at', '<', vod.unwatchedBefore)]),
        ]),
      ]),
    );
    return [...live, ...kept, ...unwatched];
  };
}

// Moves expired sessions to the history, in the transaction that removes them. Their records are large and are set aside: they are
// compressed and stored later, in the background.

function moveToHistory({ kind }: Sql): (ended: readonly Ended[]) => SqlStatement[] {
  const columns = [
    ...[
      'id text',
      'id_start text',
      'tenant text',
      'channel_id text',
      'format text',
      'opened_at bigint',
      'seen_at bigint',
    ],
    ...['kept_from bigint', 'span bigint', 'address text', 'user_agent text', 'parameters text', 'bytes bigint'],
  ];
  const names = columns.map((column) => column.split(' ')[0] as keyof PastSessionTable);
  const list = sql.raw(names.join(', '));
  const sessionRows = jsonRows(kind, columns.join(', '));

  return (ended) => {
    const rows = ended.map(toPastSessionRow);
    const ids = sql.join(rows.map(({ id }) => id));
    const keptFrom = rows[0]?.kept_from;
    /** Removed by this transaction, or by that of another node, which has moved it as well. */
    const isGone = sql`not in (select id from sessions where id in (${ids}))`;
    return [
      sql`
        insert into past_sessions (${list})
        select ${list} from ${sessionRows(rows.map((row) => names.map((name) => row[name])))} as ended
        where id ${isGone} and tenant in (select name from tenants) on conflict (id) do nothing`,
      sql`
        update past_breaks set kept_from = ${keptFrom} where session_id in (${ids}) and session_id ${isGone}`,
      sql`update breaks set is_aside = 1 where session_id in (${ids}) and session_id ${isGone}`,
      sql`
        delete from confirmations where session_id in (${ids}) and session_id ${isGone} and not exists (
          select 1 from breaks
          where breaks.session_id = confirmations.session_id and breaks.break_id = confirmations.break_id)`,
    ];
  };
}
