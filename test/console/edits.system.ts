// SPDX-License-Identifier: Apache-2.0
// Edits in the console: nothing that was typed is lost or misread, whatever other operators, slow networks and the buttons
// of the browser do. Nothing is on air.
import type { Locator, Route } from 'playwright-core';
import { expect, test } from 'vitest';
import type { TracedBreak } from '../../src/http/contract/airContract.ts';
import { offAir } from '../servers/adminServer.ts';
import { conflictNotice, errorNotice, fieldError, unsavedChange } from './locators.ts';
import { sessionId, traceOf } from './sessionTrace.ts';
import { fileConsole, holdRequests, page, saveChanges, startConsole } from './startConsole.ts';

const breaks: TracedBreak[] = [];
const { api, open } = await fileConsole(
  startConsole({ onAir: { ...offAir, sessionTrace: async () => traceOf({ breaks }) } }),
);

let count = 0;
const item = (name: string, ...cuePoints: object[]) => ({
  sourceType: 'url',
  url: `http://127.0.0.1:9/${name}/master.m3u8`,
  duration: 60,
  cuePoints,
});
/** @returns its id */
async function makePlaylist(...contents: object[]): Promise<string> {
  count += 1;
  const fields = { id: `list-${count}`, name: 'Evening', type: 'vod2live', status: 'enabled', contents };
  return (await api<{ id: string }>('POST', '/playlists', fields)).id;
}
const textOf = (field: Locator) => expect.poll(() => field.inputValue());
const name = () => page.getByLabel('Name');
const save = () => page.getByRole('button', { name: 'Save' });

test('accepts numbers with a dot or a comma, and keeps invalid ones', async () => {
  const id = await makePlaylist(item('a', { spliceTime: 4, maxDuration: 10 }));
  await open(`/playlists/${id}`);
  const typeInto = async (label: string, text: string) => {
    const field = page.getByRole('textbox', { name: label, exact: true });
    await field.fill('');
    await field.pressSequentially(text);
    await textOf(field).toBe(text);
  };
  await typeInto('Position (s)', '12.05');
  await typeInto('Duration (s)', '0,5');
  await page.getByText('Fallback duration').click();
  await typeInto('Seconds', '60.25');
  await saveChanges();
  const { contents } = await api<{ contents: object[] }>('GET', `/playlists/${id}`);
  expect(contents).toMatchObject([{ duration: 60.25, cuePoints: [{ spliceTime: 12.05, maxDuration: 0.5 }] }]);
  await page.getByLabel('Position (s)').fill('soon');
  await save().click();
  await fieldError(page, 'Position (s)').waitFor();
  await textOf(page.getByLabel('Position (s)')).toBe('soon');
});

test('keeps what is typed while a save is under way, and saves it next', async () => {
  const id = await makePlaylist(item('a'));
  await open(`/playlists/${id}`);
  const puts = await holdRequests(page, 'PUT');
  await name().fill('Night');
  await save().click();
  await expect.poll(puts.count).toBe(1);
  await name().fill('Night and day');
  await puts.release();
  await unsavedChange(page, 'Night and day', /Night(?! and day)/).waitFor();
  await textOf(name()).toBe('Night and day');
  await saveChanges();
  expect(await api('GET', `/playlists/${id}`)).toMatchObject({ name: 'Night and day', __v: 2 });
});

test('saving again after a lost response reports no conflict', async () => {
  const id = await makePlaylist(item('a'));
  await open(`/playlists/${id}`);
  const isPut = (route: Route) => route.request().method() === 'PUT';
  await page.route('**/api/v2/playlists/**', async (route) => {
    if (!isPut(route)) return route.continue();
    await route.fetch();
    await route.abort();
  });
  await name().fill('Night');
  await save().click();
  await errorNotice(page).waitFor();
  await page.unroute('**/api/v2/playlists/**');
  await saveChanges();
  expect(await api('GET', `/playlists/${id}`)).toMatchObject({ name: 'Night', __v: 1 });
});

test('asks before unsaved changes are lost', async () => {
  const id = await makePlaylist(item('a'));
  const prompts: string[] = [];
  let reply: 'accept' | 'dismiss' = 'dismiss';
  page.on('dialog', (dialog) => {
    prompts.push(dialog.message());
    void dialog[reply]();
  });
  await open('/playlists');
  await page.locator(`a[href$="/playlists/${id}"]`).click();
  await name().fill('Mine');
  await unsavedChange(page, 'Mine').waitFor();
  await page.getByRole('link', { name: 'Channels' }).click();
  await expect.poll(() => prompts.length).toBe(1);
  await page.evaluate('history.back()');
  await expect.poll(() => prompts.length).toBe(2);
  await page.getByRole('button', { name: 'Sign out' }).click();
  await expect.poll(() => prompts.length).toBe(3);
  expect(new URL(page.url()).hash).toBe(`#/playlists/${id}`);
  await textOf(name()).toBe('Mine');
  reply = 'accept';
  await page.evaluate('history.back()');
  await page.getByRole('heading', { level: 1, name: 'Playlists' }).waitFor();
  expect(prompts).toHaveLength(4);
  // Without unsaved changes there is no prompt.
  await page.locator(`a[href$="/playlists/${id}"]`).click();
  await textOf(name()).toBe('Evening');
  await page.getByRole('link', { name: 'Channels' }).click();
  await page.getByRole('heading', { level: 1, name: 'Channels' }).waitFor();
  expect(prompts).toHaveLength(4);
});

test('the on-air switch does not conflict with edited settings', async () => {
  await api('POST', '/channels', { id: 'one', name: 'One' });
  await open('/channels/one?tab=settings');
  await name().fill('First');
  await page.getByLabel('On air').check();
  await expect.poll(async () => (await api<{ state: string }>('GET', '/channels/one')).state).toBe('enabled');
  await textOf(name()).toBe('First');
  await saveChanges();
  // An empty key keeps the stored one and shows it again.
  await page
    .locator('details', { has: page.getByLabel('Channel key') })
    .locator('summary')
    .click();
  const { apiKey } = await api<{ apiKey: string }>('GET', '/channels/one');
  await page.getByLabel('Channel key').fill('');
  await save().click();
  await textOf(page.getByLabel('Channel key')).toBe(apiKey);
  await expect.poll(() => save().isDisabled()).toBe(true);
  // A change by someone else is still reported.
  await name().fill('Mine');
  await api('PATCH', '/channels/one', { name: 'Theirs' });
  await page.getByLabel('On air').uncheck();
  await save().click();
  await conflictNotice(page).waitFor();
  await page.getByRole('button', { name: 'Load latest version' }).click();
  await textOf(name()).toBe('Theirs');
});

test('drags an item with a finger', async () => {
  const id = await makePlaylist(item('a'), item('b'), item('c'));
  await open(`/playlists/${id}`);
  const items = page.locator('li.item');
  const middleOf = async (place: Locator) => {
    const { x, y, width, height } = (await place.boundingBox())!;
    return { x: x + width / 2, y: y + height / 2 };
  };
  const touchInput = await page.context().newCDPSession(page);
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...touchPoints: { x: number; y: number }[]) =>
    touchInput.send('Input.dispatchTouchEvent', { type, touchPoints });
  await items.nth(2).waitFor();
  const [from, to] = [await middleOf(items.nth(0).locator('.grip')), await middleOf(items.nth(1))];
  await touch('touchStart', from);
  await touch('touchMove', { x: from.x, y: (from.y + to.y) / 2 });
  await touch('touchMove', to);
  await page.locator('li.item[data-over=true]').waitFor();
  await touch('touchEnd');
  await expect.poll(() => items.getByRole('heading').allTextContents()).toEqual(['1. b', '2. a', '3. c']);
  expect(await page.locator('li.item[data-over=true]').count()).toBe(0);
});

test('a dialog restores the focus, and an open break stays open when a new one appears', async () => {
  const header = { id: '0-1', startsAt: '2026-03-01T20:01:00.000Z', duration: 10, status: 'empty' as const };
  const one = {
    ...header,
    reason: { code: 'NO_AD_SOURCE', text: 'The channel has no ad server.' },
    warnings: [],
    ads: [],
    slate: 10,
  };
  breaks.push(one as TracedBreak);
  await open('/keys');
  await page.getByRole('button', { name: 'Create key' }).click();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Create key');
  await page.evaluate(`location.hash = '/sessions/${sessionId}'`);
  await expect.poll(() => page.locator('details.break-card[open]').count()).toBe(1);
  breaks.push({ ...one, id: '0-2', startsAt: '2026-03-01T20:02:00.000Z' } as TracedBreak);
  await expect.poll(() => page.locator('details.break-card[open]').count()).toBe(2);
});

test('does not overwrite a system that someone else changed, and sends only the settings of its type', async () => {
  const body = { name: 'Search', type: 'ssai', settings: { searchDomain: 'https://search.example.com' } };
  const { id } = await api<{ id: string }>('POST', '/systems', body);
  await open('/systems');
  const card = page.locator('.systems > li', { hasText: 'Search' });
  await card.getByRole('button', { name: 'Edit' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Mine');
  await api('PATCH', `/systems/${id}`, { name: 'Search of theirs' });
  await save().click();
  await page.getByRole('dialog').locator('.notice.warn').waitFor();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('heading', { name: 'Search of theirs' }).waitFor();
  await card.getByRole('button', { name: 'Edit' }).click();
  await page.getByLabel('Type', { exact: true }).selectOption('Cloud media services');
  await page.getByLabel('Container', { exact: true }).fill('assets');
  await save().click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(await api('GET', `/systems/${id}`)).toMatchObject({
    name: 'Search of theirs',
    type: 'cloud-media-services',
    settings: { container: 'assets' },
  });
});

test('rotating a key needs a confirmation', async () => {
  await api('POST', '/keys', { name: 'Playout' });
  await open('/keys');
  const rows = page.locator('tbody tr');
  const row = rows.filter({ hasText: 'Playout' }).last();
  await row.getByRole('button', { name: 'Rotate' }).click();
  await page.getByRole('dialog').getByText('24').waitFor();
  await page.getByRole('button', { name: 'Cancel' }).click();
  expect(await api<object[]>('GET', '/keys')).toHaveLength(2);
  await row.getByRole('button', { name: 'Rotate' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Rotate' }).click();
  await page.getByRole('heading', { name: 'New key' }).waitFor();
  await page.getByRole('button', { name: 'Done' }).click();
  await expect.poll(() => rows.count()).toBe(3);
  await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Rotate');
});
