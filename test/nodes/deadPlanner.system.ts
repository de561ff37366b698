// SPDX-License-Identifier: Apache-2.0
// The node that prepares a channel is killed: the other one prepares it, and does not say that it is being prepared for ever.
import { expect, test } from 'vitest';
import { startMediaOrigin } from '../live/mediaOrigin.ts';
import { startMidroll } from '../live/midroll.ts';
import { opened, openedInTest, scratchFolder } from '../opened.ts';
import { createDatabase } from '../servers/postgresDatabase.ts';
import { startCreativeWorker } from './startNode.ts';

const folder = scratchFolder();

const [database, origin] = await Promise.all([opened(createDatabase()), opened(startMediaOrigin())]);
const settings: Record<string, string> = { DATABASE_URL: database.url, DATA_DIR: folder, ROLE: 'serve' };
const planning = await opened(startMidroll(settings));
const other = await opened(startMidroll(settings));

const channel = async () => (await other.api('GET', '/channels/shared')).json;
const openingStatus = async () => (await fetch(`${other.liveUrl}/hls/shared/master.m3u8?api-key=key`)).status;

test('a channel whose planner was killed goes on air at the other node', async () => {
  const contents = [{ sourceType: 'url', url: `${origin.url}/tide/master.m3u8` }];
  await planning.create('playlists', { id: 'loop', status: 'enabled', contents });
  await planning.create('channels', { id: 'shared', state: 'enabled', playlistId: 'loop', apiKey: 'key' });
  await expect.poll(async () => (await channel()).preparation?.step).toBe('slate');
  await planning.kill();
  // The slate is made, and no node plans the channel until the heartbeats of its planner are missed.
  await openedInTest(startCreativeWorker(settings));
  await expect.poll(openingStatus).toBe(200);
  await expect.poll(async () => (await channel()).preparation).toBeUndefined();
  expect(await channel()).toMatchObject({ state: 'enabled', items: [{ state: 'ready' }] });
  expect(other.bugs()).toEqual([]);
});
