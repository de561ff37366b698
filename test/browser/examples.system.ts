// SPDX-License-Identifier: Apache-2.0
// The pages in examples/ as a viewer sees them: each plays, shows the title and the countdown of its ads, links to the
// advertiser, and opens another session when its session has ended. The VoD page has a seek bar in content time.

import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { callAdmin } from '../../demo/callAdmin.ts';
import { readTarget, sendFile } from '../../demo/serveFolder.ts';
import { untilPlaying } from '../../demo/untilPlaying.ts';
import { opened } from '../opened.ts';
import { serveInTests } from '../serve.ts';
import { startDemoServers } from '../servers/demoServers.ts';
import { connectChromium } from './connectChromium.ts';

const root = join(import.meta.dirname, '../..');
const servers = await opened(startDemoServers({ hasPrebuiltAds: true }));
const pages = await serveInTests((request, response) => sendFile(request, response, root, readTarget(request).path));
const browser = await opened(connectChromium());

const api = <T>(method: string, path: string, body?: object) => callAdmin<T>(servers.api, method, path, body);

beforeAll(async () => {
  const { midroll, origin, adServer } = servers;
  const cuePoints = [10, 24].map((spliceTime) => ({ spliceTime, maxDuration: 10, maxAds: 1 }));
  const contents = [{ sourceType: 'url', url: `${origin}/tide/master.m3u8`, cuePoints }];
  await api('POST', '/playlists', { id: 'video', status: 'enabled', contents });
  const adSource = { url: `${adServer}/vast?session=[SESSION_ID]&duration=[BREAK_DURATION]&max=[BREAK_MAX_ADS]` };
  await api('POST', '/channels', { id: 'live', apiKey: 'k', state: 'enabled', playlistId: 'video', adSource });
  const own = contents.map((item) => ({ ...item, cuePoints: [{ spliceTime: 0, maxDuration: 10 }, ...item.cuePoints] }));
  await api('POST', '/playlists', { id: 'film', type: 'vod', status: 'enabled', contents: own });
  const film = { id: 'film', type: 'vod', apiKey: 'k', state: 'enabled', playlistId: 'film', adSource };
  await api('POST', '/channels', film);
  expect(await untilPlaying(`${midroll.liveUrl}/hls/live/master.m3u8?api-key=k`, 600)).toBe(true);
});

type Seen = {
  readonly title: string;
  readonly seconds: string;
  readonly target: string;
  readonly status: string;
  readonly at: number;
};
/** As text, because the page has other globals than the test. */
const SEEN = `(() => {
  const [ad, video] = [document.getElementById('ad'), document.querySelector('video')];
  const text = (name) => (ad.hidden ? '' : ad.querySelector(name).textContent);
  return {
    title: text('strong'), seconds: text('span'), target: ad.hidden ? '' : ad.querySelector('a').href,
    status: document.getElementById('status').textContent, at: video.currentTime,
  };
})()`;
const seenOn = async (page: Page) => (await page.evaluate(SEEN)) as Seen;

const players = ['hls-js', 'shaka', 'dash-js', 'video-js'];

async function untilAd(page: Page): Promise<void> {
  await expect.poll(async () => (await seenOn(page)).title, { interval: 100 }).not.toBe('');
  const { title, seconds, target, at } = await seenOn(page);
  expect(['Coffee', 'Islands', '']).toContain(title);
  expect(seconds).toMatch(/^(\d+ s)?$/);
  if (title !== '') expect(target).toMatch(/#(coffee|islands)$/);
  await expect.poll(async () => (await seenOn(page)).at).toBeGreaterThan(at);
}

test('hls.js, Shaka Player, dash.js and Video.js show their ads, and play on in a new session when a session has ended', async () => {
  const query = new URLSearchParams({ live: servers.midroll.liveUrl, channel: 'live', key: 'k' });
  const open = async (name: string) => {
    const page = await browser.newPage();
    await page.goto(`${pages}/examples/${name}.html?${query}`);
    return page;
  };
  const opened = await Promise.all(players.map(open));
  await Promise.all(opened.map(untilAd));

  const sessions = async () => (await api<unknown[]>('GET', '/channels/live/sessions')).length;
  const before = await sessions();
  await api('PATCH', '/channels/live', { state: 'disabled' });
  for (const page of opened) await expect.poll(async () => (await seenOn(page)).status).not.toBe('');
  await api('PATCH', '/channels/live', { state: 'enabled' });
  for (const page of opened) await expect.poll(async () => (await seenOn(page)).status).toBe('');
  await Promise.all(opened.map(untilAd));
  expect(await sessions()).toBeGreaterThanOrEqual(before + players.length);
});

type Bar = { readonly max: number; readonly value: number; readonly marks: number[]; readonly time: number };
const BAR = `(() => {
  const [seek, video] = [document.getElementById('seek'), document.querySelector('video')];
  const marks = [...document.querySelectorAll('#breaks option')].map(({ value }) => Number(value));
  return { max: Number(seek.max), value: Number(seek.value), marks, time: video.currentTime };
})()`;

test('all pages show the ads of a VoD channel', async () => {
  const query = new URLSearchParams({ live: servers.midroll.liveUrl, channel: 'film', key: 'k' });
  for (const name of players) {
    const page = await browser.newPage();
    await page.goto(`${pages}/examples/${name}.html?${query}`);
    await untilAd(page);
    await page.close();
  }
});

test('the seek bar of the VoD page is in content time, and playback resumes at its bookmark with an ad', async () => {
  const query = new URLSearchParams({ live: servers.midroll.liveUrl, channel: 'film', key: 'k' });
  const page = await browser.newPage();
  const bar = async () => (await page.evaluate(BAR)) as Bar;
  await page.goto(`${pages}/examples/vod.html?${query}`);
  await expect.poll(async () => (await seenOn(page)).title).not.toBe('');
  await expect.poll(bar).toMatchObject({ max: 32, value: 0, marks: [0, 10, 24] });

  // 20 s of content are behind two breaks of 10 s.
  await page.evaluate(`(() => {
    const seek = document.getElementById('seek');
    seek.value = 20;
    seek.dispatchEvent(new Event('change'));
  })()`);
  await expect.poll(async () => (await bar()).time).toBeGreaterThan(40.5);
  const { value, time } = await bar();
  expect(time - value).toBeCloseTo(20, 0);

  // The last break before the bookmark moves to it: the pre-roll and 20 s of content are before it.
  await page.reload();
  await expect.poll(async () => (await bar()).time).toBeGreaterThanOrEqual(30);
  await expect.poll(async () => (await seenOn(page)).title).not.toBe('');
  expect((await bar()).marks).toEqual([0, 20, 24]);
});
