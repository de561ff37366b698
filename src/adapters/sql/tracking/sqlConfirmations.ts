// SPDX-License-Identifier: Apache-2.0
// Stores the tracking events that players report, once each, as long as their session and the record of their break
// exist.
import { sql } from 'kysely';
import { millis } from '../../../time/units.ts';
import type { Confirmation, ConfirmationStore } from '../../../tracking/feed/confirmations.ts';
import type { Sql } from '../sql.ts';

export function sqlConfirmations(store: Sql): ConfirmationStore {
  const { db } = store;

  /** Inserts if the session exists and the event is new. */
  const insertOnce = (sessionId: string, { breakId, adId, event, at, playerAt }: Confirmation) =>
    db
      .insertInto('confirmations')
      .columns(['session_id', 'break_id', 'ad_id', 'event', 'at', 'player_at'])
      .expression(
        db
          .selectFrom('sessions')
          .select([
            'id',
            sql<string>`cast(${breakId} as text)`.as('break_id'),
            sql<string>`cast(${adId} as text)`.as('ad_id'),
            sql<string>`cast(${event} as text)`.as('event'),
            sql<number>`cast(${at} as bigint)`.as('at'),
            sql<number | null>`cast(${playerAt ?? null} as bigint)`.as('player_at'),
          ])
          .where('id', '=', sessionId),
      )
      .onConflict((conflict) => conflict.columns(['session_id', 'break_id', 'ad_id', 'event']).doNothing());

  /** Removes events of breaks whose record was removed. */
  const removeOld = (sessionId: string) =>
    db
      .deleteFrom('confirmations')
      .where('session_id', '=', sessionId)
      .where('break_id', 'not in', (query) =>
        query.selectFrom('breaks').select('break_id').where('session_id', '=', sessionId),
      );

  return {
    add: async (sessionId, confirmations) => {
      if (confirmations.length === 0) return 0;
      const counts = await store.atomically([
        ...confirmations.map((one) => insertOnce(sessionId, one)),
        removeOld(sessionId),
      ]);
      return counts.slice(0, -1).reduce((sum, count) => sum + count, 0);
    },
    ofSession: async (sessionId) => {
      const rows = await db
        .selectFrom('confirmations')
        .selectAll()
        .where('session_id', '=', sessionId)
        .orderBy('at')
        .orderBy('ad_id')
        .orderBy('event')
        .execute();
      return rows.map(({ break_id, ad_id, event, at, player_at }) => ({
        breakId: break_id,
        adId: ad_id,
        event,
        at: millis(Number(at)),
        ...(player_at === null ? {} : { playerAt: millis(Number(player_at)) }),
      }));
    },
  };
}
