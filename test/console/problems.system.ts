// SPDX-License-Identifier: Apache-2.0
// What fails is said where ad operations look, within seconds: an ad server that refuses connections and a creative that is a 404,
// on cards, on the channel page, in the preview, before a break is inserted, and on the page of creatives.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectChromium, type OwnBrowser } from '../browser/connectChromium.ts';
import { apiKey } from '../live/midroll.ts';
import { adSource, item, openRealStage, type Stage } from '../live/stage.ts';
import { axeViolations } from './axe.ts';

let stage: Stage;
let browser: OwnBrowser;
let page: Page;
let deadHost: string;

const cues = [6, 26].map((spliceTime) => ({ spliceTime, maxDuration: 8 }));

beforeAll(async () => {
  stage = await openRealStage();
  const closed = createServer().listen(0, '127.0.0.1');
  await once(closed, 'listening');
  deadHost = `127.0.0.1:${(closed.address() as AddressInfo).port}`;
  closed.close();
  const video = await stage.video({ seconds: 40 });
  stage.adHost.offer('/gone', () => [{ id: 'tea', seconds: 8, url: `${stage.adHost.url}/gone.mp4` }]);
  await stage.air('dead', [item(video, ...cues)], { name: 'Dead', adSource: { url: `http://${deadHost}/vast` } });
  await stage.air('failing', [item(video, ...cues)], { name: 'Failing', adSource: adSource(stage.adHost, '/gone') });
  await stage.air('fine', [item(video)], { name: 'Fine' });
  browser = await connectChromium();
  page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  await page.goto(stage.midroll.adminUrl);
  await page.getByLabel('API key').fill(apiKey);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('navigation', { name: 'Main' }).waitFor();
  for (const channel of ['dead', 'failing']) await stage.watch(channel, { isTimed: false, fetches: 'ours' });
});
afterAll(async () => {
  await browser?.close();
  await stage?.close();
});

const open = (path: string) => page.evaluate(`location.hash = '${path}'`);
const listItem = (name: string): Locator =>
  page.getByRole('listitem').filter({ has: page.getByRole('heading', { name }) });
const expectAccessible = async (where: string) => expect([where, await axeViolations(page)]).toEqual([where, []]);
const refuses = 'refuses the connection';

test('cards name the ad server and the creative, and channels with problems are counted', async () => {
  await open('/');
  await listItem('Dead').getByText(refuses).waitFor();
  await listItem('Failing').getByText('creative-tea').waitFor();
  await listItem('Dead').getByText('Degraded').waitFor();
  const count = page.locator('.totals div').filter({ hasText: 'With problems' });
  await expect.poll(() => count.locator('dd').textContent()).toBe('2');
  expect(await listItem('Fine').locator('.reason').count()).toBe(0);
  await expectAccessible('cards');
});

test('the page of the channel has the reason, since when, and links that lead on', async () => {
  await open('/channels/dead');
  const notice = page.getByRole('status').filter({ hasText: refuses });
  await notice.getByText('Since ').waitFor();
  await notice.getByRole('link', { name: 'Ad requests' }).waitFor();
  await expectAccessible('channel');
  await notice.getByRole('link', { name: 'Sessions with empty breaks' }).click();
  await page.getByRole('heading', { level: 1, name: 'Sessions' }).waitFor();
  expect(page.url()).toContain('outcome=empty');
  await open('/channels/failing');
  await page.getByRole('status').filter({ hasText: '404' }).getByRole('link', { name: 'Creatives' }).click();
  await page.getByRole('heading', { level: 1, name: 'Creatives' }).waitFor();
});

test('a creative that is tried again is one card with its names, the next attempt and the ads it has cost', async () => {
  await open('/creatives?state=failing');
  const card = listItem('Ad tea');
  for (const text of ['Failing', '404', 'creative-tea', /attempt.*next/, /\d+ ads? not shown/])
    await card.getByText(text).first().waitFor();
  expect(await card.count()).toBe(1);
  await expectAccessible('creatives');
});

test('a break is inserted with the viewers who will see slate, and why', async () => {
  await open('/channels/dead');
  await page.getByRole('button', { name: 'Insert break' }).click();
  await page
    .getByRole('dialog')
    .getByText(/^1 viewer will see slate for 30 s: the ad server .* refuses the connection\.$/)
    .waitFor();
  await expectAccessible('dialog');
  await page.getByRole('button', { name: 'Cancel' }).click();
});

test('the preview says why it shows slate', async () => {
  await page.getByRole('button', { name: 'Start preview' }).click();
  await page.getByText(/^Slate: the ad server refused the connection/).waitFor({ timeout: 60_000 });
});
