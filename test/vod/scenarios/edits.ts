// SPDX-License-Identifier: Apache-2.0
// Sessions are frozen: every reload is the same text, whatever happens to the playlist. Only the channel ends them.
import { expect } from 'vitest';
import { adSource, item, type Stage } from '../../live/stage.ts';
import { airVod, openVod, readVod, untilHolds } from '../watchVod.ts';

export async function sessionsAreFrozen(stage: Stage): Promise<void> {
  const { midroll, clock } = stage;
  const [video, other, spot] = await Promise.all([
    stage.video({ seconds: 8 }),
    stage.video({ seconds: 12 }),
    stage.spot(4),
  ]);
  stage.adHost.offer('/frozen', () => [{ id: 'four', seconds: 4, url: spot }]);
  const cued = { ...item(video), cuePoints: [{ spliceTime: 0 }, { spliceTime: 4 }] };
  await airVod(stage, 'frozen', [cued], { adSource: adSource(stage.adHost, '/frozen') });
  const { sessionId, durationSeconds } = await openVod(stage, 'frozen');
  expect(durationSeconds).toBe(16);
  const read = () => readVod(midroll, 'frozen', sessionId);
  const before = await read();
  expect(Object.keys(before.playlists)).toEqual(['a0', 'v0']);

  stage.adHost.offer('/frozen', () => []);
  await clock.sleep(60_000);
  expect(await read()).toEqual(before);

  const contents = [{ ...item(other), cuePoints: [{ spliceTime: -1 }] }];
  expect((await midroll.api('PUT', '/playlists/frozen', { type: 'vod', status: 'enabled', contents })).status).toBe(
    200,
  );
  await untilHolds(stage, 'new sessions show the edit', async () => {
    return (await openVod(stage, 'frozen')).durationSeconds === 12;
  });
  expect(await read()).toEqual(before);

  const opening = `${midroll.liveUrl}/hls/frozen/master.m3u8?api-key=key`;
  expect((await midroll.api('PATCH', '/playlists/frozen', { status: 'disabled' })).status).toBe(200);
  await untilHolds(stage, 'the playlist is disabled', async () => (await fetch(opening)).status === 503);
  expect(await read()).toEqual(before);

  expect((await midroll.api('DELETE', '/playlists/frozen')).status).toBe(204);
  expect((await fetch(opening)).status).toBe(503);
  // Longer than sessions stay in memory: this reads it from the store.
  await clock.sleep(200_000);
  expect(await read()).toEqual(before);

  expect((await midroll.api('PATCH', '/channels/frozen', { state: 'disabled' })).status).toBe(200);
  await untilHolds(stage, 'the channel is disabled', async () => (await fetch(opening)).status === 404);
  for (const path of [
    `hls/frozen/${sessionId}/v0.m3u8`,
    `dash/frozen/${sessionId}.mpd`,
    `hls/view/frozen?api-key=key`,
  ]) {
    expect([path, (await fetch(`${midroll.liveUrl}/${path}`)).status]).toEqual([path, 404]);
  }
}
