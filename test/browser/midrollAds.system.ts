// SPDX-License-Identifier: Apache-2.0
// The pages of docs/players.md, as they are: in each player, midroll-ads.js shows the ad that the trace of the session has for the
// picture, with its countdown; with client-side tracking, each event of an ad is one beacon, and so is a click on its link.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import type { AdServerLog } from '../../demo/adServer.ts';
import { callAdmin } from '../../demo/callAdmin.ts';
import { readTarget, replyText, sendFile } from '../../demo/serveFolder.ts';
import { untilPlaying } from '../../demo/untilPlaying.ts';
import { trackedEvents } from '../../demo/vastResponse.ts';
import { readPage, root } from '../../site/markdownPages.ts';
import { codeBlocks } from '../docs/codeBlocks.ts';
import { opened } from '../opened.ts';
import { serveInTests } from '../serve.ts';
import { startDemoServers } from '../servers/demoServers.ts';
import { connectChromium } from './connectChromium.ts';

const blocks = codeBlocks(readPage('docs/players.md')).filter(({ language }) => language === 'html');
/** By the package of their player. */
const pages = Object.fromEntries(blocks.map(({ content }) => [/npm\/([\w.-]+)@/.exec(content)![1]!, content]));

/** Notes what the page shows, and the position of the picture at that moment. */
const noting = `
import * as ads from './real.js';
window.seen = [];
export const followAds = (url, position, options) => {
  window.trackingURL = url;
  return ads.followAds(url, position, { ...options, show(now, avails) {
    options.show(now, avails);
    const at = position()?.getTime();
    if (at) window.seen.push({ at, text: document.querySelector('a').textContent, link: document.querySelector('a').href });
  } });
};`;

const servers = await opened(startDemoServers({ hasPrebuiltAds: true }));
const { midroll, origin, adServer } = servers;
const site = await serveInTests((request, response) => {
  const { path, query } = readTarget(request);
  if (path === '/midroll-ads.js') return replyText(response, 200, noting, 'text/javascript');
  if (path === '/real.js') return sendFile(request, response, join(root, 'examples'), '/midroll-ads.js');
  const page = pages[query.get('player') ?? ''];
  if (page === undefined) return replyText(response, 404, 'Not found\n');
  return replyText(response, 200, page.replace('http://127.0.0.1:8081', midroll.liveUrl), 'text/html');
});
const browser = await opened(connectChromium());
const api = <T>(method: string, path: string, body?: object) => callAdmin<T>(servers.api, method, path, body);

beforeAll(async () => {
  const cuePoints = [8, 22].map((spliceTime) => ({ spliceTime, maxDuration: 20, maxAds: 2 }));
  const contents = [{ sourceType: 'url', url: `${origin}/tide/master.m3u8`, cuePoints }];
  await api('POST', '/playlists', { id: 'video', status: 'enabled', contents });
  const adSource = { url: `${adServer}/vast?session=[SESSION_ID]&duration=[BREAK_DURATION]&max=[BREAK_MAX_ADS]` };
  const channel = {
    id: 'demo',
    apiKey: 'watch-demo',
    state: 'enabled',
    playlistId: 'video',
    tracking: 'client',
    adSource,
  };
  await api('POST', '/channels', channel);
  expect(await untilPlaying(`${midroll.liveUrl}/hls/demo/master.m3u8?api-key=watch-demo`, 600)).toBe(true);
});

const require = createRequire(import.meta.url);
/** The file of a package that the page loads from a CDN: that of the installed version, which the page must name. */
function packageFile(url: string): string {
  const [, name, major, path] = /\/npm\/([\w.-]+)@(\d+)\/(.+)$/.exec(url)!;
  const folder = join(root, 'node_modules', name!);
  const { version } = require(join(folder, 'package.json'));
  expect(version.split('.')[0]).toBe(major);
  return join(folder, path!);
}

type Seen = { readonly at: number; readonly text: string; readonly link: string };
type Trace = {
  readonly breaks: readonly {
    readonly ads: readonly { title: string; outcome: string; startsAt: string; duration: number }[];
  }[];
};

/** @param beacons receives the URLs of all requests */
async function openPage(player: string, beacons: string[]): Promise<Page> {
  const page = await browser.newPage();
  page.on('request', (request) => beacons.push(request.url()));
  await page.route('https://cdn.jsdelivr.net/**', (route) =>
    route.fulfill({
      path: packageFile(route.request().url()),
      contentType: route.request().url().endsWith('.css') ? 'text/css' : 'text/javascript',
    }),
  );
  await page.goto(`${site}/?player=${encodeURIComponent(player)}`);
  return page;
}
const adServerLog = async () => (await (await fetch(`${servers.adServer}/log.json`)).json()) as AdServerLog;
const seenOn = async (page: Page) => (await page.evaluate('window.seen ?? []')) as Seen[];

test('the page has an example for each player', () => {
  expect(Object.keys(pages)).toEqual(['hls.js', 'shaka-player', 'video.js', 'dashjs']);
  for (const page of Object.values(pages)) expect(page.trim().split('\n').length).toBeLessThanOrEqual(26);
  expect(Buffer.byteLength(readFileSync(join(root, 'examples/midroll-ads.js')))).toBeLessThanOrEqual(4096);
});

test.concurrent.for(Object.keys(pages))(
  '%s shows the right ad, its countdown and its link',
  async (player, context) => {
    const { expect } = context;
    const requests: string[] = [];
    const page = await openPage(player, requests);
    await expect.poll(async () => (await seenOn(page)).at(-1)?.text ?? '').toMatch(/s$/);
    await page.evaluate(`document.querySelector('a').dispatchEvent(new MouseEvent('click', { cancelable: true }))`);
    const session = ((await page.evaluate('window.trackingURL')) as string).split('/').at(-1)!;
    const clicks = async () => {
      const { beacons } = await adServerLog();
      return beacons.filter(({ event, viewer }) => event === 'click' && viewer === session);
    };
    await expect.poll(async () => (await clicks()).length).toBe(1);
    // Until content follows: the whole break was seen, from where playback began.
    await expect.poll(async () => (await seenOn(page)).at(-1)?.text).toBe('');

    const { breaks } = await api<Trace>('GET', `/sessions/${session}`);
    const aired = breaks.flatMap(({ ads }) => ads.filter(({ outcome }) => outcome === 'stitched'));
    const seen = await seenOn(page);
    const shown = seen.filter(({ text }) => text !== '');
    expect(shown.length).toBeGreaterThan(4);
    for (const { at, text, link } of shown) {
      const [, title, number, count, left] = /^(.+): ad (\d) of (\d), (\d+) s$/.exec(text)!;
      // At a border, the page may have looked just before or after the test's clock.
      const around = aired.filter(({ startsAt, duration }) => {
        const after = at - Date.parse(startsAt);
        return after > -300 && after < duration * 1000 + 300;
      });
      const ad = around.find((one) => one.title === title);
      expect(around.map((one) => one.title)).toContain(title);
      const seconds = (Date.parse(ad!.startsAt) + ad!.duration * 1000 - at) / 1000;
      expect(Math.abs(seconds - Number(left))).toBeLessThan(1.5);
      expect(Number(number)).toBeLessThanOrEqual(Number(count));
      expect(link).toMatch(new RegExp(`#${title!.toLowerCase()}$`));
    }
    const beacons = requests.filter((url) => url.includes('/beacon/'));
    expect(new Set(beacons).size).toBe(beacons.length);
    // Of ads that were seen from start to end.
    const whole = aired.filter(
      ({ startsAt, duration }) =>
        Date.parse(startsAt) > seen[0]!.at && Date.parse(startsAt) + duration * 1000 < seen.at(-1)!.at,
    );
    const events = whole.flatMap(({ title }) => [...trackedEvents].map((event) => `${event} ${title.toLowerCase()}`));
    const sent = beacons.map(
      (url) => `${new URL(url).pathname.split('/').at(-1)} ${new URL(url).searchParams.get('ad')}`,
    );
    expect(events.length).toBeGreaterThan(0);
    expect(sent).toEqual(expect.arrayContaining([...events, expect.stringMatching(/^click /)]));
    await page.close();
  },
);

test('each click was one beacon', async () => {
  const { counts } = await adServerLog();
  const clicks = Object.values(counts).map(({ click }) => click!);
  expect(clicks.reduce((sum, count) => sum + count)).toBe(Object.keys(pages).length);
});
