// SPDX-License-Identifier: Apache-2.0
// Lists sessions in the database for searches, in the order in which they were opened.
import { groupBy } from '../../../invariant.ts';
import { type BreakFill, readFill } from '../../../sessions/history/breakFill.ts';
import type { LivingSessions } from '../../../sessions/history/ports.ts';
import type { OwnedChannel } from '../../../sessions/ports.ts';
import type { Session } from '../../../sessions/session.ts';
import { millis } from '../../../time/units.ts';
import { inChunks } from '../../inChunks.ts';
import type { Sql } from '../sql.ts';

export const sqlOwnedChannels =
  ({ db }: Sql) =>
  async (tenant: string): Promise<readonly OwnedChannel[]> =>
    db.selectFrom('channels').select(['id', 'tenant']).where('tenant', '=', tenant).execute();

export function sqlLivingSessions({ db }: Sql): LivingSessions {
  return {
    async find(id) {
      if (id.includes('\0')) return undefined;
      const row = await db.selectFrom('sessions').select(['body', 'seen_at']).where('id', '=', id).executeTakeFirst();
      return row && { session: JSON.parse(row.body), seenAt: millis(row.seen_at), hasEnded: false };
    },
    async newest({ tenant, channelIds = [], from }, after, limit) {
      const [only, ...more] = channelIds;
      const rows = await db
        .selectFrom('sessions')
        .select(['seq', 'body', 'seen_at'])
        .where('tenant', '=', tenant)
        .$if(only !== undefined && more.length === 0, (query) => query.where('channel_id', '=', only ?? ''))
        .$if(after !== undefined, (query) => query.where('seq', '<', Number(after)))
        .orderBy('seq', 'desc')
        .limit(limit)
        .execute();
      const items = rows.map(({ seq, body, seen_at }) => {
        const session = JSON.parse(body) as Session;
        return { session, seenAt: millis(seen_at), hasEnded: false, at: String(seq) };
      });
      const owned = items.filter(({ session, seenAt }) => session.tenant === tenant && seenAt >= from);
      const last = items.length < limit ? undefined : items.at(-1);
      return last === undefined ? { items: owned } : { items: owned, until: { at: last.at, place: last.session } };
    },
    async fills(ids) {
      const all = db.selectFrom('breaks').select(['session_id', 'fill']).orderBy('starts_at');
      const found = new Map<string, BreakFill[]>();
      for (const some of inChunks(ids)) {
        const rows = groupBy(await all.where('session_id', 'in', some).execute(), ({ session_id }) => session_id);
        for (const [id, own] of rows)
          found.set(
            id,
            own.flatMap(({ fill }) => readFill(fill) ?? []),
          );
      }
      return found;
    },
  };
}
