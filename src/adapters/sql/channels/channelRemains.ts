// SPDX-License-Identifier: Apache-2.0
// What the store keeps of a channel next to its record. It outlives a deleted channel for as long as the channel can be
// restored. A new channel with the same id must not inherit it.
import { type Compilable, type RawBuilder, sql } from 'kysely';
import type { ChannelRef } from '../../../channels/channelKey.ts';
import type { Sql } from '../sql.ts';

const tables = ['titles', 'live_feeds', 'break_orders', 'origin_events', 'airings'] as const;

/**
 * Statements that remove it if there is no such channel.
 * @param condition of the removal, in addition
 */
export function remainsRemoval(
  { db }: Pick<Sql, 'db'>,
  { tenant, id }: ChannelRef,
  condition: RawBuilder<boolean> = sql<boolean>`1 = 1`,
): Compilable[] {
  const channel = db.selectFrom('channels').select('id').where('tenant', '=', tenant).where('id', '=', id);
  const lives = db.selectFrom('airings').select('life').where('tenant', '=', tenant).where('channel_id', '=', id);
  return [
    db
      .deleteFrom('editions')
      .where('life', 'in', lives)
      .where((where) => where.not(where.exists(channel)))
      .where(condition),
    ...tables.map((table) =>
      db
        .deleteFrom(table)
        .where('tenant', '=', tenant)
        .where('channel_id', '=', id)
        .where((where) => where.not(where.exists(channel)))
        .where(condition),
    ),
  ];
}
