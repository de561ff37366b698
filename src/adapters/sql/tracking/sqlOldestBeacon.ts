// SPDX-License-Identifier: Apache-2.0
// When the oldest pending beacon of a channel was due: the first entry of an index of pending beacons.
import type { ChannelRef } from '../../../channels/channelKey.ts';
import { type Millis, millis } from '../../../time/units.ts';
import type { Sql } from '../sql.ts';

export const sqlOldestBeacon =
  ({ db }: Sql) =>
  async ({ tenant, id }: ChannelRef): Promise<Millis | undefined> => {
    const row = await db
      .selectFrom('beacons')
      .select('due_at')
      .where('tenant', '=', tenant)
      .where('channel_id', '=', id)
      .where('outcome', 'is', null)
      .orderBy('due_at')
      .limit(1)
      .executeTakeFirst();
    return row && millis(Number(row.due_at));
  };
