// Forgets sessions whose viewers are gone, with all their records.
import { type ExpressionBuilder, sql } from 'kysely';
import type { EndedSession, SessionStore } from '../../../sessions/ports.ts';
import type { Session } from '../../../sessions/session.ts';
import type { Millis } from '../../../time/units.ts';
import type { Sql } from '../sql.ts';
import type { Database } from '../sqlSchema.ts';

/** Sessions let go in one transaction. */
const EXPIRED_AT_ONCE = 500;

export function sqlSessionExpiry(store: Sql): SessionStore['expire'] {
  const { db } = store;

  /** Of a channel that nobody can have been seen on: it is switched off, or was until after `since`. */
  const isHidden = (since: Millis) =>
    db
      .selectFrom('airings')
      .select('life')
      .where('airings.channel_id', '=', sql.ref<string>('sessions.channel_id'))
      .where('airings.tenant', '=', sql<string>`coalesce(sessions.tenant, airings.tenant)`)
      .where((where) => where.or([where('off_since', 'is not', null), where('on_since', '>=', since)]));

  return async (before, unwatchedBefore = before) => {
    const isOver = (where: ExpressionBuilder<Database, 'sessions'>) => {
      const isSilent = (since: Millis) =>
        where.and([where('seen_at', '<', since), where.not(where.exists(isHidden(since)))]);
      // The literal lets the planner use the index of those that were never watched.
      return where.or([isSilent(before), where.and([where('is_watched', '=', sql.lit(0)), isSilent(unwatchedBefore)])]);
    };
    const ended: EndedSession[] = [];
    for (;;) {
      const old = await db
        .selectFrom('sessions')
        .select([
          'id',
          'channel_id',
          'tenant',
          'seen_at',
          // Of one that was opened before there was the column.
          sql<string | null>`case when tenant is null then body end`.as('body'),
        ])
        .where(isOver)
        .limit(EXPIRED_AT_ONCE)
        .execute();
      if (old.length === 0) return ended;
      const ids = old.map(({ id }) => id);
      // Of several processes that do this at once, each has the rows that it deleted.
      const [gone] = await store.atomicRows([
        db.deleteFrom('sessions').where('id', 'in', ids).where(isOver).returning('id'),
        ...(['confirmations', 'claims', 'decisions', 'breaks'] as const).map((table) =>
          db
            .deleteFrom(table)
            .where('session_id', 'in', ids)
            .where('session_id', 'not in', (query) => query.selectFrom('sessions').select('id').where('id', 'in', ids)),
        ),
      ]);
      const ours = new Set(gone!.map((row) => (row as { id: string }).id));
      for (const { id, channel_id: channelId, seen_at, body, ...row } of old) {
        const tenant = row.tenant ?? (JSON.parse(body!) as Session).tenant;
        if (ours.has(id)) ended.push({ channelId, tenant, seenAt: Number(seen_at) as Millis });
      }
    }
  };
}
