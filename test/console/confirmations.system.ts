// SPDX-License-Identifier: Apache-2.0
// Before the console deletes, disables or revokes anything it states who watches; afterwards it can be undone. Nothing is on
// air; the numbers of viewers are those of the test.
import { beforeEach, expect, test } from 'vitest';
import { offAir } from '../servers/adminServer.ts';
import { button, dialog, expectAccessible, fileConsole, page, startConsole } from './startConsole.ts';

/** By channel; undefined if they cannot be counted. */
let viewers: Readonly<Record<string, number>> | undefined = {};
const { api, open } = await fileConsole(
  startConsole({
    onAir: {
      ...offAir,
      async viewerCounts() {
        if (viewers === undefined) throw new Error('the store is unavailable');
        return new Map(Object.entries(viewers));
      },
    },
  }),
);
beforeEach(async () => {
  viewers = {};
});

const toast = (...texts: string[]) =>
  texts.reduce((found, hasText) => found.filter({ hasText }), page.locator('.toast')).first();
const heading = (name: string) => page.getByRole('heading', { level: 1, name }).waitFor();
const stateOf = async (path: string, field: string) => (await api<Record<string, unknown>>('GET', path))[field];

async function addPlaylist(id: string, name: string, ...channels: readonly [id: string, name: string][]) {
  await api('POST', '/playlists', { id, name, type: 'vod2live', status: 'enabled', contents: [] });
  for (const [channel, label] of channels)
    await api('POST', '/channels', { id: channel, name: label, playlistId: id, state: 'enabled' });
}

test('names the viewers and the channels of a playlist, has its name typed, and undoes the deletion', async () => {
  await addPlaylist('evening', 'Evening loop', ['one', 'Channel One'], ['two', 'Channel Two']);
  viewers = { one: 3, two: 9 };
  await open('/playlists/evening');
  await button('Delete').click();
  await dialog().locator('.notice.warn', { hasText: '12' }).waitFor();
  expect(await dialog().locator('li').allTextContents()).toEqual([
    expect.stringMatching(/^Channel Two .*9/),
    expect.stringMatching(/^Channel One .*3/),
  ]);
  const act = button('Delete playlist', dialog());
  expect(await act.isDisabled()).toBe(true);
  await expectAccessible();
  await dialog().getByRole('textbox').fill('evening');
  expect(await act.isDisabled()).toBe(true);
  await dialog().getByRole('textbox').fill('Evening Loop');
  await act.click();
  await toast('Evening loop').waitFor();
  await heading('Playlists');
  await expectAccessible();
  await button('Undo', toast('Evening loop')).click();
  await heading('Evening loop');
  expect(await stateOf('/playlists/evening', '__v')).toBe(0);
});

test('the switch of a channel with viewers asks first, and disabling is undone', async () => {
  await api('POST', '/channels', { id: 'watched', name: 'Watched', state: 'enabled' });
  viewers = { watched: 1 };
  await open('/channels/watched');
  const onAir = page.getByLabel('On air');
  await onAir.click();
  await dialog().waitFor();
  await button('Cancel', dialog()).click();
  expect([await onAir.isChecked(), await stateOf('/channels/watched', 'state')]).toEqual([true, 'enabled']);
  await onAir.click();
  await dialog().getByRole('textbox').fill('watched');
  await page.keyboard.press('Enter');
  await toast('Watched').waitFor();
  expect([await onAir.isChecked(), await stateOf('/channels/watched', 'state')]).toEqual([false, 'disabled']);
  await button('Undo', toast('Watched')).click();
  await expect.poll(() => onAir.isChecked()).toBe(true);
  expect(await stateOf('/channels/watched', 'state')).toBe('enabled');
});

test('the switch of a channel without viewers acts at once, and can be undone', async () => {
  await api('POST', '/channels', { id: 'quiet', name: 'Quiet', state: 'enabled' });
  await open('/channels/quiet');
  await page.getByLabel('On air').click();
  await toast('Quiet').waitFor();
  expect(await stateOf('/channels/quiet', 'state')).toBe('disabled');
  expect(await dialog().count()).toBe(0);
  await button('Undo', toast('Quiet')).click();
  await expect.poll(() => stateOf('/channels/quiet', 'state')).toBe('enabled');
});

test('a deleted channel is restored from its list, also on a phone', async () => {
  await api('POST', '/channels', { id: 'gone', name: 'Gone channel', state: 'enabled' });
  viewers = { gone: 2 };
  await open('/channels/gone?tab=settings');
  await button('Delete channel').click();
  await dialog().getByRole('textbox').fill('Gone channel');
  await button('Delete channel', dialog()).click();
  await heading('Channels');
  await page.getByRole('link', { name: 'Recently deleted' }).click();
  const row = page.getByRole('row').filter({ hasText: 'Gone channel' });
  await row.waitFor();
  await page.getByLabel('Type').selectOption('channel');
  await row.filter({ hasText: 'Channel' }).waitFor();
  await expectAccessible();
  await page.setViewportSize({ width: 390, height: 800 });
  const width = await page.evaluate('document.documentElement.scrollWidth');
  expect(width).toBeLessThanOrEqual(390);
  await button('Restore', row).click();
  await row.waitFor({ state: 'detached' });
  expect(await stateOf('/channels/gone', 'name')).toBe('Gone channel');
});

test('a record whose id is taken is reported as such, and stays restorable', async () => {
  await addPlaylist('taken', 'Old list');
  await open('/playlists/taken');
  await button('Delete').click();
  await button('Delete playlist', dialog()).click();
  await toast('Old list').waitFor();
  await addPlaylist('taken', 'New list');
  await button('Undo', toast()).click();
  await page.locator('.toast.bad').waitFor();
  await page.getByRole('link', { name: 'Recently deleted' }).click();
  const row = page.getByRole('row').filter({ hasText: 'Old list' });
  await button('Restore', row).click();
  await row.locator('.notice.bad').waitFor();
  expect(await stateOf('/playlists/taken', 'name')).toBe('New list');
});

test('disabling a playlist asks when it is saved, and is undone without other changes', async () => {
  await addPlaylist('daily', 'Daily', ['user', 'User']);
  viewers = { user: 4 };
  await open('/playlists/daily');
  await page.getByLabel('Enabled').click();
  await page.getByLabel('Name').fill('Daily news');
  await button('Save').click();
  await dialog().getByText('User').waitFor();
  expect(await stateOf('/playlists/daily', 'status')).toBe('enabled');
  await dialog().getByRole('textbox').fill('Daily');
  await button('Disable playlist', dialog()).click();
  await toast('Daily').waitFor();
  expect(await stateOf('/playlists/daily', 'status')).toBe('disabled');
  await button('Undo', toast('Daily')).click();
  await expect.poll(() => stateOf('/playlists/daily', 'status')).toBe('enabled');
  expect(await stateOf('/playlists/daily', 'name')).toBe('Daily news');
  await expect.poll(() => page.getByLabel('Enabled').isChecked()).toBe(true);
});

test('while viewers are unknown, the dialog says so and has the name typed', async () => {
  await api('POST', '/channels', { id: 'dark', name: 'Dark', state: 'enabled' });
  viewers = undefined;
  await open('/channels/dark?tab=settings');
  await button('Delete channel').click();
  await dialog().locator('.notice.warn').waitFor();
  await dialog().getByRole('textbox').fill('Dark');
  await button('Delete channel', dialog()).click();
  await toast('Dark').waitFor();
});

test('a system is restored with its credentials; a revoked key is not restorable', async () => {
  const settings = { password: 'p' };
  const { id } = await api<{ id: string }>('POST', '/systems', { name: 'Search', type: 'ssai', settings });
  await api('POST', '/channels', { id: 'reporting', name: 'Reporting', systemId: id });
  await open('/systems');
  const card = page.locator('li.card').filter({ hasText: 'Search' });
  await button('Delete', card).click();
  await dialog().getByText('Reporting').waitFor();
  await button('Delete system', dialog()).click();
  await card.waitFor({ state: 'detached' });
  await button('Undo', toast('Search')).click();
  await card.waitFor();
  expect(await stateOf(`/systems/${id}`, 'settings')).toEqual(settings);

  await api('POST', '/keys', { name: 'Old robot' });
  await open('/keys');
  const row = page.getByRole('row').filter({ hasText: 'Old robot' });
  await button('Revoke', row).click();
  await button('Revoke key', dialog()).click();
  await row.waitFor({ state: 'detached' });
  await toast('Old robot').waitFor();
  expect(await button('Undo').count()).toBe(0);
});

test('a message stays while the pointer or the focus is on it, and then goes', async () => {
  await api('POST', '/channels', { id: 'timed', name: 'Timed', state: 'enabled' });
  await page.clock.install();
  await open('/channels/timed');
  await page.getByLabel('On air').click();
  await toast('Timed').waitFor();
  expect(await page.locator('[aria-live=polite]', { has: toast('Timed') }).count()).toBe(1);
  await toast('Timed').hover();
  await page.clock.runFor(120_000);
  expect(await toast('Timed').isVisible()).toBe(true);
  await button('Undo', toast('Timed')).focus();
  await page.mouse.move(10, 10);
  await page.clock.runFor(120_000);
  expect(await toast('Timed').isVisible()).toBe(true);
  await page.getByLabel('On air').focus();
  await page.clock.runFor(10_000);
  expect(await toast('Timed').isVisible()).toBe(true);
  await page.clock.runFor(30_000);
  await toast('Timed').waitFor({ state: 'detached' });
});

test('edits of a playlist are undone and redone with keys and buttons', async () => {
  await api('POST', '/playlists', { id: 'edited', name: 'First', contents: [] });
  await open('/playlists/edited');
  const name = page.getByLabel('Name');
  await name.fill('');
  await name.pressSequentially('Second');
  await button('Add item').click();
  await page.getByLabel('URL').fill('https://media.example.com/a.m3u8');
  const names = () => page.locator('li.item').count();
  await page.keyboard.press('Control+z');
  expect([await names(), await page.getByLabel('URL').inputValue()]).toEqual([1, '']);
  await page.keyboard.press('Control+z');
  await expect.poll(names).toBe(0);
  await page.keyboard.press('Control+z');
  await expect.poll(() => name.inputValue()).toBe('First');
  await expect.poll(() => button('Undo').isDisabled()).toBe(true);
  await page.keyboard.press('Control+Shift+z');
  await expect.poll(() => name.inputValue()).toBe('Second');
  await button('Redo').click();
  await button('Redo').click();
  await expect.poll(() => page.getByLabel('URL').inputValue()).toBe('https://media.example.com/a.m3u8');
  expect(await button('Redo').isDisabled()).toBe(true);
  await button('Undo').click();
  await expect.poll(() => page.getByLabel('URL').inputValue()).toBe('');
});
