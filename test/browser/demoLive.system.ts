// SPDX-License-Identifier: Apache-2.0
// The live channel on the page of the demo: its viewers get ads when a break is sent, and continue after a stop of the encoder.

import { beforeAll, expect, test } from 'vitest';
import { startEncoderOrigin } from '../../demo/encoder/encoderOrigin.ts';
import { startLiveChannel } from '../../demo/encoder/liveDemo.ts';
import { startPageServer } from '../../demo/pageServer.ts';
import { opened } from '../opened.ts';
import { startDemoServers } from '../servers/demoServers.ts';
import { connectChromium } from './connectChromium.ts';

const { midroll, api, origin: media, adServer } = await opened(startDemoServers());
const origin = await opened(startEncoderOrigin(0, { isAutomatic: false }));
const targets = { ...api, liveUrl: midroll.liveUrl, adServerUrl: adServer, originUrl: media, encoder: origin };
const server = await opened(startPageServer(0, targets));
const browser = await opened(connectChromium());
const page = await browser.newPage();
beforeAll(async () => {
  await startLiveChannel(api, { origin, media, adServer });
  await page.goto(server.url);
});

const formats = ['hls', 'dash'];
const FPS = 25;
const textsOf = (selector: string) =>
  Promise.all(formats.map((format) => page.locator(`#live-${format} ${selector}`).textContent()));
const framesOf = (): Promise<number[]> =>
  page.evaluate(`${JSON.stringify(formats)}.map((format) =>
    document.querySelector('#live-' + format + ' video').getVideoPlaybackQuality().totalVideoFrames)`);
const stepOf = (name: string) => page.locator(`[data-step="${name}"] strong`).textContent();
const press = (name: string) => page.click(`button[name="${name}"]:enabled`, { timeout: 0 });

/** Both players show some more seconds. */
async function bothPlay(seconds = 5): Promise<void> {
  const before = await framesOf();
  const more = FPS * seconds;
  await expect.poll(async () => (await framesOf()).every((frames, index) => frames > before[index]! + more)).toBe(true);
}

const adTitles = /Coffee|Bicycles|Islands|Lamps/;

test('both viewers get ads of their own in breaks that are sent, and the film afterwards', async () => {
  await bothPlay(1);
  // A decision that takes longer than the start of an unannounced break is slate, so there may be several breaks.
  const sendBreaks = async () => {
    if (await page.isEnabled('button[name="send-break"]')) await press('send-break');
    return (await textsOf('.breaks')).every((text) => adTitles.test(text ?? ''));
  };
  await expect.poll(sendBreaks, { interval: 1000 }).toBe(true);
  const [hls, dash] = await textsOf('.breaks');
  expect(hls).not.toBe(dash);
  await expect.poll(() => stepOf('origin')).toBe('Film');
  await press('send-break');
  await press('end-break');
  await expect.poll(() => stepOf('origin')).toBe('Film');
  await expect.poll(() => textsOf('.now')).toEqual(['Film', 'Film']);
  await expect.poll(() => page.locator('.latest tbody tr').count()).toBeGreaterThan(0);
});

test('both viewers continue after the encoder was stopped and started', async () => {
  await press('stop-encoder');
  await expect.poll(() => stepOf('encoder')).toBe('Stopped');
  await expect.poll(() => page.locator('[data-step="midroll"][data-tone="bad"]').count()).toBe(1);
  await press('start-encoder');
  await expect.poll(() => stepOf('encoder')).toBe('Running');
  await expect.poll(() => page.locator('[data-step="midroll"][data-tone="good"]').count()).toBe(1);
  await bothPlay();
});

test('each viewer leads to its trace in the console, signed in, without the key in the address', async () => {
  const opened = page.context().waitForEvent('page');
  await page.click('#live-dash .trace');
  const trace = await opened;
  const session = (await page.getAttribute('#live-dash .trace', 'href'))?.split('/').at(-1) ?? '';
  await expect
    .poll(() => trace.locator('h1').allTextContents())
    .toEqual([expect.stringContaining(session.slice(0, 8))]);
  expect(trace.url()).toMatch(new RegExp(`#/sessions/${session}$`));
});

test('the switch has both players insert the ads, which the page shows while they play', async () => {
  await page.check('#guided');
  await page.waitForURL(/insertion=guided/);
  await bothPlay(1);
  const seen = [false, false];
  const sendBreaks = async () => {
    if (await page.isEnabled('button[name="send-break"]')) await press('send-break');
    for (const [index, text] of (await textsOf('.now')).entries()) seen[index] ||= adTitles.test(text ?? '');
    return seen;
  };
  await expect.poll(sendBreaks, { interval: 250 }).toEqual([true, true]);
  expect(await page.isChecked('#guided')).toBe(true);
  await expect.poll(() => textsOf('.now'), { interval: 250 }).toEqual(['Film', 'Film']);
});
