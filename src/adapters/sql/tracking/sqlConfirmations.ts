// SPDX-License-Identifier: Apache-2.0
// Stores the tracking events that players report, once each, as long as their session and the record of their break
// exist.
import { sql } from 'kysely';
import { millis } from '../../../time/units.ts';
import type { Confirmation, ConfirmationStore } from '../../../tracking/feed/confirmations.ts';
import type { Sql } from '../sql.ts';

export function sqlConfirmations({ db, atomically }: Sql): ConfirmationStore {
  /** Inserts if the session exists and the event is new. */
  const insertOnce = (sessionId: string, { breakId, adId, event, at, playerAt }: Confirmation) => sql`
    insert into confirmations (session_id, break_id, ad_id, event, at, player_at)
    select id, cast(${breakId} as text), cast(${adId} as text), cast(${event} as text), cast(${at} as bigint),
      cast(${playerAt ?? null} as bigint)
    from sessions where id = ${sessionId}
    on conflict (session_id, break_id, ad_id, event) do nothing`;

  /** Removes events of breaks whose record was removed. */
  const removeOld = (sessionId: string) => sql`
    delete from confirmations where session_id = ${sessionId}
      and break_id not in (select break_id from breaks where session_id = ${sessionId})`;

  return {
    add: async (sessionId, confirmations) => {
      if (confirmations.length === 0) return 0;
      const counts = await atomically([
        ...confirmations.map((one) => insertOnce(sessionId, one)),
        removeOld(sessionId),
      ]);
      return counts.slice(0, -1).reduce((sum, count) => sum + count, 0);
    },
    ofSession: async (sessionId) => {
      const all = db.selectFrom('confirmations').selectAll().where('session_id', '=', sessionId);
      const rows = await all.orderBy('at').orderBy('ad_id').orderBy('event').execute();
      return rows.map(({ break_id, ad_id, event, at, player_at }) => ({
        breakId: break_id,
        adId: ad_id,
        event,
        at: millis(at),
        ...(player_at === null ? {} : { playerAt: millis(player_at) }),
      }));
    },
  };
}
