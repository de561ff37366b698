// SPDX-License-Identifier: Apache-2.0
// Tools of the playlist editor: several items at once, breaks at a regular distance, warnings, and frames at breaks.
import { beforeAll, beforeEach, expect, test } from 'vitest';
import type { ImportResponse } from '../../src/http/contract/consoleContract.ts';
import type { PlaylistResponse } from '../../src/http/contract/playlistContract.ts';
import { makeVideo } from '../live/testVideos.ts';
import { naming } from '../naming.ts';
import { opened } from '../opened.ts';
import { apiKey, openStage } from './stage.ts';
import { expectAccessible, page } from './startConsole.ts';

const stage = await opened(openStage());
beforeAll(async () => {
  await page.goto(stage.midroll.adminUrl);
  await page.evaluate(`sessionStorage.setItem('midroll-key', '${apiKey}')`);
});

const missing = () => `${stage.origin.url}/missing/master.m3u8`;
let count = 0;
let id: string;
beforeEach(async () => {
  count += 1;
  id = `list-${count}`;
});

async function open(contents: readonly object[]): Promise<void> {
  const response = await stage.api('POST', '/playlists', { id, status: 'enabled', contents });
  expect(response.status).toBe(201);
  // By another page, because a page with unsaved changes may keep its address.
  await page.goto('about:blank');
  await page.goto(`${stage.midroll.adminUrl}#/playlists/${id}`);
  await page.getByRole('heading', { name: 'Details' }).waitFor();
}
const item = (index: number, cuePoints: readonly object[] = []) => ({
  sourceType: 'url',
  url: stage.assets[index]!,
  cuePoints,
});
const order = () => page.locator('li.item h3').allTextContents();
const names = async () => (await order()).map((name) => name.replace(/^\d+\. /, ''));
const frameWidth = () => page.evaluate('document.querySelector("img.cue-frame")?.naturalWidth ?? 0');
const stored = async () => (await (await stage.api('GET', `/playlists/${id}`)).json()) as PlaylistResponse;
const warnings = () => page.locator('.draft-warnings .link').allTextContents();

test('several items are selected by range, moved and removed together', async () => {
  await open([0, 1, 2, 0, 1].map((index) => item(index)));
  const boxes = page.locator('li.item input[type="checkbox"]');
  await boxes.nth(1).click();
  await boxes.nth(3).click({ modifiers: ['Shift'] });
  await page.getByText('3 selected').waitFor();
  const before = await names();
  await page.getByRole('button', { name: 'Up', exact: true }).click();
  await expect.poll(names).toEqual([1, 2, 3, 0, 4].map((index) => before[index]));
  await page.getByRole('button', { name: 'To end' }).click();
  await page.getByRole('button', { name: 'Remove', exact: true }).click();
  await expect.poll(order).toHaveLength(2);
  expect(await page.getByText(/\d selected/).count()).toBe(0);
  await expectAccessible();
});

test('breaks are set at a regular distance on selected items, at cut points', async () => {
  await open([item(0, [{ spliceTime: 1, maxDuration: 5 }]), item(1)]);
  await expect.poll(() => page.getByText('Playable').count()).toBe(2);
  await page.getByLabel('Select all').check();
  await page.getByRole('button', { name: 'Set breaks…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Every (min)').fill('0.05');
  await dialog.getByLabel('Duration (s)').fill('6');
  await dialog.getByLabel('Max ads').fill('2');
  await expect.poll(() => dialog.getByRole('status').textContent()).toMatch(/^4 breaks/);
  await expectAccessible();
  await dialog.getByRole('button', { name: 'Set breaks' }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.locator('.notice.good, .toast').first().waitFor();
  const cues = (await stored()).contents!.map(({ cuePoints = [] }) => cuePoints);
  for (const [index, each] of cues.entries()) {
    expect(each).toHaveLength(2);
    const checked = await stage.api('POST', '/imports', { url: stage.assets[index]! });
    const { cutPoints } = (await checked.json()) as ImportResponse;
    for (const cue of each) {
      expect(cue).toMatchObject({ maxDuration: 6, maxAds: 2 });
      expect(cutPoints).toContain(cue.spliceTime);
    }
  }
});

test('what cannot play is listed with a link to its field, and can be saved', async () => {
  await open([
    item(0, [{ spliceTime: 500, maxDuration: 5 }]),
    { sourceType: 'url', url: missing() },
    { sourceType: 'placeholder' },
  ]);
  await expect.poll(async () => (await warnings()).length).toBe(3);
  expect((await warnings()).map((text) => text.slice(0, 2))).toEqual(['1.', '2.', '3.']);
  await page.locator('.draft-warnings .link').first().click();
  await expect.poll(() => page.evaluate('document.activeElement.value')).toBe('500');
  await page.getByLabel('Name').fill('Kept');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect.poll(async () => (await stored()).name).toBe('Kept');
  for (const remove of ['Placeholder', 'missing'])
    await page
      .getByRole('button', { name: new RegExp(`Remove ${remove}`, 'i') })
      .first()
      .click();
  await expect.poll(async () => (await warnings()).length).toBe(1);
  await page.getByRole('button', { name: 'Discard' }).click();
});

test('items that cannot be on one channel are named, before there is a channel', async () => {
  const path = await makeVideo(stage.origin.folder, 'transport', { seconds: 8, container: 'ts' });
  await open([item(0), { sourceType: 'url', url: stage.origin.url + path }, item(1)]);
  await expect.poll(warnings).toEqual([naming('2. transport', '1. one', 'MPEG-TS', 'fragmented MP4')]);
  await page.locator('.draft-warnings .link').click();
  await expect.poll(() => page.evaluate('document.activeElement.value')).toContain('/transport/');
  await page.getByRole('button', { name: /Remove transport/i }).click();
  await expect.poll(warnings).toEqual([]);
  await page.getByRole('button', { name: 'Discard' }).click();
});

test('a frame is shown at each break, and at its new place after it was moved', async () => {
  await open([item(0, [{ spliceTime: 4, maxDuration: 5 }])]);
  await page.getByText('Playable').waitFor();
  await page.getByRole('button', { name: 'Frames' }).click();
  const frame = page.locator('img.cue-frame');
  await expect.poll(frameWidth).toBeGreaterThan(50);
  const alt = await frame.getAttribute('alt');
  await page.getByRole('slider', { name: 'Break 1' }).press('ArrowRight');
  await expect.poll(() => frame.getAttribute('alt')).not.toBe(alt);
  await expect.poll(frameWidth).toBeGreaterThan(50);
  await expectAccessible();
});

test('a frame of a source that was never imported is not found', async () => {
  const url = encodeURIComponent(`${missing()}?new`);
  expect((await stage.api('GET', `/imports/frame?url=${url}&at=1`)).status).toBe(404);
  expect((await stage.api('GET', '/imports/frame?url=file:///etc/passwd&at=1')).status).toBe(422);
});
