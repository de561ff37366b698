// SPDX-License-Identifier: Apache-2.0
// Stores what VoD sessions show, with the records of all breaks. Records are kept as long as the session, because a viewer may
// seek to any of them; the limits for live sessions (sqlSessions.ts) do not apply.
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { storedFill } from '../../../sessions/history/breakFill.ts';
import type { FrozenStore } from '../../../sessions/ports.ts';
import { startOfRecord } from '../../../sessions/sessionRules.ts';
import type { Frozen } from '../../../vod/layOut.ts';
import { jsonRows } from '../jsonRows.ts';
import type { Sql } from '../sql.ts';

export function sqlFrozen({ db, kind, atomically }: Sql): FrozenStore {
  const recordRows = jsonRows(kind, 'break_id text, starts_at bigint, body text, fill text');

  async function findFrozen(sessionId: string): Promise<Frozen | undefined> {
    const row = await db
      .selectFrom('presentations')
      .select('body')
      .where('session_id', '=', sessionId)
      .executeTakeFirst();
    return row && (JSON.parse(row.body) as Frozen);
  }

  return {
    findFrozen,
    async freeze(sessionId, frozen, records) {
      const body = JSON.stringify(frozen);
      const writer = randomUUID();
      const rows = records.map((record) => [
        record.id,
        startOfRecord(record),
        JSON.stringify(record),
        storedFill(record),
      ]);
      // True after the first statement if this call is the first writer.
      const isOurs = sql`exists (select 1 from presentations where session_id = ${sessionId} and writer = ${writer})`;
      const [stored] = await atomically([
        sql`
          insert into presentations (session_id, body, writer)
          select id, cast(${body} as text), cast(${writer} as text) from sessions where id = ${sessionId}
          on conflict (session_id) do nothing`,
        sql`
          insert into breaks (session_id, break_id, starts_at, body, fill)
          select cast(${sessionId} as text), break_id, starts_at, body, fill from ${recordRows(rows)} as news
          where ${isOurs} on conflict (session_id, break_id) do nothing`,
        // The records contain the ad responses. Claims stay, so that no process requests them again.
        sql`update claims set answer = null where session_id = ${sessionId} and ${isOurs}`,
      ]);
      if (stored === 1) return { frozen, isFirst: true };
      const first = await findFrozen(sessionId);
      return first && { frozen: first, isFirst: false };
    },
  };
}
