// SPDX-License-Identifier: Apache-2.0
// Counts the viewers of breaks of live feeds and of schedules, from an index on the records of their breaks.
import { sql } from 'kysely';
import type { BreakViewers } from '../../../sessions/ports.ts';
import type { Sql } from '../sql.ts';

/** Sections of one break: it has a further one each time it lasts longer than announced. Their numbers have one digit. */
const MAX_SECTIONS = 8;

export function sqlBreakViewers({ db }: Sql): BreakViewers {
  return async (life, breakIds, idsOf = 'feed') => {
    if (breakIds.length === 0) return new Map();
    const isFeed = idsOf === 'feed';
    const sections = isFeed
      ? breakIds.flatMap((id) => Array.from({ length: MAX_SECTIONS }, (_, n) => `${id}-${n}`))
      : breakIds;
    const ofBreak = isFeed ? sql<string>`substr(break_id, 1, length(break_id) - 2)` : sql<string>`break_id`;
    const rows = await db
      .selectFrom('breaks')
      .select([
        ofBreak.as('id'),
        sql<number>`count(distinct session_id)`.as('decided'),
        sql<number>`count(distinct case when has_ads = 1 then session_id end)`.as('withAds'),
      ])
      .where('life', '=', life)
      .where('break_id', 'in', sections)
      .groupBy(ofBreak)
      .execute();
    return new Map(rows.map(({ id, ...count }) => [id, count]));
  };
}
