// SPDX-License-Identifier: Apache-2.0
// Reads the decisions that any process has recorded lately.
import { sql } from 'kysely';
import type { SessionStore, StoredDecision } from '../../../sessions/ports.ts';
import { compileOnce } from '../compileOnce.ts';
import { clockOf } from '../measure/databaseClock.ts';
import type { Sql } from '../sql.ts';

/** Milliseconds. A transaction may end so much later than the time that its row states. */
const OVERLAP = 1000;
/** Milliseconds. What is older was read, or is read when its viewer comes. */
const LATELY = 10_000;

export function sqlRecorded(store: Sql): Pick<SessionStore, 'recorded'> {
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
  return {
    async recorded(sessionIds, since) {
      const known = since.get('') ?? 0;
      const { rows } = await store.run(recordedSince({ since: known - OVERLAP }));
      let until = known;
      const decisions = [];
      for (const { session_id: sessionId, body, decided_at: at } of rows) {
        until = Math.max(until, Number(at));
        if (sessionIds.has(sessionId)) decisions.push({ sessionId, decision: JSON.parse(body) as StoredDecision });
      }
      return { decisions, until: new Map([['', until]]), isRead: () => true };
    },
  };
}
