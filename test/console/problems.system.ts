// SPDX-License-Identifier: Apache-2.0
// What fails is said where ad operations look, within seconds: an ad server that refuses connections and a creative that is a 404,
// on cards, on the channel page, in the preview, before a break is inserted, and on the page of creatives.

import type { Locator } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { findFreePort } from '../../demo/listen.ts';
import { apiKey } from '../live/midroll.ts';
import { adSource, item, openRealStage } from '../live/stage.ts';
import { opened } from '../opened.ts';
import { expectAccessible, openBrowser, page, signIn } from './startConsole.ts';

const stage = await opened(openRealStage());
await opened(openBrowser());
const deadHost = `127.0.0.1:${await findFreePort(0)}`;

const cues = [6, 26].map((spliceTime) => ({ spliceTime, maxDuration: 8 }));

beforeAll(async () => {
  const video = await stage.video({ seconds: 40 });
  stage.adHost.offer('/gone', () => [{ id: 'tea', seconds: 8, url: `${stage.adHost.url}/gone.mp4` }]);
  await stage.air('dead', [item(video, ...cues)], { name: 'Dead', adSource: { url: `http://${deadHost}/vast` } });
  await stage.air('failing', [item(video, ...cues)], { name: 'Failing', adSource: adSource(stage.adHost, '/gone') });
  await stage.air('fine', [item(video)], { name: 'Fine' });
  await page.goto(stage.midroll.adminUrl);
  await signIn(apiKey);
  await page.getByRole('navigation', { name: 'Main' }).waitFor();
  for (const channel of ['dead', 'failing']) await stage.watch(channel, { isTimed: false, fetches: 'ours' });
});

const open = (path: string) => page.evaluate(`location.hash = '${path}'`);
const listItem = (name: string): Locator =>
  page.getByRole('listitem').filter({ has: page.getByRole('heading', { name }) });
const refuses = 'refuses the connection';

test('cards name the ad server and the creative, and channels with problems are counted', async () => {
  await open('/channels');
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
