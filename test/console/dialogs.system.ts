// SPDX-License-Identifier: Apache-2.0
// What dialogs and forms have in common.
import { beforeAll, expect, test } from 'vitest';
import { fileConsole, page } from './startConsole.ts';

const desk = await fileConsole();
beforeAll(async () => {
  await desk.api('POST', '/playlists', { id: 'loop', name: 'Evening loop' });
  await desk.api('POST', '/channels', { id: 'news', name: 'News', state: 'disabled', playlistId: 'loop' });
});

const openings: readonly (readonly [path: string, open: string, acts: string])[] = [
  ['/playlists/loop', 'Paste URLs…', 'Add'],
  ['/playlists/loop', 'Delete', 'Delete playlist'],
  ['/channels/news?tab=settings', 'Delete channel', 'Delete channel'],
  ['/creatives', 'Add creative', 'Add'],
  ['/keys', 'Create key', 'Create'],
  ['/systems', 'Add system', 'Save'],
];

test.each(openings)('on %s, the dialog of "%s" has the button that acts first', async (path, open, acts) => {
  await desk.open(path);
  await page.getByRole('button', { name: open, exact: true }).first().click();
  const buttons = page.getByRole('dialog').locator('footer button');
  await buttons.first().waitFor();
  expect(await buttons.allTextContents()).toEqual([acts, 'Cancel']);
});

test('macros that are not filled in are named while the URL is typed, and by the API', async () => {
  await desk.open('/channels/news?tab=settings');
  const field = page.getByLabel('Ad server URL');
  await field.fill('https://ads.example.com/vast?len=[BREAK_DURATION]&cb=[CACHE_BUSTING]');
  const notice = page.locator('.notice.warn', { hasText: 'CACHE_BUSTING' });
  await notice.waitFor();
  expect(await notice.textContent()).not.toContain('BREAK_DURATION');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect
    .poll(async () => (await desk.api<{ warnings?: string[] }>('GET', '/channels/news')).warnings)
    .toEqual([expect.stringContaining('[CACHE_BUSTING]')]);
  await field.fill('https://ads.example.com/vast?cb=[CACHEBUSTING]');
  await expect.poll(() => notice.count()).toBe(0);
});
