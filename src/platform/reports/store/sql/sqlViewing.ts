// SPDX-License-Identifier: Apache-2.0
// Which viewers were counted in which interval, as long as a batch may be delivered again.

import type { Sql } from '../../../../adapters/sql/sql.ts';
import { isUniqueViolation } from '../../../../adapters/sql/uniqueViolation.ts';
import type { ViewingStore } from '../../rules/ports.ts';

/** Characters per viewer. */
const MARK = 8;
/** If several processes write the same interval at once, one succeeds in each attempt. */
const MAX_ATTEMPTS = 50;

function* marksOf(text: string): Generator<string> {
  for (let from = 0; from + MARK <= text.length; from += MARK) yield text.slice(from, from + MARK);
}

export function sqlViewing({ db }: Sql): ViewingStore {
  return {
    async note(batch, channel, at, viewers) {
      let conflict: unknown;
      for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
        const parts = await db
          .selectFrom('report_viewing')
          .select(['part', 'batch', 'viewers'])
          .where('channel', '=', channel)
          .where('at', '=', at)
          .execute();
        const ours = parts.find((part) => part.batch === batch);
        if (ours !== undefined) return ours.viewers.length / MARK;
        const fresh = new Set(marksOf(viewers));
        for (const part of parts) for (const mark of marksOf(part.viewers)) fresh.delete(mark);
        if (fresh.size === 0) return 0;
        const part = Math.max(-1, ...parts.map((one) => one.part)) + 1;
        try {
          const row = { channel, at, part, batch, viewers: [...fresh].join('') };
          await db.insertInto('report_viewing').values(row).execute();
          return fresh.size;
        } catch (error) {
          if (!isUniqueViolation(error)) throw error;
          conflict = error;
        }
      }
      throw new Error(`The viewers of ${channel} could not be recorded in ${MAX_ATTEMPTS} attempts.`, {
        cause: conflict,
      });
    },
    forget: async (before) => void (await db.deleteFrom('report_viewing').where('at', '<', before).execute()),
  };
}
