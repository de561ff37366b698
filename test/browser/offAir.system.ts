// SPDX-License-Identifier: Apache-2.0
// Both players of the demo page continue when its channel is disabled and enabled again.

import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { callAdmin } from '../../demo/callAdmin.ts';
import { startPageServer } from '../../demo/pageServer.ts';
import { channelId, channelKey, seed } from '../../demo/seed.ts';
import { untilPlaying } from '../../demo/untilPlaying.ts';
import { opened } from '../opened.ts';
import { startDemoServers } from '../servers/demoServers.ts';
import { connectChromium } from './connectChromium.ts';

const { midroll, api, origin, adServer } = await opened(startDemoServers({ hasPrebuiltAds: true }));
const { url: pageUrl } = await opened(
  startPageServer(0, { ...api, liveUrl: midroll.liveUrl, adServerUrl: adServer, originUrl: origin }),
);
const browser = await opened(connectChromium());
beforeAll(async () => {
  await seed(api, { origin, adServer });
  expect(await untilPlaying(`${midroll.liveUrl}/hls/${channelId}/master.m3u8?api-key=${channelKey}`, 600)).toBe(true);
});

const setState = (state: 'enabled' | 'disabled') => callAdmin(api, 'PATCH', `/channels/${channelId}`, { state });

const formats = ['hls', 'dash'];
/** The frame count and the displayed session of both players. */
const shown = async (page: Page): Promise<{ frames: number[]; sessions: string[] }> => {
  const seen = await page.evaluate(`${JSON.stringify(formats)}.map((format) => {
    const card = document.getElementById(format);
    const { totalVideoFrames } = card.querySelector('video').getVideoPlaybackQuality();
    return [totalVideoFrames, card.querySelector('.about').textContent.split(' ').at(-1)];
  })`);
  const rows = seen as [number, string][];
  return { frames: rows.map(([frames]) => frames), sessions: rows.map(([, session]) => session) };
};
const FPS = 25;
/** Seconds. More than the players have buffered of a live stream. */
const LONG = 25;
const hasShown = (page: Page, seconds: number, since: readonly number[] = [0, 0]) =>
  expect
    .poll(async () => (await shown(page)).frames.every((frames, index) => frames > since[index]! + seconds * FPS))
    .toBe(true);

test.each([
  ['1.5 s off air', 1500],
  ['an interval longer than their buffers', 1000 * LONG],
])('both players of the demo page continue after %s', async (_, off) => {
  const page = await browser.newPage();
  await page.goto(pageUrl);
  await hasShown(page, 2);
  const before = await shown(page);
  await setState('disabled');
  await sleep(off);
  await setState('enabled');
  const { frames } = await shown(page);
  await hasShown(page, LONG, frames);
  expect((await shown(page)).sessions).toEqual(before.sessions);
  await page.close();
});
