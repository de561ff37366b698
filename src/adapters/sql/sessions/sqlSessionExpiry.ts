// SPDX-License-Identifier: Apache-2.0
// Removes expired sessions with all of their records, or moves them to the history.
import { type RawBuilder, sql } from 'kysely';
import type { EndedSession, SessionStore, VodExpiry } from '../../../sessions/ports.ts';
import type { Session } from '../../../sessions/session.ts';
import { MAX_OVERTIME_MS } from '../../../sessions/sessionRules.ts';
import { type Millis, millis } from '../../../time/units.ts';
import { jsonRows } from '../jsonRows.ts';
import { toPastSessionRow } from '../past/pastSessionRow.ts';
import type { SqlKind } from '../schema/schema.ts';
import type { PastSessionTable } from '../schema/sessionTables.ts';
import type { Sql } from '../sql.ts';
import type { SqlStatement } from '../statement.ts';

/** Sessions removed in one transaction. */
const MAX_EXPIRED_AT_ONCE = 500;
const tablesOfSessions = ['claims', 'decisions', 'presentations', 'confirmations', 'breaks'] as const;
const KEEP_ALL: VodExpiry = { now: millis(0), unwatchedBefore: millis(0) };

/** The channel is switched off, or was until after `since`, so its sessions could not request anything. */
const wasOff = (since: Millis, lives: 'airings' | 'live_feeds') => sql`exists (
  select 1 from ${sql.table(lives)} as life
  where life.channel_id = sessions.channel_id and life.tenant = sessions.tenant
    and (life.off_since is not null or life.on_since >= ${since}))`;

const isUnseen = (since: Millis) => sql<boolean>`(
  keep_until is null and seen_at < ${since} and not ${wasOff(since, 'airings')} and not ${wasOff(since, 'live_feeds')})`;

export function sqlSessionExpiry({ db, kind, atomicRows }: Sql, keepsTraces: boolean): SessionStore['expire'] {
  const toHistory = moveToHistory(kind);

  /**
   * @param at when the sessions are removed
   * @param by the column of the index to use: without an order, PostgreSQL would read all sessions.
   */
  async function remove(at: Millis, by: 'seen_at' | 'keep_until', isExpired: RawBuilder<boolean>) {
    const ended: EndedSession[] = [];
    for (;;) {
      const old = await db
        .selectFrom('sessions')
        // The body is for the history.
        .select([
          'id',
          'channel_id',
          'tenant',
          'seen_at',
          sql<string>`${sql.raw(keepsTraces ? 'body' : "''")}`.as('body'),
        ])
        .where(isExpired)
        .orderBy(by)
        .limit(MAX_EXPIRED_AT_ONCE)
        .execute();
      if (old.length === 0) return ended;
      const ids = old.map(({ id }) => id);
      const toPast = ({ body, seen_at }: (typeof old)[number]) =>
        toPastSessionRow({ session: JSON.parse(body) as Session, seenAt: millis(seen_at), keptFrom: at });
      // If several processes do this at once, each one reports the rows that it deleted.
      const [deleted] = await atomicRows([
        db.deleteFrom('sessions').where('id', 'in', ids).where(isExpired).returning('id'),
        ...(keepsTraces ? toHistory(old.map(toPast)) : []),
        ...tablesOfSessions
          .slice(0, keepsTraces ? 3 : undefined)
          .map((table) => sql`delete from ${sql.table(table)} where ${ofGone(ids)}`),
      ]);
      const ours = new Set((deleted ?? []).map((row) => (row as { id: string }).id));
      for (const { id, channel_id: channelId, tenant, seen_at } of old)
        if (ours.has(id)) ended.push({ channelId, tenant, seenAt: millis(seen_at) });
    }
  }

  return async (before, unwatchedBefore = before, vod = KEEP_ALL) => {
    const at = millis(Math.max(before, vod.now));
    const live = await remove(at, 'seen_at', isUnseen(before));
    const kept = await remove(
      at,
      'keep_until',
      sql<boolean>`keep_until < ${vod.now} and (seen_at < ${before} or keep_until < ${vod.now - MAX_OVERTIME_MS})`,
    );
    const unwatched = await remove(
      at,
      'seen_at',
      // A literal, and one range, so that the query planner uses the partial index of unwatched sessions.
      sql<boolean>`is_watched = 0 and seen_at < ${Math.max(unwatchedBefore, vod.unwatchedBefore)}
        and (${isUnseen(unwatchedBefore)} or keep_until is not null and seen_at < ${vod.unwatchedBefore})`,
    );
    return [...live, ...kept, ...unwatched];
  };
}

/** Rows of sessions that this transaction has removed, or that of another node, which has done the same. */
const ofGone = (ids: readonly string[]) =>
  sql`session_id in (${sql.join(ids)}) and session_id not in (select id from sessions where id in (${sql.join(ids)}))`;

// Moves expired sessions to the history, in the transaction that removes them. Their records are large and are set aside: they are
// compressed and stored later, in the background.

function moveToHistory(kind: SqlKind): (rows: readonly PastSessionTable[]) => SqlStatement[] {
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
    'guided_until bigint',
  ];
  const names = columns.map((column) => column.split(' ')[0] as keyof PastSessionTable);
  const list = sql.raw(names.join(', '));
  const sessionRows = jsonRows(kind, columns.join(', '));

  return (rows) => {
    const ids = rows.map(({ id }) => id);
    return [
      sql`
        insert into past_sessions (${list})
        select ${list} from ${sessionRows(rows.map((row) => names.map((name) => row[name])))} as ended
        where id not in (select id from sessions where id in (${sql.join(ids)})) and tenant in (select name from tenants)
        on conflict (id) do nothing`,
      sql`update past_breaks set kept_from = ${rows[0]?.kept_from} where ${ofGone(ids)}`,
      sql`update breaks set is_aside = 1 where ${ofGone(ids)}`,
      sql`
        delete from confirmations where ${ofGone(ids)} and not exists (
          select 1 from breaks
          where breaks.session_id = confirmations.session_id and breaks.break_id = confirmations.break_id)`,
    ];
  };
}
