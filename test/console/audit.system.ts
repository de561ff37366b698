// SPDX-License-Identifier: Apache-2.0
// The audit page of the console in Chromium, and names in place of ids.
import { beforeAll, expect, test } from 'vitest';
import { expectAccessible, fileConsole, page } from './startConsole.ts';

const desk = await fileConsole();
const { api } = desk;
beforeAll(async () => {
  await api('POST', '/playlists', { id: 'loop', name: 'Evening loop', contents: [] });
  await api('POST', '/channels', {
    id: 'news',
    name: 'News',
    state: 'enabled',
    playlistId: 'loop',
    apiKey: 'key-of-players',
    adSource: { url: 'https://ads.example.com/one' },
  });
  await api('PATCH', '/channels/news', {
    adSource: { url: 'https://ads.example.com/two' },
    apiKey: 'new-key-of-players',
  });
  await api('PATCH', '/playlists/loop', { name: '<b>Night loop</b>' });
});

const rows = () => page.locator('tbody tr:not(.details)');
const rowTexts = async () => (await rows().allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' '));

test('lists changes with time, person and action, and shows what differs', async () => {
  await desk.open('/audit');
  await rows().first().waitFor();
  const [newest, patched] = await rowTexts();
  expect(newest).toContain('ann@example.com');
  expect(newest).toContain('Changed name of playlist <b>Night loop</b>');
  expect(patched).toContain('Changed apiKey and adSource.url of channel News');
  await rows().nth(1).getByRole('button').press('Enter');
  const details = page.locator('.audit-details');
  await details.waitFor();
  const text = await details.textContent();
  for (const part of [
    'https://ads.example.com/one',
    'https://ads.example.com/two',
    '[secret, changed]',
    'patchChannel',
  ])
    expect(text).toContain(part);
  expect(text).not.toContain('key-of-players');
  await expectAccessible();
  await page.setViewportSize({ width: 390, height: 800 });
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
  await rows().nth(1).getByRole('button').press('Enter');
  await expect.poll(() => details.count()).toBe(0);
});

test('filters are in the URL', async () => {
  await desk.open('/audit');
  await page.getByLabel('Kind').selectOption('playlist');
  await expect.poll(async () => (await rowTexts()).every((text) => text.includes('playlist'))).toBe(true);
  await page.getByLabel('Search').fill('NIGHT');
  await expect.poll(() => rows().count()).toBe(1);
  const hash = await page.evaluate('location.hash');
  expect(hash).toBe('#/audit?kind=playlist&text=NIGHT');
  await page.reload();
  await expect.poll(() => rows().count()).toBe(1);
  await page.getByLabel('Person').fill('nobody@example.com');
  await page.getByRole('heading', { name: 'No changes' }).waitFor();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect.poll(() => rows().count()).toBeGreaterThan(3);
  expect(await page.evaluate('location.hash')).toBe('#/audit');
});

test.each([
  ['/channels/news', ['of channel News', 'Created channel News']],
  ['/playlists/loop', ['of playlist', 'Created playlist Evening loop']],
])('%s links to its history', async (path, expected) => {
  await desk.open(path);
  await page.getByRole('link', { name: 'History' }).click();
  await page.getByRole('heading', { level: 1, name: 'Audit log' }).waitFor();
  await expect.poll(() => rows().count()).toBe(expected.length);
  const texts = await rowTexts();
  for (const [index, text] of expected.entries()) expect(texts[index]).toContain(text);
});

test('older and newer pages', async () => {
  for (let index = 0; index < 30; index += 1) await desk.api('POST', '/playlists', { id: `many-${index}` });
  await desk.open('/audit');
  await expect.poll(() => rows().count()).toBe(25);
  const first = await rowTexts();
  await page.getByRole('button', { name: 'Older' }).click();
  await expect.poll(async () => (await rowTexts()).some((text) => text.includes('Created channel News'))).toBe(true);
  expect((await rowTexts())[0]).not.toBe(first[0]);
  await page.getByRole('button', { name: 'Newer' }).click();
  await expect.poll(rowTexts).toEqual(first);
});

test('creatives show the names of channels', async () => {
  await desk.api('POST', '/assets', { mediaUrl: 'https://ads.example.com/spot.mp4', channels: ['news'] });
  await desk.open('/creatives');
  await page.locator('.creative', { hasText: 'Channels: News.' }).waitFor();
});
