// SPDX-License-Identifier: Apache-2.0
// A channel is disabled while Midroll, with two workers, is killed and restarted.
import { expect } from 'vitest';
import { item, onStage, openRealStage, type Stage } from '../stage.ts';

async function watchThroughKill(stage: Stage): Promise<void> {
  const { midroll, clock } = stage;
  await stage.air('off', [item(await stage.video({ seconds: 8 }), { spliceTime: 4, maxDuration: 6 })], {
    playlistSize: 600,
  });
  let isOffAir = false;
  const viewer = await stage.watch('off', { mayBeOffAir: () => isOffAir, mayBeUnavailable: () => isOffAir });
  await viewer.until('content is listed', () => viewer.listed.get('v0')!.size > 0);
  const set = async (state: string) => {
    expect((await midroll.api('PATCH', '/channels/off', { state })).status).toBe(200);
  };
  const status = async () => (await fetch(`${midroll.liveUrl}/hls/off/${viewer.session}/v0.m3u8`)).status;

  isOffAir = true;
  await set('disabled');
  await viewer.until('the channel is off air', async () => (await status()) === 404);
  await midroll.kill();
  await midroll.restart();
  expect(await status()).toBe(404);
  await set('enabled');
  await viewer.until('the channel is on air', async () => (await status()) === 200);
  // The other worker may notice the change a moment later.
  await clock.sleep(2000);
  isOffAir = false;
  const edge = () => Math.max(...viewer.listed.get('v0')!.keys());
  const before = edge();
  await viewer.until('ten more segments are listed', () => edge() > before + 10);
  await viewer.leave();
  expect(viewer.faults).toEqual([]);
  expect(midroll.bugs()).toEqual([]);
}

export const resumesAfterKillWhileDisabled = (): Promise<void> =>
  onStage(openRealStage({ WORKERS: '2' }), watchThroughKill);
