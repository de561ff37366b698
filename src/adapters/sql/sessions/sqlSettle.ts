// SPDX-License-Identifier: Apache-2.0
// Replaces what is stored of decided breaks.
import type { BreakRecord } from '../../../ads/record/breakRecord.ts';
import { storedFill } from '../../../sessions/history/breakFill.ts';
import type { SessionStore } from '../../../sessions/ports.ts';
import { hasAds } from '../../../sessions/retention.ts';
import { inChunks } from '../../inChunks.ts';
import type { Sql } from '../sql.ts';

/** Breaks in one transaction. */
const MAX_SETTLED = 200;

type StoredBody = { readonly sessionId: string; readonly breakId: string; readonly text: string };

/** Changes 1 row if another text was stored, otherwise 0. */
export const replaceDecision = ({ db }: Sql, { sessionId, breakId, text }: StoredBody) =>
  db
    .updateTable('decisions')
    .set({ body: text })
    .where('session_id', '=', sessionId)
    .where('break_id', '=', breakId)
    .where('body', '<>', text);

/** The same for the record of a break. */
export const replaceRecord = ({ db }: Sql, sessionId: string, breakId: string, record: BreakRecord) =>
  db
    .updateTable('breaks')
    .set({ body: JSON.stringify(record), has_ads: hasAds(record) ? 1 : 0, fill: storedFill(record) })
    .where('session_id', '=', sessionId)
    .where('break_id', '=', breakId)
    .where('body', '<>', JSON.stringify(record));

export const sqlSettle = (store: Sql): Pick<SessionStore, 'settle'> => ({
  settle: async (settled) => {
    const changed: boolean[] = [];
    for (const some of inChunks(settled, MAX_SETTLED)) {
      const statements = some.map(({ sessionId, decision, record }) => {
        const { breakId } = decision;
        const replaced = replaceDecision(store, { sessionId, breakId, text: JSON.stringify(decision) });
        return [replaced, ...(record === undefined ? [] : [replaceRecord(store, sessionId, breakId, record)])];
      });
      const counts = await store.atomically(statements.flat());
      let index = 0;
      for (const { length } of statements) {
        changed.push(length > 1 && counts[index + 1]! > 0);
        index += length;
      }
    }
    return changed;
  },
});
