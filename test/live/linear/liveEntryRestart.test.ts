// SPDX-License-Identifier: Apache-2.0
// Midroll ends and is started again while a live entry of a schedule is on air.
import { expect, test } from 'vitest';
import { createVirtualClock } from '../../clock/virtualClock.ts';
import { isOurs } from '../../laws/readBack.ts';
import { opened, openedInTest, scratchFolderInTest } from '../../opened.ts';
import { startMediaOrigin } from '../mediaOrigin.ts';
import { startMidrollInProcess } from '../midrollInProcess.ts';
import { startLiveOrigin } from '../origin/liveOrigin.ts';
import { item } from '../stage.ts';
import { makeVideo } from '../testVideos.ts';
import { watch } from '../viewer.ts';

const clock = await opened(createVirtualClock());
const [media, origin] = await Promise.all([opened(startMediaOrigin()), opened(startLiveOrigin({ clock }))]);

test('the entry goes on after a restart', async () => {
  const DATA_DIR = scratchFolderInTest();
  const start = () => openedInTest(startMidrollInProcess(clock, { DATA_DIR }));
  let midroll = await start();
  const filler = media.url + (await makeVideo(media.folder, 'filler', { seconds: 8 }));
  await midroll.create('playlists', { id: 'one', status: 'enabled', contents: [item(filler)] });
  await midroll.create('channels', { id: 'one', state: 'disabled', apiKey: 'key', playlistId: 'one' });
  const at = Math.ceil(clock.now() / 1000) * 1000 + 40_000;
  const live = { sourceManifestUrl: origin.hlsUrl, plannedDuration: 300 };
  const entries = [{ id: 'match', start: new Date(at).toISOString(), source: { live } }];
  expect((await midroll.api('PUT', '/channels/one/schedule', { entries })).status).toBe(200);
  await midroll.api('PATCH', '/channels/one', { state: 'enabled' });
  const watching = () => watch({ clock, liveUrl: midroll.liveUrl, channel: 'one', apiKey: 'key' });

  const before = await watching();
  await before.until('live content', () => clock.now() > at + 30_000);
  await before.leave();
  await midroll.close();
  await clock.sleep(4000);
  const stopped = clock.now();
  midroll = await start();
  const after = await watching();
  await after.until('live content', () => clock.now() > stopped + 90_000);
  await after.leave();
  expect([...before.faults, ...after.faults]).toEqual([]);

  const segments = [...after.listed.get('v0')!.values()].sort((one, other) => one.number - other.number);
  const own = segments.filter(({ uri }) => isOurs(uri));
  // What was on air stays; slate fills the time until the origin is read again.
  for (const { uri, date } of before.listed.get('v0')!.values()) {
    const same = segments.find((one) => one.date === date);
    if (same !== undefined) expect(isOurs(same.uri)).toBe(isOurs(uri));
  }
  expect(own.reduce((sum, { duration }) => sum + duration, 0)).toBeLessThan(25_000_000);
  expect(own.every(({ date }) => date < stopped + 30_000)).toBe(true);
  expect(segments.at(-1)!.date).toBeGreaterThan(stopped + 60_000);
});
