// SPDX-License-Identifier: Apache-2.0
// What airings and live feeds have in common: when their channel was switched off and on.
import type { ChannelRef } from '../../channels/channelKey.ts';
import type { AiringStore } from '../../channels/schedule/ports.ts';
import { withoutUndefined } from '../../invariant.ts';
import type { OwnedChannel } from '../../sessions/ports.ts';
import { type Millis, millis } from '../../time/units.ts';
import type { Sql } from './sql.ts';

export function sqlLives({ db }: Sql, lives: 'airings' | 'live_feeds') {
  // What is read and written here has the same columns in both.
  const table = lives as 'airings';
  const changed = ({ tenant, id }: ChannelRef) =>
    db.updateTable(table).where('tenant', '=', tenant).where('channel_id', '=', id);
  const switches: Pick<AiringStore, 'switchOff' | 'switchOn' | 'offSince' | 'switches'> = {
    async switchOff(channel, at) {
      await changed(channel).where('off_since', 'is', null).set({ off_since: at }).execute();
    },
    async switchOn(channel, at) {
      await changed(channel).where('off_since', 'is not', null).set({ off_since: null, on_since: at }).execute();
    },
    offSince: (before) =>
      db.selectFrom(table).select(['tenant', 'channel_id as id']).distinct().where('off_since', '<', before).execute(),
    async switches({ tenant, id }) {
      const [row] = await db
        .selectFrom(table)
        .select(['on_since', 'off_since'])
        .where('tenant', '=', tenant)
        .where('channel_id', '=', id)
        .execute();
      const timeOf = (at: number | null = null) => (at === null ? undefined : millis(Number(at)));
      return withoutUndefined({ onSince: timeOf(row?.on_since), offSince: timeOf(row?.off_since) });
    },
  };
  return switches;
}

/**
 * Channels that are switched off, or were so until after `since`. Their sessions could not request anything, so they do not
 * expire.
 */
export async function offChannels({ db }: Sql, since: Millis): Promise<readonly OwnedChannel[]> {
  const rows = await Promise.all(
    (['airings', 'live_feeds'] as const).map((lives) =>
      db
        .selectFrom(lives as 'airings')
        .select(['channel_id as id', 'tenant'])
        .where((where) => where.or([where('off_since', 'is not', null), where('on_since', '>=', since)]))
        .execute(),
    ),
  );
  return rows.flat();
}
