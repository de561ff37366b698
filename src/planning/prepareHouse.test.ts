// SPDX-License-Identifier: Apache-2.0
// The planner prepares the videos of house lists before breaks, for the ladder of the channel.
import { expect, test } from 'vitest';
import { syntheticAsset, syntheticMedia } from '../../test/laws/syntheticMedia.ts';
import { openedInTest } from '../../test/opened.ts';
import { libraryOf, linearChannel, plannerOf, written } from '../../test/planning.ts';
import { sqlChannels } from '../adapters/sql/channels/sqlChannels.ts';
import { sqlPlaylists } from '../adapters/sql/channels/sqlPlaylists.ts';
import type { Channel } from '../channels/channel.ts';
import type { AdSourceRecord } from '../channels/demand.ts';
import type { ContentItem, Playlist } from '../channels/playlist.ts';
import { openSqlite } from '../database.ts';
import { millis } from '../time/units.ts';

const own: AdSourceRecord = {
  id: 'own',
  tenant: 'acme',
  ...written,
  type: 'house',
  creatives: [
    { url: 'https://own.test/a.mp4', title: 'a' },
    { url: 'https://own.test/over.mp4', title: 'over', to: '2026-01-01T00:00:00Z' },
  ],
};
const sources = new Map([['own', own]]);

/** What planning prepares ahead, and which sources it finds. */
async function planned(given: Partial<Channel>) {
  const sql = await openedInTest(openSqlite(':memory:'));
  const channel = { ...linearChannel('acme'), ...given } as Channel;
  const prepared: unknown[] = [];
  const found: unknown[] = [];
  const contents: ContentItem[] = [{ sourceType: 'url', url: 'https://media.test/film' }];
  const playlist: Playlist = { id: 'main', tenant: 'acme', status: 'enabled', contents, ...written };
  const media = syntheticAsset({ name: 'film', segments: [50, 50] });
  const planner = plannerOf(sql, {
    channels: { ...sqlChannels(sql), find: async () => ({ ...channel, version: 1 }) },
    playlists: { ...sqlPlaylists(sql), find: async () => ({ ...playlist, version: 1 }) },
    assets: { find: async (url) => ({ ok: true, key: 'film', asset: { ...media, url } }) },
    library: libraryOf(async (ladder) => ({ state: 'ready', media: syntheticMedia('slate', 0, ladder) }), {
      prepare(key, source, ladder, by, isAhead) {
        prepared.push([key, source, ladder.rungs.length > 0, by, isAhead]);
        return { state: 'preparing' };
      },
    }),
    async findAdSources(tenant, ids) {
      found.push([tenant, ids]);
      return sources;
    },
    now: () => millis(Date.parse('2026-11-01T00:00:00Z')),
  });
  await planner.plan({ tenant: 'acme', id: 'one' });
  return { prepared, found };
}

const url = 'https://own.test/a.mp4';
const steps = [{ sources: ['other'] }, { sources: ['own'] }];

test.each(['vod2live', 'vod'] as const)('a channel of type %s', async (type) => {
  const { prepared, found } = await planned({ type, adSteps: steps });
  expect(found).toEqual([['acme', ['other', 'own']]]);
  expect(prepared).toEqual([[url, { url, mimeType: '' }, true, { tenant: 'acme', channelId: 'one' }, true]]);
});

test('a channel without steps', async () => {
  expect(await planned({})).toEqual({ prepared: [], found: [] });
});
