// SPDX-License-Identifier: Apache-2.0
// Sessions that start in the past, join a break late, pause, and expire.
import { expect } from 'vitest';
import { isOurs, readHls, sharedMedia } from '../../laws/readBack.ts';
import { adSource, item, type Stage, titlesOf } from '../stage.ts';
import type { Viewer } from '../viewer.ts';

const cue = { spliceTime: 4, maxDuration: 6 };
const get = (stage: Stage, path: string) => fetch(stage.midroll.liveUrl + path);

export async function viewersMoveBack(stage: Stage): Promise<void> {
  const video = await stage.video({ seconds: 8 });
  await stage.air('dvr', [item(video, cue)], { playlistSize: 20, timeShiftWindow: 40 });
  const live = await stage.watch('dvr');
  const from = stage.clock.now();
  await live.until('32 s have passed', () => stage.clock.now() > from + 32_000);

  const before = stage.clock.now();
  const late = await stage.watch('dvr', { query: 'start=-30' });
  const opened = stage.clock.now();
  const firstOf = (viewer: Viewer) => Math.min(...[...viewer.listed.get('v0')!.values()].map(({ date }) => date));
  await late.until('a manifest is read', () => late.listed.get('v0')!.size > 0);
  expect(opened - firstOf(late)).toBeGreaterThan(27_900);
  expect(before - firstOf(late)).toBeLessThan(33_000);
  const master = await (await get(stage, `/hls/dvr/master.m3u8?sid=${late.session}`)).text();
  expect(master).toMatch(/^#EXT-X-START:TIME-OFFSET=0(\.0+)?,PRECISE=YES$/m);

  const view = (await (await get(stage, '/dash/view/dvr?api-key=key&start=-30')).json()) as { mediaURL: string };
  const mpd = await (await fetch(view.mediaURL)).text();
  expect(mpd).toContain('suggestedPresentationDelay="PT30S"');

  // The window grows up to timeShiftWindow and then slides.
  const depth = async (viewer: Viewer) => {
    const text = await (await get(stage, `/hls/dvr/${viewer.session}/v0.m3u8`)).text();
    return readHls(text).segments.reduce((sum, { duration }) => sum + duration / 1e6, 0);
  };
  await late.until('the window has grown', () => stage.clock.now() > opened + 14_000);
  expect(await depth(late)).toBeGreaterThan(36);
  expect(await depth(late)).toBeLessThan(43);
  expect(await depth(live)).toBeLessThan(23);
  for (const start of [
    new Date(opened - 20_000).toISOString(),
    `${(opened - 20_000) / 1000}`,
    `${opened - 20_000}`,
    '-9999',
  ]) {
    const response = await get(stage, `/hls/dvr/master.m3u8?api-key=key&start=${encodeURIComponent(start)}`);
    expect([start, response.status]).toEqual([start, 200]);
  }
  for (const start of ['yesterday', '', 'NaN']) {
    const response = await get(stage, `/hls/dvr/master.m3u8?api-key=key&start=${start}`);
    expect([start, response.status]).toEqual([start, 422]);
  }
  await Promise.all([live.leave(), late.leave()]);
  expect([...live.faults, ...late.faults]).toEqual([]);
}

export async function viewersJoinLate(stage: Stage): Promise<void> {
  const [video, spot3, spot4] = await Promise.all([stage.video({ seconds: 8 }), stage.spot(3), stage.spot(4)]);
  const ads = [
    { id: 'four', seconds: 4, url: spot4 },
    { id: 'three', seconds: 3, url: spot3 },
  ];
  stage.adHost.offer('/late', () => ads);
  const channel = { adSource: adSource(stage.adHost, '/late') };
  await stage.air('late', [item(video, { spliceTime: 4, maxDuration: 14 })], channel);
  const early = await stage.watch('late');
  const filled = async () => (await stage.breaks(early)).filter((one) => titlesOf(one).length === 2);
  await early.until('a break has both ads', async () => (await filled()).length > 0);
  await early.until('a break with both ads has just started', async () => {
    // Early enough that both ads fit into the rest of the break.
    return (await filled()).some(({ at }) => at + 2500 < stage.clock.now() && at + 4000 > stage.clock.now());
  });
  const late = await stage.watch('late', { opens: 'dash' });
  const opened = stage.clock.now();
  await late.until('the current break has ads', async () =>
    (await stage.breaks(late)).some((one) => one.at < opened && titlesOf(one).length > 0),
  );
  const [joined] = await stage.breaks(late);
  expect(joined).toMatchObject({ status: 'partial', duration: 14, slate: 7 });
  expect(titlesOf(joined!)).toEqual(['Ad four', 'Ad three']);
  const starts = joined!.ads.map(({ startsAt }) => Date.parse(startsAt!));
  expect(starts[0]).toBeGreaterThan(joined!.at + 2000);
  expect(starts[0]).toBeLessThan(opened + 4000);
  await late.until('the break is over', () => stage.clock.now() > joined!.at + 18_000);
  await Promise.all([early.leave(), late.leave()]);
  expect([...early.faults, ...late.faults]).toEqual([]);
  // The ads of the trace were listed at their start times.
  const adMedia = new Set([...early.media.keys()].filter(isOurs).map(sharedMedia));
  for (const start of starts) {
    const shown = [...late.listed.get('v0')!.values()].find(({ date }) => Math.abs(date - start) <= 1);
    expect(adMedia).toContain(sharedMedia(shown?.uri ?? ''));
  }
}

export async function viewersPause(stage: Stage): Promise<void> {
  const [video, spot] = await Promise.all([stage.video({ seconds: 8 }), stage.spot(3)]);
  stage.adHost.offer('/paused', () => [{ id: 'three', seconds: 3, url: spot }]);
  await stage.air('paused', [item(video, cue)], { adSource: adSource(stage.adHost, '/paused') });
  const viewer = await stage.watch('paused');
  const hasAds = async (from: number) =>
    (await stage.breaks(viewer)).some((one) => one.at > from && one.at < stage.clock.now() && titlesOf(one).length > 0);
  await viewer.until('a break has ads', () => hasAds(0));
  await viewer.pause(35);
  const resumedAt = stage.clock.now();
  await viewer.until('a break has ads after the pause', () => hasAds(resumedAt));
  await viewer.leave();
  expect(viewer.faults).toEqual([]);
  // Every break that ended during the pause is in the trace, with ads or with a reason.
  const missed = (await stage.breaks(viewer)).filter(({ at }) => at > resumedAt - 34_000 && at < resumedAt - 6000);
  expect(missed.length).toBeGreaterThan(0);
  for (const one of missed) expect([...titlesOf(one), one.reason?.code]).not.toEqual([undefined]);
}

/** Requires a SESSION_TTL of 60 s. */
export async function sessionsExpire(stage: Stage): Promise<void> {
  await stage.air('brief', [item(await stage.video({ seconds: 8 }), cue)]);
  const [active, silent] = await Promise.all([stage.watch('brief'), stage.watch('brief')]);
  await silent.until('content is listed', () => silent.listed.get('v0')!.size > 0);
  await silent.leave();
  const left = stage.clock.now();
  expect((await get(stage, `/hls/brief/${silent.session}/v0.m3u8`)).status).toBe(200);
  // Its trace is kept.
  const isActive = async ({ session }: Viewer) => {
    const { status, json } = await stage.midroll.api('GET', `/sessions/${session}`);
    return status === 200 && json.endedAt === undefined;
  };
  await stage.clock.sleep(55_000);
  expect(await isActive(silent)).toBe(true);
  await active.until('the silent session has expired', async () => !(await isActive(silent)));
  expect(stage.clock.now() - left).toBeGreaterThan(58_000);
  expect((await get(stage, `/hls/brief/${silent.session}/v0.m3u8`)).status).toBe(404);
  expect((await get(stage, `/dash/brief/${silent.session}.mpd`)).status).toBe(404);
  expect((await get(stage, `/hls/brief/master.m3u8?sid=${silent.session}`)).status).toBe(404);
  expect(await isActive(active)).toBe(true);
  await active.leave();
  expect(active.faults).toEqual([]);
}
