// SPDX-License-Identifier: Apache-2.0
// Channels that are disabled and enabled again, or deleted and restored, on a virtual clock. Viewers continue within the grace
// period.
import { expect, test, vi } from 'vitest';
import { fileStage } from './fileStage.ts';
import { adSource, decisionOf, item, openVirtualStage, type TracedBreak, titlesOf } from './stage.ts';
import type { Viewer } from './viewer.ts';

vi.setConfig({ maxConcurrency: 10 });

/** Seconds. */
const GRACE = 180;
const cue = { spliceTime: 4, maxDuration: 8 };

const stage = await fileStage(() => openVirtualStage({ SESSION_TTL: '60', OFF_AIR_GRACE: `${GRACE}` }));

const isFilled = (one: TracedBreak): boolean => titlesOf(one).length > 0;
async function airWithAds(id: string, channel: object = {}): Promise<void> {
  const [video, spot3, spot4] = await Promise.all([stage.video({ seconds: 8 }), stage.spot(3), stage.spot(4)]);
  let requestCount = 0;
  // Alternates the order of the ads, so that a lost decision would be noticed.
  stage.adHost.offer(`/${id}`, () => {
    requestCount += 1;
    const ads = [
      { id: 'three', seconds: 3, url: spot3 },
      { id: 'four', seconds: 4, url: spot4 },
    ];
    return requestCount % 2 === 0 ? ads : ads.toReversed();
  });
  await stage.air(id, [item(video, cue)], { adSource: adSource(stage.adHost, `/${id}`), ...channel });
}

async function set(id: string, state: 'enabled' | 'disabled'): Promise<void> {
  expect((await stage.midroll.api('PATCH', `/channels/${id}`, { state })).status).toBe(200);
}
/** Deletes the channel. @returns restores it */
async function remove(id: string): Promise<() => Promise<void>> {
  const { midroll } = stage;
  expect((await midroll.api('DELETE', `/channels/${id}?force=true`)).status).toBe(204);
  const [deletion] = (await midroll.api('GET', '/deleted?kind=channel&limit=100')).json.filter(
    (one: { id: string }) => one.id === id,
  );
  return async () => expect((await midroll.api('POST', `/deleted/${deletion.ref}/restore`)).status).toBe(200);
}
/** @returns undoes it */
async function disable(id: string): Promise<() => Promise<void>> {
  await set(id, 'disabled');
  return () => set(id, 'enabled');
}
const status = async (path: string): Promise<number> => (await fetch(stage.midroll.liveUrl + path)).status;
const routesOf = (id: string, { session }: Viewer): string[] => [
  `/hls/${id}/master.m3u8?api-key=key`,
  `/hls/${id}/master.m3u8?sid=${session}`,
  `/hls/${id}/${session}/v0.m3u8`,
  `/hls/view/${id}?api-key=key`,
  `/dash/view/${id}?api-key=key`,
  `/dash/${id}/${session}.mpd`,
  `/tracking/${session}`,
];

/** Disables or deletes the channel during ads and undoes it after so many seconds. Its viewers keep polling. */
async function survives(takeOffAir: typeof disable, id: string, seconds: number, channel: object): Promise<void> {
  const { clock } = stage;
  await airWithAds(id, channel);
  let isOffAir = false;
  const mayBeOffAir = () => isOffAir;
  const viewers = await Promise.all([
    stage.watch(id, { query: 'viewer=anna', mayBeOffAir }),
    stage.watch(id, { query: 'viewer=ben', opens: 'dash', mayBeOffAir }),
  ]);
  const [anna] = viewers as [Viewer, Viewer];
  const isInBreak = async (): Promise<boolean> =>
    (await stage.breaks(anna)).some(
      (one) => isFilled(one) && one.at + 2000 < clock.now() && clock.now() < one.at + 6000,
    );
  await anna.until('a break with ads is on air', isInBreak);
  const before = await Promise.all(viewers.map(stage.breaks));

  isOffAir = true;
  const undo = await takeOffAir(id);
  for (const path of routesOf(id, anna)) expect([path, await status(path)]).toEqual([path, 404]);
  await clock.sleep(seconds * 1000);
  await undo();
  for (const path of routesOf(id, anna)) await anna.until(path, async () => (await status(path)) === 200);
  // A request that is in flight may still return 404.
  await clock.sleep(300);
  isOffAir = false;

  const after = await Promise.all(viewers.map(stage.breaks));
  after.forEach((breaks, index) => {
    for (const one of before[index]!) expect(breaks.map(decisionOf)).toContainEqual(decisionOf(one));
  });
  const enabledAt = clock.now();
  const filledSince = async (viewer: Viewer) =>
    (await stage.breaks(viewer)).filter((one) => one.at > enabledAt && isFilled(one));
  for (const viewer of viewers) {
    await viewer.until('two more breaks with ads', async () => (await filledSince(viewer)).length > 1);
  }
  await Promise.all(viewers.map((one) => one.leave()));
  expect(viewers.flatMap(({ faults }) => faults)).toEqual([]);
}

test.concurrent('viewers continue after 1.5 s off air', () => survives(disable, 'moment', 1.5, {}));
test.concurrent('viewers continue after an interval longer than a break', () => survives(disable, 'while', 25, {}));
test.concurrent('viewers continue after an interval longer than SESSION_TTL', () =>
  survives(disable, 'long', GRACE - 30, { playlistSize: 300 }));

test.concurrent('viewers continue after a channel is deleted and restored', () => survives(remove, 'undone', 25, {}));
test.concurrent('viewers continue after a channel is restored later than SESSION_TTL', () =>
  survives(remove, 'restored', GRACE - 30, { playlistSize: 300 }));

test.concurrent.each([
  ['disabled', disable],
  ['deleted', remove],
] as const)('sessions end after the grace period of a channel that is %s', async (how, takeOffAir) => {
  const id = `over-${how}`;
  await airWithAds(id);
  const before = await stage.watch(id);
  await before.until('content is listed', () => before.listed.get('v0')!.size > 0);
  await before.leave();
  const undo = await takeOffAir(id);
  await stage.clock.sleep((GRACE + 15) * 1000);
  await undo();
  const after = await stage.watch(id);
  await after.until('content is listed again', () => after.listed.get('v0')!.size > 0);
  for (const path of routesOf(id, before).filter((one) => one.includes(before.session))) {
    expect([path, await status(path)]).toEqual([path, 404]);
  }
  await after.leave();
  expect([...before.faults, ...after.faults]).toEqual([]);
});

test.concurrent('sessions end when the channel is deleted and created again', async () => {
  await airWithAds('renewed');
  const before = await stage.watch('renewed');
  await before.until('content is listed', () => before.listed.get('v0')!.size > 0);
  await before.leave();
  const { json } = await stage.midroll.api('GET', '/channels/renewed');
  expect((await stage.midroll.api('DELETE', '/channels/renewed?force=true')).status).toBe(204);
  await before.until(
    'the channel is deleted',
    async () => (await status(`/hls/renewed/${before.session}/v0.m3u8`)) === 404,
  );
  const { items: _, stateReason: __, ...record } = json;
  await stage.midroll.create('channels', { ...record, state: 'enabled' });
  const after = await stage.watch('renewed');
  await after.until('content is listed again', () => after.listed.get('v0')!.size > 0);
  expect(await status(`/hls/renewed/${before.session}/v0.m3u8`)).toBe(404);
  await after.leave();
  expect([...before.faults, ...after.faults]).toEqual([]);
});
