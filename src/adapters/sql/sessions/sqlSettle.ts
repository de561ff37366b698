// SPDX-License-Identifier: Apache-2.0
// Replaces what is stored of decided breaks.
import type { SessionStore } from '../../../sessions/ports.ts';
import { inChunks } from '../inChunks.ts';
import type { Sql } from '../sql.ts';

/** Breaks in one transaction. */
const MAX_SETTLED = 200;

type StoredBody = { readonly sessionId: string; readonly breakId: string; readonly text: string };

/** Changes 1 row if another text was stored, otherwise 0. */
export const replaceBody = ({ db }: Sql, table: 'decisions' | 'breaks', { sessionId, breakId, text }: StoredBody) =>
  db
    .updateTable(table)
    .set({ body: text })
    .where('session_id', '=', sessionId)
    .where('break_id', '=', breakId)
    .where('body', '<>', text);

export const sqlSettle = (store: Sql): Pick<SessionStore, 'settle'> => ({
  settle: async (settled) => {
    const changed: boolean[] = [];
    for (const some of inChunks(settled, MAX_SETTLED)) {
      const statements = some.map(({ sessionId, decision, record }) => {
        const replace = (table: 'decisions' | 'breaks', body: object) =>
          replaceBody(store, table, { sessionId, breakId: decision.breakId, text: JSON.stringify(body) });
        return [replace('decisions', decision), ...(record === undefined ? [] : [replace('breaks', record)])];
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
