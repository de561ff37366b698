// SPDX-License-Identifier: Apache-2.0
// Search, filters and order of lists in the console, which their addresses keep.
import { beforeAll, expect, test } from 'vitest';
import { fileConsole, page } from '../startConsole.ts';

const desk = await fileConsole();
beforeAll(async () => {
  for (const [id, name, status] of [
    ['zoo', 'Zoo', 'enabled'],
    ['ant', 'Ant life', 'disabled'],
    ['bee', 'Bee life', 'enabled'],
  ])
    await desk.api('POST', '/playlists', { id, name, status });
  for (let number = 1; number <= 8; number += 1)
    await desk.api('POST', '/channels', { id: `c${number}`, name: `Channel ${number}` });
});

const names = () => page.locator('tbody td.of-name a').allTextContents();

test('playlists are found, filtered and sorted, and the address keeps it', async () => {
  await desk.open('/playlists');
  await expect.poll(names).toEqual(['Bee life', 'Ant life', 'Zoo']);
  await page.getByLabel('Sort by').selectOption('Name');
  await expect.poll(names).toEqual(['Ant life', 'Bee life', 'Zoo']);
  await page.getByLabel('Find playlist').fill('LIFE');
  await expect.poll(names).toEqual(['Ant life', 'Bee life']);
  await page.getByLabel('Status').selectOption('Enabled');
  await expect.poll(names).toEqual(['Bee life']);
  await page.reload();
  await expect.poll(names).toEqual(['Bee life']);
  expect(await page.getByLabel('Find playlist').inputValue()).toBe('LIFE');
  await page.getByLabel('Find playlist').fill('whale');
  await page.getByRole('heading', { name: 'No match' }).waitFor();
});

test('channels are found by name and id', async () => {
  await desk.open('/channels');
  await expect.poll(() => page.locator('.channels > li').count()).toBe(8);
  await page.getByLabel('Find channel').fill('channel 3');
  await expect.poll(() => page.locator('.channels > li').count()).toBe(1);
  await page.getByLabel('Find channel').fill('nothing');
  await page.getByRole('heading', { name: 'No match' }).waitFor();
});
