// SPDX-License-Identifier: Apache-2.0
// Many records changed at once: confirmed once, reported in full, and undone at once.
import type { Request } from 'playwright-core';
import { beforeEach, expect, test } from 'vitest';
import { pick } from '../locators.ts';
import { button, dialog, expectAccessible, fileConsole, page } from '../startConsole.ts';
import { hasDeadServer, nameOf, PLAYLISTS, startManyChannels, viewersOf } from './manyChannels.ts';

let batches: number[] = [];
const desk = await fileConsole(startManyChannels());
const { open } = desk;
beforeEach(async () => {
  batches = [];
  page.on('request', (request: Request) => {
    if (request.url().endsWith('/batch')) batches.push(request.postDataJSON().changes.length);
  });
});

const rows = () => page.locator('.data-table tbody tr');
const bar = () => page.getByRole('region', { name: 'Selection' });
const toast = (text: string) => page.locator('.toast', { hasText: text });
type Channel = {
  readonly id: string;
  readonly name: string;
  readonly state: string;
  readonly playlistId?: string;
  readonly labels?: string[];
  readonly adSource?: object;
};
const channel = (id: string) => desk.api<Channel>('GET', `/channels/${id}`);
const states = async (numbers: readonly number[]) =>
  Promise.all(numbers.map(async (number) => (await channel(`ch-${number}`)).state));
/** Selects all rows that are listed. */
async function selectAll(count: number): Promise<void> {
  await expect.poll(() => rows().count()).toBe(count);
  await page.locator('.data-table tbody .pick input').first().focus();
  await page.keyboard.press('Control+a');
}
/** Presses the button of the dialog that acts. */
const confirm = (name: RegExp) => dialog().getByRole('button', { name }).click();
/** Chooses a label for the selected rows. */
async function addLabel(label: string): Promise<void> {
  await button('Labels…', bar()).click();
  await dialog().getByRole('combobox', { name: 'Add labels' }).fill(label);
  await page.keyboard.press('Enter');
}
const deadServers = Array.from({ length: 205 }, (_, index) => index + 1).filter(hasDeadServer);

test('nine channels with a dead ad server are disabled at once, and enabled again by one undo', async () => {
  await open('/channels?problem=any&state=on-air');
  await selectAll(9);
  const viewers = deadServers.reduce((sum, number) => sum + viewersOf(number), 0);
  await bar().getByText(`${viewers} viewers`).waitFor();
  await button('Disable', bar()).click();
  await dialog()
    .locator('.notice.warn', { hasText: String(viewers) })
    .waitFor();
  expect(await dialog().locator('.affected li').count()).toBe(9);
  const act = button('Disable 9 channels', dialog());
  expect(await act.isDisabled()).toBe(true);
  await expectAccessible();
  await dialog().getByRole('textbox').fill('9');
  await act.click();
  await toast('9 channels disabled').waitFor();
  expect(batches).toEqual([9]);
  expect(await states(deadServers)).toEqual(deadServers.map(() => 'disabled'));
  await page.getByRole('heading', { name: 'No match' }).waitFor();
  expect(await bar().count()).toBe(0);
  await button('Undo', toast('9 channels disabled')).click();
  await toast('9 channels restored').waitFor();
  expect(batches).toEqual([9, 9]);
  expect(await states(deadServers)).toEqual(deadServers.map(() => 'enabled'));
  await expect.poll(() => rows().count()).toBe(9);
});

test('an undo leaves what someone else has changed meanwhile, and names it', async () => {
  await open('/channels?q=Sport 1');
  const ids = [12, 16, 100, 104, 108, 112, 116, 120, 124, 128].concat([132, 136, 140, 144, 148, 152]);
  await rows().first().waitFor();
  await selectAll(await rows().count());
  await addLabel('Finals');
  await confirm(/^Change labels of/);
  await toast('changed').waitFor();
  expect((await channel('ch-12')).labels).toEqual(['Sport', 'Finals']);
  await desk.api('PATCH', '/channels/ch-12', { name: 'Sport for two' });
  await desk.remove('/channels/ch-16?force=true');
  await button('Undo', toast('changed')).click();
  const report = dialog();
  await report.getByRole('heading', { name: '2 channels not restored' }).waitFor();
  expect(await report.locator('li').allTextContents()).toEqual([
    expect.stringMatching(/^Sport 16.*deleted/),
    expect.stringMatching(/^Sport 12.*Someone else/),
  ]);
  await expectAccessible();
  expect((await channel('ch-12')).labels).toEqual(['Sport', 'Finals']);
  for (const number of ids.slice(2)) expect((await channel(`ch-${number}`)).labels).toEqual(['Sport']);
  await report.getByRole('link', { name: 'Sport 12' }).click();
  await page.getByRole('heading', { level: 1, name: 'Sport for two' }).waitFor();
});

test('an ad server and a playlist are changed for several channels, and restored as they were', async () => {
  await open('/channels?q=News 1');
  await rows().first().waitFor();
  const count = await rows().count();
  const before = await channel('ch-17');
  await selectAll(count);
  await button('Ad server…', bar()).click();
  await dialog().getByLabel('Ad server URL').fill('https://backup.example.com/vast');
  await confirm(/^Change ad server/);
  await toast(`${count} channels changed`).waitFor();
  expect((await channel('ch-17')).adSource).toEqual({ url: 'https://backup.example.com/vast', timeoutMs: 900 });
  await button('Undo', toast('changed')).click();
  await toast('restored').waitFor();
  expect((await channel('ch-17')).adSource).toEqual(before.adSource);
  await button('Dismiss', toast('restored')).click();

  await selectAll(count);
  await button('Playlist…', bar()).click();
  await pick(dialog().getByRole('combobox', { name: 'Playlist' }), 'loop-500', 'Loop 500');
  await dialog().getByLabel(/^Type/).fill(String(count));
  await confirm(/^Change playlist/);
  await toast('changed').waitFor();
  expect((await channel('ch-17')).playlistId).toBe('loop-500');
  await button('Undo', toast('changed')).click();
  await toast('restored').waitFor();
  expect((await channel('ch-17')).playlistId).toBe(before.playlistId);
});

test('what cannot be changed is listed with its reason and a link, next to what was', async () => {
  const labels = Array.from({ length: 20 }, (_, index) => `label ${index}`);
  await desk.api('PATCH', '/channels/ch-30', { labels });
  await open('/channels?q=ch-3');
  await rows().first().waitFor();
  const count = await rows().count();
  await selectAll(count);
  await addLabel('One more');
  await confirm(/^Change labels of/);
  await toast(`${count - 1} of ${count} channels changed`).waitFor();
  await dialog().getByRole('heading', { name: '1 channel not changed' }).waitFor();
  expect(await dialog().locator('li').textContent()).toContain('20');
  await dialog()
    .getByRole('link', { name: nameOf(30) })
    .click();
  await page.getByRole('heading', { level: 1, name: nameOf(30) }).waitFor();
});

test('deleted channels come back with one undo, also from a phone', async () => {
  await page.setViewportSize({ width: 390, height: 844 });
  await open('/channels?q=Films 2');
  await rows().first().waitFor();
  const names = await page.locator('.data-table td.of-name a').allTextContents();
  await selectAll(names.length);
  await button('Delete…', bar()).click();
  await dialog().getByLabel(/^Type/).fill(String(names.length));
  await confirm(/^Delete \d/);
  await toast('deleted').waitFor();
  await page.getByRole('heading', { name: 'No match' }).waitFor();
  await button('Undo', toast('deleted')).click();
  await toast('restored').waitFor();
  await expect.poll(() => rows().count()).toBe(names.length);
  expect(await page.locator('.data-table td.of-name a').allTextContents()).toEqual(names);
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
});

test('all 510 playlists are selected across pages and changed in two batches; a second person sees it', async () => {
  const other = await desk.newPage();
  await open('/playlists', other);
  await open('/playlists?q=loop');
  await selectAll(50);
  await button(`Select all ${PLAYLISTS}`, bar()).click();
  await bar().getByText(`${PLAYLISTS} selected`).waitFor();
  await addLabel('Autumn');
  // The other person is faster with one of them.
  await desk.api('PATCH', '/playlists/loop-7', { name: 'Loop seven' });
  await confirm(/^Change labels of/);
  await toast(`${PLAYLISTS - 1} of ${PLAYLISTS} playlists changed`).waitFor();
  expect(batches).toEqual([500, PLAYLISTS - 500]);
  await dialog().locator('li', { hasText: 'Loop 7' }).getByText('Someone else').waitFor();
  await button('Close', dialog()).last().click();
  await open('/playlists?label=autumn', other);
  await other.getByText(`1–50 of ${PLAYLISTS - 1}`).waitFor();
  await button('Undo', toast('changed')).click();
  await toast(`${PLAYLISTS - 1} playlists restored`).waitFor();
  await open('/playlists?label=autumn', other);
  await other.getByRole('heading', { name: 'No match' }).waitFor();
  await other.close();
});

test('creatives are retried and deleted from their table', async () => {
  for (const number of [1, 2, 3])
    await desk.api('POST', '/assets', { mediaUrl: `https://ads.example.com/spot-${number}.mp4`, channels: ['ch-1'] });
  await open('/creatives?kind=creative');
  await page.getByRole('radio', { name: 'Table' }).click();
  await selectAll(3);
  await button('Retry', bar()).click();
  await button('Retry 3 creatives', dialog()).click();
  await toast('3 creatives queued').waitFor();
  await selectAll(3);
  await button('Delete…', bar()).click();
  await button('Delete 3 creatives', dialog()).click();
  await toast('3 creatives deleted').waitFor();
  expect(await button('Undo').count()).toBe(0);
  await expect.poll(() => rows().count()).toBe(0);
});

test('a key that may only read sees why nothing can be changed', async () => {
  const { key } = await desk.api<{ key: string }>('POST', '/keys', { name: 'Reader', scope: 'read' });
  await open('/channels', page, key);
  await rows().first().waitFor();
  await page.locator('.data-table tbody .pick input').first().click();
  const disable = button('Disable', bar());
  expect(await disable.getAttribute('aria-disabled')).toBe('true');
  await disable.focus();
  await page.getByRole('tooltip').getByText('operate').waitFor();
});
