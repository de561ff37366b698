// SPDX-License-Identifier: Apache-2.0
// Pages show the names of records, and their ids next to them or in a tooltip.
import { beforeAll, expect, test } from 'vitest';
import { pick } from './locators.ts';
import { fileConsole, page } from './startConsole.ts';

let readKey: string;
const desk = await fileConsole();
const { api } = desk;
beforeAll(async () => {
  for (const [id, name] of [
    ['pl-1', 'Morning loop'],
    ['pl-2', 'Evening loop'],
  ])
    await api('POST', '/playlists', { id, name });
  await api('POST', '/channels', { id: 'ch-1', name: 'News 24', state: 'disabled', playlistId: 'pl-1' });
  await api('PATCH', '/channels/ch-1', { playlistId: 'pl-2' });
  readKey = (await api<{ key: string }>('POST', '/keys', { name: 'Reader', scope: 'read', channels: ['ch-1'] })).key;
  const { id: webhook } = await api<{ id: string }>('POST', '/webhooks', {
    url: 'https://pager.example.com/hook',
    description: 'Night desk',
  });
  await api('POST', '/alert-rules', {
    name: 'Low fill',
    kind: 'fill',
    belowPercent: 80,
    forMinutes: 5,
    channels: ['ch-1'],
    webhooks: [webhook],
  });
});
const main = () => page.locator('main').textContent();

test('keys and the account name their channels; a new key is for channels that are selected by name', async () => {
  await desk.open('/keys');
  const row = page.locator('tr', { hasText: 'Reader' });
  await row.getByText('News 24').waitFor();
  expect(await row.textContent()).not.toContain('ch-1');
  await page.getByRole('button', { name: 'Create key' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Playout');
  await pick(page.getByRole('dialog').getByRole('combobox', { name: 'Channels' }), 'News 24');
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await page.getByRole('heading', { name: 'New key' }).waitFor();
  expect(await desk.api('GET', '/keys')).toContainEqual(
    expect.objectContaining({ name: 'Playout', channels: ['ch-1'] }),
  );
  await desk.open('/channels', page, readKey);
  await page.locator('.account', { hasText: 'Channels: News 24' }).waitFor();
});

test('rules name their channels and webhooks', async () => {
  await desk.open('/alerts/rules');
  await expect.poll(main).toMatch(/News 24.*Night desk/);
  expect(await main()).not.toMatch(/ch-1|wh_|whk_/);
});

test('the audit log names records, also those that other records refer to', async () => {
  await desk.open('/audit?kind=channel&id=ch-1');
  await expect.poll(() => page.getByLabel('Record').inputValue()).toBe('News 24');
  await page.locator('tbody button').first().click();
  const details = page.locator('.audit-details');
  await expect.poll(() => details.textContent()).toContain('Morning loop');
  for (const part of ['Evening loop', 'News 24', 'pl-1', 'pl-2', 'ch-1'])
    expect(await details.textContent()).toContain(part);
});

test('the audit log names webhooks by their description', async () => {
  await desk.open('/audit?kind=webhook');
  await page.getByRole('cell', { name: 'Created webhook Night desk', exact: true }).waitFor();
});

test('filters of a link name a channel', async () => {
  for (const path of ['/sessions?channel=ch-1', '/reports?channel=ch-1']) {
    await desk.open(path);
    const field = page.locator('main').getByRole('combobox', { name: 'Channel', exact: true });
    await expect.poll(() => field.inputValue()).toBe('News 24');
  }
});
