// What an operator has typed is theirs: the console neither loses it nor takes it for something else, and says what it does
// when two hands, a slow network or a browser's button come in between. Without anything on air.
import type { Locator, Page, Route } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { SessionTrace, TracedBreak } from '../../src/http/airContract.ts';
import { offAir } from '../servers/adminServer.ts';
import { change, changedByOthers, failed, saved, wrong } from './said.ts';
import { type ConsoleTest, holdRequests, startConsole } from './startConsole.ts';

const sessionId = '0b7e2c1a-5d1f-4c86-9a3e-2f1f5f0a9c11';
const breaks: TracedBreak[] = [];
const sessionTrace = async (): Promise<SessionTrace> => ({
  ...{ id: sessionId, channel: 'one', format: 'hls', openedAt: '2026-03-01T20:00:00.000Z', parameters: {}, breaks },
});

let desk: ConsoleTest;
let page: Page;
beforeAll(async () => {
  desk = await startConsole({ onAir: { ...offAir, sessionTrace } });
});
afterAll(() => desk?.close());
beforeEach(async () => {
  page = await desk.newPage();
});
afterEach(() => page.close());
const open = (path: string) => desk.open(page, path);
const api: ConsoleTest['api'] = (method, path, body) => desk.api(method, path, body);

let count = 0;
const film = (name: string, ...cuePoints: object[]) => ({
  ...{ sourceType: 'url', url: `http://127.0.0.1:9/${name}/master.m3u8`, duration: 60, cuePoints },
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

test('numbers are typed as people type them', async () => {
  const id = await makePlaylist(film('a', { spliceTime: 4, maxDuration: 10 }));
  await open(`/playlists/${id}`);
  const typeInto = async (label: string, text: string) => {
    const field = page.getByRole('textbox', { name: label, exact: true });
    await field.fill('');
    await field.pressSequentially(text);
    await textOf(field).toBe(text);
  };
  await typeInto('At second', '12.05');
  await typeInto('Seconds long', '0,5');
  await page.getByText('Stated length').click();
  await typeInto('Seconds', '60.25');
  await save().click();
  await saved(page).waitFor();
  const { contents } = await api<{ contents: object[] }>('GET', `/playlists/${id}`);
  expect(contents).toMatchObject([{ duration: 60.25, cuePoints: [{ spliceTime: 12.05, maxDuration: 0.5 }] }]);
  await page.getByLabel('At second').fill('soon');
  await save().click();
  await wrong(page, 'At second').waitFor();
  await textOf(page.getByLabel('At second')).toBe('soon');
});

test('what is typed while it is being saved stays, and can be saved', async () => {
  const id = await makePlaylist(film('a'));
  await open(`/playlists/${id}`);
  const puts = await holdRequests(page, 'PUT');
  await name().fill('Night');
  await save().click();
  await expect.poll(puts.count).toBe(1);
  await name().fill('Night and day');
  await puts.letGo();
  await change(page, 'Night and day', /Night(?! and day)/).waitFor();
  await textOf(name()).toBe('Night and day');
  await save().click();
  await saved(page).waitFor();
  expect(await api('GET', `/playlists/${id}`)).toMatchObject({ name: 'Night and day', __v: 2 });
});

test('whose answer was lost saves again, and is told of nobody else', async () => {
  const id = await makePlaylist(film('a'));
  await open(`/playlists/${id}`);
  const isPut = (route: Route) => route.request().method() === 'PUT';
  await page.route('**/api/v2/playlists/**', async (route) => {
    if (!isPut(route)) return route.continue();
    await route.fetch();
    await route.abort();
  });
  await name().fill('Night');
  await save().click();
  await failed(page).waitFor();
  await page.unroute('**/api/v2/playlists/**');
  await save().click();
  await saved(page).waitFor();
  expect(await api('GET', `/playlists/${id}`)).toMatchObject({ name: 'Night', __v: 1 });
});

test('nobody is led away from what is not saved without being asked', async () => {
  const id = await makePlaylist(film('a'));
  const asked: string[] = [];
  let answer: 'accept' | 'dismiss' = 'dismiss';
  page.on('dialog', (dialog) => {
    asked.push(dialog.message());
    void dialog[answer]();
  });
  await open('/playlists');
  await page.locator(`a[href$="/playlists/${id}"]`).click();
  await name().fill('Mine');
  await change(page, 'Mine').waitFor();
  await page.getByRole('link', { name: 'Channels' }).click();
  await expect.poll(() => asked.length).toBe(1);
  await page.evaluate('history.back()');
  await expect.poll(() => asked.length).toBe(2);
  await page.getByRole('button', { name: 'Sign out' }).click();
  await expect.poll(() => asked.length).toBe(3);
  expect(new URL(page.url()).hash).toBe(`#/playlists/${id}`);
  await textOf(name()).toBe('Mine');
  answer = 'accept';
  await page.evaluate('history.back()');
  await page.getByRole('heading', { level: 1, name: 'Playlists' }).waitFor();
  expect(asked).toHaveLength(4);
  // What is saved is nobody's loss.
  await page.locator(`a[href$="/playlists/${id}"]`).click();
  await textOf(name()).toBe('Evening');
  await page.getByRole('link', { name: 'Channels' }).click();
  await page.getByRole('heading', { level: 1, name: 'Channels' }).waitFor();
  expect(asked).toHaveLength(4);
});

test('a channel is put on air beside its settings, and these are saved all the same', async () => {
  await api('POST', '/channels', { id: 'one', name: 'One' });
  await open('/channels/one?tab=settings');
  await name().fill('First');
  await page.getByLabel('On air').check();
  await expect.poll(async () => (await api<{ state: string }>('GET', '/channels/one')).state).toBe('enabled');
  await textOf(name()).toBe('First');
  await save().click();
  await saved(page).waitFor();
  // A key that is emptied stays, and is shown.
  await page
    .locator('details', { has: page.getByLabel('Channel key') })
    .locator('summary')
    .click();
  const { apiKey } = await api<{ apiKey: string }>('GET', '/channels/one');
  await page.getByLabel('Channel key').fill('');
  await save().click();
  await textOf(page.getByLabel('Channel key')).toBe(apiKey);
  await expect.poll(() => save().isDisabled()).toBe(true);
  // Somebody else is still told of.
  await name().fill('Mine');
  await api('PATCH', '/channels/one', { name: 'Theirs' });
  await page.getByLabel('On air').uncheck();
  await save().click();
  await changedByOthers(page).waitFor();
  await page.getByRole('button', { name: 'Show their version' }).click();
  await textOf(name()).toBe('Theirs');
});

test('an item is dragged with a finger', async () => {
  const id = await makePlaylist(film('a'), film('b'), film('c'));
  await open(`/playlists/${id}`);
  const items = page.locator('li.item');
  const middle = async (place: Locator) => {
    const { x, y, width, height } = (await place.boundingBox())!;
    return { x: x + width / 2, y: y + height / 2 };
  };
  const finger = await page.context().newCDPSession(page);
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...touchPoints: { x: number; y: number }[]) =>
    finger.send('Input.dispatchTouchEvent', { type, touchPoints });
  await items.nth(2).waitFor();
  const [from, to] = [await middle(items.nth(0).locator('.grip')), await middle(items.nth(1))];
  await touch('touchStart', from);
  await touch('touchMove', { x: from.x, y: (from.y + to.y) / 2 });
  await touch('touchMove', to);
  await page.locator('li.item[data-over=true]').waitFor();
  await touch('touchEnd');
  await expect.poll(() => items.getByRole('heading').allTextContents()).toEqual(['1. b', '2. a', '3. c']);
  expect(await page.locator('li.item[data-over=true]').count()).toBe(0);
});

test('a dialog gives the focus back, and a break that is read stays open when another comes', async () => {
  const open1 = { id: '0-1', startsAt: '2026-03-01T20:01:00.000Z', duration: 10, status: 'empty' as const };
  const one = {
    ...open1,
    reason: { code: 'NO_AD_SOURCE', text: 'The channel has no ad server.' },
    warnings: [],
    ads: [],
    slate: 10,
  };
  breaks.push(one as TracedBreak);
  await open('/keys');
  await page.getByRole('button', { name: 'Create a key' }).click();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Create a key');
  await page.evaluate(`location.hash = '/sessions/${sessionId}'`);
  await expect.poll(() => page.locator('details.break-card[open]').count()).toBe(1);
  breaks.push({ ...one, id: '0-2', startsAt: '2026-03-01T20:02:00.000Z' } as TracedBreak);
  await expect.poll(() => page.locator('details.break-card[open]').count()).toBe(2);
});

test('a system that somebody else changed is not overwritten, and another type is asked for its own settings only', async () => {
  const made = { name: 'Search', type: 'ssai', settings: { searchDomain: 'https://search.example.com' } };
  const { id } = await api<{ id: string }>('POST', '/systems', made);
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
  await page.getByLabel('container', { exact: true }).fill('films');
  await save().click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(await api('GET', `/systems/${id}`)).toMatchObject({
    ...{ name: 'Search of theirs', type: 'cloud-media-services', settings: { container: 'films' } },
  });
});

test('a key is replaced by nobody by accident', async () => {
  await api('POST', '/keys', { name: 'Playout' });
  await open('/keys');
  const rows = page.locator('tbody tr');
  const row = rows.filter({ hasText: 'Playout' }).last();
  await row.getByRole('button', { name: 'Replace' }).click();
  await page.getByRole('dialog').getByText('24').waitFor();
  await page.getByRole('button', { name: 'Keep' }).click();
  expect(await api<object[]>('GET', '/keys')).toHaveLength(2);
  await row.getByRole('button', { name: 'Replace' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Replace' }).click();
  await page.getByRole('heading', { name: 'Your new key' }).waitFor();
  await page.getByRole('button', { name: 'I have it' }).click();
  await expect.poll(() => rows.count()).toBe(3);
  await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Replace');
});
