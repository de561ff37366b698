// SPDX-License-Identifier: Apache-2.0
// Guided insertion as operators see it: the setting of a channel, previews in both ways next to each other with the events that the
// guided player reports, and its session.
import { beforeAll, expect, test } from 'vitest';
import { opened } from '../../opened.ts';
import { apiKey, openStage } from '../stage.ts';
import { expectAccessible, page, saveChanges, signIn } from '../startConsole.ts';

const stage = await opened(openStage());
const region = (name: string) => page.getByRole('region', { name, exact: true });
const guided = () => region('Guided preview');
const event = (...names: (string | RegExp)[]) =>
  names
    .reduce((found, hasText) => found.filter({ hasText }), guided().getByRole('log').getByRole('listitem'))
    .first()
    .waitFor();
const showChannel = () => page.goto(`${stage.midroll.adminUrl}/#/channels/one`);

beforeAll(async () => {
  const cuePoints = [{ spliceTime: 4, maxDuration: 10, maxAds: 3 }];
  const contents = stage.assets.map((url) => ({ url, cuePoints }));
  const playlist = { id: 'list', type: 'vod2live', status: 'enabled', contents };
  const channel = { id: 'one', name: 'One', state: 'enabled', playlistId: 'list', adSource: { url: stage.adUrl } };
  expect((await stage.api('POST', '/playlists', playlist)).status).toBe(201);
  expect((await stage.api('POST', '/channels', channel)).status).toBe(201);
});

test('the form sets who inserts the ads, and the page of the channel shows it', async () => {
  await page.goto(`${stage.midroll.adminUrl}/#/channels/one?tab=settings`);
  await signIn(apiKey);
  await page.getByText('Advanced settings').click();
  const field = page.getByLabel('Ad insertion');
  expect(await field.inputValue()).toBe('stitched');
  await field.selectOption('Guided');
  await saveChanges();
  const channel = await (await stage.api('GET', '/channels/one')).json();
  expect(channel).toMatchObject({ insertion: 'guided' });
  await page.reload();
  await page.getByText('Advanced settings').click();
  await expect.poll(() => field.inputValue()).toBe('guided');
  await showChannel();
  await page.getByText(/^Ad insertion: guided$/).waitFor();
});

test('previews play in both ways next to each other, and the guided player reports its events', async () => {
  for (const preview of [region('Preview'), guided()])
    await preview.getByRole('button', { name: 'Start preview' }).click();
  for (const preview of [region('Preview'), guided()]) await preview.locator('[data-playing=true]').waitFor();
  await event(/list/, /\b1 ad\b/, /\b10 s\b/);
  await event(/Ad 1 of 1/, /started/);
  await event(/Ad 1 of 1/, /ended/);
  await event(/Break/, /ended/);
  expect(await region('Preview').getByRole('log').count()).toBe(0);
  await expectAccessible('previews in both ways');
});

test.each(['Shaka', 'DASH'])('Shaka Player reports its events (%s)', async (choice) => {
  await guided().getByRole('radio', { name: choice }).check();
  await event(/Break/, /started/);
  await event(/Clip 1 of/, /started/);
  await guided().locator('[data-playing=true]').waitFor();
  await event(/Break/, /ended/);
  // The next break, too.
  await expect.poll(() => guided().getByRole('listitem').filter({ hasText: 'Break started' }).count()).toBe(2);
});

test('sessions of guided players are marked', async () => {
  await page
    .locator('.card', { hasText: 'Latest sessions' })
    .getByText(/guided/)
    .first()
    .waitFor();
  await guided().getByRole('link', { name: 'View session' }).click();
  for (const mark of ['Guided', 'Preview']) await page.locator('.session-facts .badge', { hasText: mark }).waitFor();
  await expectAccessible('guided session');
  await page.goto(`${stage.midroll.adminUrl}/#/sessions`);
  await page.locator('tbody tr .badge', { hasText: 'Guided' }).first().waitFor();
});

test('the switch hides the guided preview', async () => {
  await showChannel();
  await page.getByLabel('Compare with guided').uncheck();
  await expect.poll(() => guided().count()).toBe(0);
  expect(stage.browserErrors).toEqual([]);
});
