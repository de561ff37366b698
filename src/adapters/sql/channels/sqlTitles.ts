// SPDX-License-Identifier: Apache-2.0
// Stores the progress of imports of titles that viewers named, so that all nodes show the same. The newest ones of each channel
// are kept.
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { ChannelRef } from '../../../channels/channelKey.ts';
import type { TitleImport, TitleStore } from '../../../planning/ports.ts';
import { type Flicks, millis } from '../../../time/units.ts';
import { present } from '../present.ts';
import type { TitleTable } from '../schema/channelTables.ts';
import type { Sql } from '../sql.ts';

const MAX_TITLES = 100;
const NO_LIMIT = 2 ** 31;

const hashOf = (url: string): string => createHash('sha256').update(url).digest('hex');

const titleOf = (row: TitleTable): TitleImport => ({
  url: row.url,
  state: row.state as TitleImport['state'],
  ...present({ reason: row.reason, asset: row.asset, duration: row.duration as Flicks | null }),
  startedAt: millis(row.started_at),
  updatedAt: millis(row.updated_at),
});

export function sqlTitles({ db, atomically }: Sql): TitleStore {
  const ofChannel = ({ tenant, id }: ChannelRef) =>
    db.selectFrom('titles').where('tenant', '=', tenant).where('channel_id', '=', id);
  const newestFirst = (channel: ChannelRef) => ofChannel(channel).orderBy('started_at', 'desc').orderBy('url_hash');

  return {
    async put(channel, { url, state, reason = null, asset = null, duration = null, startedAt, updatedAt }) {
      const { tenant, id } = channel;
      await atomically([
        sql`
          insert into titles as known
            (tenant, channel_id, url_hash, url, state, reason, asset, duration, started_at, updated_at)
          select tenant, id, cast(${hashOf(url)} as text), cast(${url} as text), cast(${state} as text),
            cast(${reason} as text), cast(${asset} as text), cast(${duration} as bigint),
            cast(${startedAt} as bigint), cast(${updatedAt} as bigint)
          from channels where tenant = ${tenant} and id = ${id}
          on conflict (tenant, channel_id, url_hash) do update set state = excluded.state, reason = excluded.reason,
            asset = excluded.asset, duration = excluded.duration, started_at = excluded.started_at,
            updated_at = excluded.updated_at
          where known.updated_at <= excluded.updated_at`,
        db
          .deleteFrom('titles')
          .where((row) => row.and({ tenant, channel_id: id }))
          .where('url_hash', 'in', newestFirst(channel).select('url_hash').limit(NO_LIMIT).offset(MAX_TITLES)),
      ]);
    },
    async list(channel, most) {
      return (await newestFirst(channel).selectAll().limit(most).execute()).map(titleOf);
    },
  };
}
