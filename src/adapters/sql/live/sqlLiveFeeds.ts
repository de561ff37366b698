// SPDX-License-Identifier: Apache-2.0
// Stores the live feeds on air. A channel has one of each format at most. The end of a feed removes its entries.

import { type ChannelRef, channelKey, channelOfKey } from '../../../channels/channelKey.ts';
import { groupBy } from '../../../invariant.ts';
import type { LiveFeed } from '../../../live/feed.ts';
import type { LiveFeedStore } from '../../../live/ports.ts';
import type { Sql } from '../sql.ts';
import { sqlLives } from '../sqlLives.ts';
import { isStoredOnce } from '../uniqueViolation.ts';

export function sqlLiveFeeds(store: Sql): LiveFeedStore {
  const { db, atomically } = store;
  const ofChannel = ({ tenant, id }: ChannelRef) =>
    db.selectFrom('live_feeds').where('tenant', '=', tenant).where('channel_id', '=', id);
  const removal = db.deleteFrom('live_feeds');

  return {
    ...sqlLives(store, 'live_feeds'),
    begin(feed, replaced) {
      const { tenant, channelId, life, format } = feed;
      const row = { life, tenant, channel_id: channelId, format, body: JSON.stringify(feed) };
      const removed = replaced === undefined ? [] : [removal.where('life', '=', replaced)];
      return isStoredOnce(atomically([...removed, db.insertInto('live_feeds').values(row)]));
    },
    async current(channel) {
      const rows = await ofChannel(channel).select('body').orderBy('format', 'desc').execute();
      return rows.map(({ body }) => JSON.parse(body) as LiveFeed);
    },
    async end({ tenant, id }, offSince) {
      const all = removal.where('tenant', '=', tenant).where('channel_id', '=', id);
      await (offSince === undefined ? all : all.where('off_since', '<', offSince)).execute();
    },
    async endLife(life) {
      await removal.where('life', '=', life).execute();
    },
    async versions() {
      const rows = await db
        .selectFrom('live_feeds')
        .select(['tenant', 'channel_id', 'life'])
        .orderBy('tenant')
        .orderBy('channel_id')
        .orderBy('format', 'desc')
        .execute();
      const ofChannels = groupBy(rows, ({ tenant, channel_id: id }) => channelKey({ tenant, id }));
      return [...ofChannels].map(([key, own]) => ({
        channel: channelOfKey(key),
        version: own.map(({ life }) => life).join(' '),
      }));
    },
  };
}
