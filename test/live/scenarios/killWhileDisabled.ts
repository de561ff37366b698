// A channel that is off while Midroll is killed and started again, with two processes that serve viewers.
import { expect } from 'vitest';
import { item, openRealStage, type Stage } from '../stage.ts';

async function watchThroughOff(stage: Stage): Promise<void> {
  const { midroll, clock } = stage;
  await stage.air('off', [item(await stage.video({ seconds: 8 }), { spliceTime: 4, maxDuration: 6 })], {
    playlistSize: 600,
  });
  let isOff = false;
  const viewer = await stage.watch('off', { mayBeOffAir: () => isOff, mayBeUnavailable: () => isOff });
  await viewer.until('content', () => viewer.listed.get('v0')!.size > 0);
  const set = async (state: string) => {
    expect((await midroll.api('PATCH', '/channels/off', { state })).status).toBe(200);
  };
  const status = async () => (await fetch(`${midroll.liveUrl}/hls/off/${viewer.session}/v0.m3u8`)).status;

  isOff = true;
  await set('disabled');
  await viewer.until('it is off', async () => (await status()) === 404);
  await midroll.kill();
  await midroll.restart();
  expect(await status()).toBe(404);
  await set('enabled');
  await viewer.until('it is on', async () => (await status()) === 200);
  // The other process may hear of it a moment later.
  await clock.sleep(2000);
  isOff = false;
  const edge = () => Math.max(...viewer.listed.get('v0')!.keys());
  const before = edge();
  await viewer.until('ten more segments', () => edge() > before + 10);
  await viewer.leave();
  expect(viewer.faults).toEqual([]);
  expect(midroll.bugs()).toEqual([]);
}

export async function resumesAfterKillWhileDisabled(): Promise<void> {
  const stage = await openRealStage({ WORKERS: '2' });
  try {
    await watchThroughOff(stage);
  } finally {
    await stage.close();
  }
}
