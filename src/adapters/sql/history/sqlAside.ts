// SPDX-License-Identifier: Apache-2.0
// Breaks in the tables of living sessions that wait for the history. Their sessions live, or are in the history already: a session
// that expires is moved there in the transaction that removes it.
import { sql } from 'kysely';
import type { BreakRecord } from '../../../ads/record/breakRecord.ts';
import type { AsideStore, SetAside } from '../../../sessions/history/ports.ts';
import type { Session } from '../../../sessions/session.ts';
import { startOfRecord } from '../../../sessions/sessionRules.ts';
import { millis } from '../../../time/units.ts';
import { jsonRows } from '../jsonRows.ts';
import type { Sql } from '../sql.ts';

/** Records read at once; each takes some 10 KB, and 150 KB at most. */
const MAX_TAKEN = 100;

export function sqlAside({ db, kind, atomically }: Sql): AsideStore {
  const keyRows = jsonRows(kind, 'session_id text, break_id text');

  const removal = (table: 'breaks' | 'confirmations', keys: readonly (readonly [string, string])[]) =>
    sql`delete from ${sql.table(table)}
      where (session_id, break_id) in (select session_id, break_id from ${keyRows(keys)} as taken)`;

  return {
    async take() {
      // A literal, so that the query planner uses the partial index.
      const aside = db.selectFrom('breaks').selectAll().where('is_aside', '=', sql.lit(1));
      const rows = await db
        .selectFrom(aside.orderBy('session_id').limit(MAX_TAKEN).as('aside'))
        .leftJoin('sessions', 'sessions.id', 'aside.session_id')
        .leftJoin('past_sessions as past', 'past.id', 'aside.session_id')
        .select(['aside.session_id', 'aside.break_id', 'aside.body', 'sessions.body as session'])
        .select(['past.tenant', 'past.channel_id', 'past.kept_from'])
        .execute();
      if (rows.length === 0) return undefined;
      const keys = rows.map(({ session_id, break_id }) => [session_id, break_id] as const);
      return {
        sessions: [],
        breaks: rows.flatMap(({ session_id: sessionId, body, session, ...past }): SetAside[] => {
          const record = JSON.parse(body) as BreakRecord;
          const { tenant, channel_id: channelId, kept_from: keptFrom } = past;
          if (tenant !== null && channelId !== null && keptFrom !== null)
            return [{ sessionId, tenant, channelId, keptFrom: millis(keptFrom), record }];
          // The tenant was removed.
          if (session === null) return [];
          const { tenant: owner, channelId: id } = JSON.parse(session) as Session;
          return [{ sessionId, tenant: owner, channelId: id, keptFrom: millis(startOfRecord(record)), record }];
        }),
        done: async () => void (await atomically([removal('breaks', keys), removal('confirmations', keys)])),
      };
    },
  };
}
