// SPDX-License-Identifier: Apache-2.0
// VoD channels in the console: their settings, their page and their sessions. Nothing is on air.
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { axeViolations } from './axe.ts';
import { fieldError, savedNotice } from './locators.ts';
import { type ConsoleTest, startConsole } from './startConsole.ts';

let desk: ConsoleTest;
let page: Page;
beforeAll(async () => {
  desk = await startConsole({});
});
afterAll(() => desk?.close());
beforeEach(async () => {
  page = await desk.newPage();
});
afterEach(() => page.close());
const open = (path: string) => desk.open(page, path);
const api: ConsoleTest['api'] = (method, path, body) => desk.api(method, path, body);
const expectAccessible = async (where: string) => expect([where, await axeViolations(page)]).toEqual([where, []]);
const advanced = () => page.locator('details', { hasText: 'Advanced settings' }).locator('summary').last();

test('creates a VoD channel with hosts; errors are shown at their fields', async () => {
  await api('POST', '/playlists', { id: 'films', name: 'Films', type: 'vod' });
  await api('POST', '/playlists', { id: 'loop', name: 'Loop', type: 'vod2live' });
  await open('/channels/~new');
  await page.getByLabel('Type').selectOption('VoD channel');
  await page.getByLabel('Name').fill('Cinema');
  await page.getByLabel('ID').fill('cinema');
  // Playlists of linear channels are not offered.
  await expect.poll(() => page.getByLabel('Playlist').locator('option').allTextContents()).toHaveLength(2);
  await page.getByLabel('Playlist').selectOption('films');
  for (const host of ['', 'https://media.example.com/', '*.example.com']) {
    await page.getByRole('button', { name: 'Add host' }).click();
    await expect.poll(() => page.evaluate('document.activeElement.tagName')).toBe('INPUT');
    await page.keyboard.type(host);
  }
  await page.getByLabel('Break source').selectOption('Manifest markers');
  await advanced().click();
  for (const label of ['Slate URL', 'Playlist window (s)', 'Time-shift window (s)'])
    expect([label, await page.getByLabel(label).count()]).toEqual([label, 0]);
  await page.getByLabel('Decision budget (ms)').fill('soon');
  await page.getByLabel('Resume policy').selectOption('Skip ads');
  await page.getByLabel('Default break (s)').fill('45');
  await expectAccessible('new VoD channel');
  await page.getByRole('button', { name: 'Create channel' }).click();
  await fieldError(page, 'Host 2', 'https://media.example.com/').waitFor();
  await fieldError(page, 'Decision budget (ms)').waitFor();
  await expectAccessible('new VoD channel with errors');
  await page.getByLabel('Decision budget (ms)').fill('1500');
  await page.getByRole('textbox', { name: 'Host 2' }).fill('media.example.com');
  await page.getByRole('button', { name: 'Remove host 1' }).click();
  await expect.poll(() => page.evaluate('document.activeElement.value')).toBe('media.example.com');
  await page.getByRole('button', { name: 'Create channel' }).click();
  await page.getByRole('heading', { level: 1, name: 'Cinema' }).waitFor();
  expect(await api('GET', '/channels/cinema')).toMatchObject({
    ...{ type: 'vod', playlistId: 'films', contentHosts: ['media.example.com', '*.example.com'] },
    ...{ breakSource: 'manifest', vodBudgetMs: 1500, resumePolicy: 'skip', breakDuration: 45, state: 'enabled' },
  });
});

test('changes the type of a channel and keeps the settings of the previous type', async () => {
  await api('POST', '/channels', { id: 'turn', name: 'Turn', playlistSize: 90 });
  await open('/channels/turn?tab=settings');
  await page.getByLabel('Type').selectOption('VoD channel');
  await page.getByRole('button', { name: 'Save' }).click();
  await savedNotice(page).waitFor();
  expect(await api('GET', '/channels/turn')).toMatchObject({ type: 'vod', playlistSize: 90 });
  await page.getByLabel('Enabled').waitFor();
});

test('a playlist of a VoD channel has a type, a post-roll and cue points without a duration', async () => {
  const contents = [{ url: 'http://127.0.0.1:9/a/master.m3u8', duration: 60, cuePoints: [{ spliceTime: 10 }] }, {}];
  await api('POST', '/playlists', { id: 'mixed', name: 'Mixed', contents });
  await open('/playlists/mixed');
  await page.getByLabel('Type').selectOption('VoD channel');
  const first = page.locator('li.item').first();
  await first.getByRole('button', { name: 'Add post-roll' }).click();
  await first.getByLabel('Duration (s)').last().fill('');
  await expectAccessible('playlist of a VoD channel');
  await page.getByRole('button', { name: 'Save' }).click();
  await savedNotice(page).waitFor();
  const stored = await api<{ contents: { cuePoints?: object[] }[] }>('GET', '/playlists/mixed');
  expect(stored).toMatchObject({ type: 'vod', contents: [{ sourceType: 'url' }, { sourceType: 'placeholder' }] });
  expect(stored.contents[0]!.cuePoints).toEqual([{ spliceTime: 10 }, { spliceTime: -1, maxAds: 2 }]);
});

test('a list of channels shows VoD channels without a schedule', async () => {
  await api('POST', '/channels', { id: 'library', name: 'Library', type: 'vod', state: 'enabled' });
  await open('/');
  const card = page.locator('.channels > li', { hasText: 'Library' });
  await card.getByText('VoD').waitFor();
  expect(await card.getByText(/on air|not playing|next/i).count()).toBe(0);
  await expectAccessible('channels');
});
