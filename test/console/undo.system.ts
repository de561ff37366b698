// SPDX-License-Identifier: Apache-2.0
// Undo and redo in the editors of channels and playlists, next to the undo of text fields.
import { expect, test } from 'vitest';
import type { ChannelResponse } from '../../src/http/contract/channelContract.ts';
import { button, fileConsole, page, saveChanges } from './startConsole.ts';

const desk = await fileConsole();

const field = (label: string) => page.getByLabel(label, { exact: true });
const press = (keys: string) => page.keyboard.press(keys);
const dirty = async () => !(await button('Save').isDisabled());
const stored = (id: string) => desk.api<ChannelResponse>('GET', `/channels/${id}`);

test('settings of a channel are undone and redone, and are clean when they are as they are stored', async () => {
  await desk.api('POST', '/channels', { id: 'one', name: 'First', state: 'disabled' });
  await desk.open('/channels/one?tab=settings');
  await field('Name').fill('Second');
  await field('Type').selectOption('vod');
  await button('Add host').click();
  await field('Host 1').fill('media.example.com');
  await button('Undo').click();
  await expect.poll(() => field('Host 1').inputValue()).toBe('');
  await button('Undo').click();
  await expect.poll(() => field('Host 1').count()).toBe(0);
  await press('Control+z');
  await expect.poll(() => field('Type').inputValue()).toBe('vod2live');
  await press('Control+z');
  await expect.poll(() => field('Name').inputValue()).toBe('First');
  await expect.poll(dirty).toBe(false);
  expect(await button('Undo').isDisabled()).toBe(true);
  await press('Control+Shift+z');
  await expect.poll(() => field('Name').inputValue()).toBe('Second');
  await expect.poll(dirty).toBe(true);
  await saveChanges();
  expect((await stored('one')).name).toBe('Second');
  // What was saved can be undone, which is an edit again.
  await button('Undo').click();
  await expect.poll(() => field('Name').inputValue()).toBe('First');
  await expect.poll(dirty).toBe(true);
  await button('Redo').click();
  await expect.poll(dirty).toBe(false);
});

test('origins of a live channel are undone; discarding is a step, too', async () => {
  await desk.api('POST', '/channels', {
    id: 'live',
    type: 'live',
    state: 'disabled',
    sourceManifestUrl: 'https://origin.example.com/a.m3u8',
    backupManifestUrls: ['https://origin.example.com/b.m3u8'],
  });
  await desk.open('/channels/live?tab=settings');
  await button('Remove backup origin 1')
    .or(button('Remove origin 1'))
    .or(page.getByRole('button', { name: /^Remove / }))
    .first()
    .click();
  await expect.poll(() => page.getByRole('button', { name: /^Remove / }).count()).toBe(0);
  await field('Origin URL').fill('https://origin.example.com/c.m3u8');
  await button('Discard changes').click();
  await expect.poll(() => field('Origin URL').inputValue()).toContain('/a.m3u8');
  await expect.poll(dirty).toBe(false);
  await button('Undo').click();
  await expect.poll(() => field('Origin URL').inputValue()).toContain('/c.m3u8');
  await button('Undo').click();
  await button('Undo').click();
  await expect.poll(() => page.getByRole('button', { name: /^Remove / }).count()).toBe(1);
  await expect.poll(dirty).toBe(false);
});

test('a text field undoes its own typing first, then the page its edits', async () => {
  await desk.api('POST', '/playlists', { id: 'list', name: 'List', status: 'disabled', contents: [] });
  await desk.open('/playlists/list');
  await page.getByLabel('Enabled').check();
  await field('Name').focus();
  await press('End');
  await page.keyboard.type(' of films');
  expect(await field('Name').inputValue()).toBe('List of films');
  await expect
    .poll(async () => {
      if ((await field('Name').inputValue()) !== 'List') await press('Control+z');
      return field('Name').inputValue();
    })
    .toBe('List');
  expect(await page.getByLabel('Enabled').isChecked()).toBe(true);
  await press('Control+z');
  await expect.poll(() => page.getByLabel('Enabled').isChecked()).toBe(false);
  await expect.poll(dirty).toBe(false);
  await press('Control+Shift+z');
  await expect.poll(() => page.getByLabel('Enabled').isChecked()).toBe(true);
  await press('Control+Shift+z');
  await expect.poll(() => field('Name').inputValue()).toBe('List of films');
  await press('Control+z');
  await expect.poll(() => field('Name').inputValue()).toBe('List');
});

test('the keys of a new channel do not reach it from a dialog', async () => {
  await desk.open('/channels/~new');
  await field('Name').fill('New');
  await field('Type').selectOption('live');
  await page.getByRole('button', { name: /Time zone/ }).click();
  await button('Done').focus();
  await press('Control+z');
  await press('Escape');
  expect(await field('Type').inputValue()).toBe('live');
  await press('Control+z');
  await expect.poll(() => field('Type').inputValue()).toBe('vod2live');
  await button('Undo').click();
  await expect.poll(() => field('Name').inputValue()).toBe('');
});
