// SPDX-License-Identifier: Apache-2.0
// Counts the viewers of breaks of live feeds, from the records of their breaks.
import { sql } from 'kysely';
import type { BreakViewers } from '../../../sessions/ports.ts';
import type { Sql } from '../sql.ts';

/** Sections of one break: it has a further one each time it lasts longer than announced. */
const MAX_SECTIONS = 8;

export function sqlBreakViewers({ db }: Sql): BreakViewers {
  return async ({ tenant, id: channelId }, life, breakIds) => {
    if (breakIds.length === 0) return new Map();
    const sections = breakIds.flatMap((id) => Array.from({ length: MAX_SECTIONS }, (_, n) => `${id}-${n}`));
    const hasAds = sql<number>`case when breaks.body like '%"outcome":"stitched"%' then 1 else 0 end`;
    const rows = await db
      .selectFrom('breaks')
      .innerJoin('sessions', 'sessions.id', 'breaks.session_id')
      .select(['breaks.break_id', 'breaks.session_id', hasAds.as('ads')])
      .where('breaks.break_id', 'in', sections)
      .where('sessions.channel_id', '=', channelId)
      .where('sessions.tenant', '=', tenant)
      .where('sessions.body', 'like', `%"life":"${life}"%`)
      .execute();
    const counts = new Map<string, { decided: Set<string>; withAds: Set<string> }>();
    for (const { break_id: section, session_id: session, ads } of rows) {
      const own = section.slice(0, section.lastIndexOf('-'));
      const count = counts.get(own) ?? { decided: new Set(), withAds: new Set() };
      counts.set(own, count);
      count.decided.add(session);
      if (Number(ads) === 1) count.withAds.add(session);
    }
    return new Map(
      [...counts].map(([own, { decided, withAds }]) => [own, { decided: decided.size, withAds: withAds.size }]),
    );
  };
}
