// SPDX-License-Identifier: Apache-2.0
// Channels that are switched off, or were so until after an instant. Their sessions could not request anything, so they do not
// expire.
import type { OwnedChannel } from '../../../sessions/ports.ts';
import type { Millis } from '../../../time/units.ts';
import type { Sql } from '../sql.ts';

export const sqlOffChannels =
  ({ db }: Sql) =>
  async (since: Millis): Promise<readonly OwnedChannel[]> => {
    const rows = await Promise.all(
      (['airings', 'live_feeds'] as const).map((lives) =>
        db
          // What is read here has the same columns in both.
          .selectFrom(`${lives as 'airings'} as life`)
          .select(['channel_id', 'tenant'])
          .where((where) => where.or([where('off_since', 'is not', null), where('on_since', '>=', since)]))
          .execute(),
      ),
    );
    return rows.flat().map(({ channel_id: id, tenant }) => ({ id, tenant }));
  };

/** All channels of a tenant. */
export const sqlOwnedChannels =
  ({ db }: Sql) =>
  async (tenant: string): Promise<readonly OwnedChannel[]> =>
    (await db.selectFrom('channels').select('id').where('tenant', '=', tenant).execute()).map(({ id }) => ({
      id,
      tenant,
    }));
