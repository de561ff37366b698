// The pages of the console whatever is there to be shown, and whatever they are shown with. Without anything on air.
import type { Page, Request } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { nextStep } from './said.ts';
import { type ConsoleTest, startConsole } from './startConsole.ts';

let desk: ConsoleTest;
let page: Page;
beforeAll(async () => {
  desk = await startConsole({});
});
afterAll(() => desk?.close());
beforeEach(async () => {
  page = await desk.newPage();
});
afterEach(() => page.close());
const open = (path: string) => desk.open(page, path);
const api: ConsoleTest['api'] = (method, path, body) => desk.api(method, path, body);
const film = (name: string) => ({ sourceType: 'url', url: `http://127.0.0.1:9/${name}/master.m3u8` });

test('an item that is moved with its buttons keeps the focus, up to either end', async () => {
  await api('POST', '/playlists', { id: 'list', contents: ['a', 'b', 'c'].map(film) });
  await open('/playlists/list');
  const order = () => page.locator('li.item h3').allTextContents();
  await page.getByRole('button', { name: 'Move a down' }).focus();
  const focus = () => page.evaluate('document.activeElement.getAttribute("aria-label")');
  for (const [expected, focused] of [
    ['1. b,2. a,3. c', 'Move a down'],
    ['1. b,2. c,3. a', 'Move a up'],
    ['1. b,2. a,3. c', 'Move a up'],
    ['1. a,2. b,3. c', 'Move a down'],
  ]) {
    await page.keyboard.press('Enter');
    await expect.poll(async () => [(await order()).join(), await focus()]).toEqual([expected, focused]);
  }
  await page.locator('.unseen[role=status]', { hasText: /1\b.*3/ }).waitFor({ state: 'attached' });
});

test('a browser that keeps nothing still shows it', async () => {
  for (const name of ['sessionStorage', 'localStorage'])
    await page.addInitScript(`Object.defineProperty(window, '${name}', { get() { throw new Error('kept out'); } });`);
  await page.goto(desk.url);
  await page.getByLabel('API key').fill(desk.key);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await nextStep(page).waitFor();
  await page.getByRole('button', { name: 'Dark colours' }).click();
  await page.getByRole('button', { name: 'Light colours' }).waitFor();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByLabel('API key').waitFor();
});

test('whatever is looked for and however things are called, there is a page', async () => {
  await open('/sessions');
  await page.getByLabel('Find a session').fill('100% sure');
  await page.getByRole('button', { name: 'Find' }).click();
  await page.getByRole('heading', { level: 1, name: 'Session 100%' }).waitFor();
  await api('POST', '/playlists', { id: 'new', name: 'What is new' });
  await page.evaluate("location.hash = '/playlists/new'");
  await page.getByRole('heading', { level: 1, name: 'What is new' }).waitFor();
});

test('a page that nobody looks at asks nothing', async () => {
  await page.clock.install();
  const asked: string[] = [];
  const underWay = new Set<Request>();
  page.on('request', (request) => {
    if (!request.url().includes('/api/')) return;
    asked.push(request.url());
    underWay.add(request);
  });
  for (const end of ['requestfinished', 'requestfailed'] as const)
    page.on(end as 'requestfinished', (request) => void underWay.delete(request));
  await page.addInitScript('Object.defineProperty(document, "hidden", { get: () => window.isAway === true });');
  await api('POST', '/channels', { id: 'one', name: 'One' });
  await open('/');
  await page.locator('.channels > li').first().waitFor();
  await page.evaluate("location.hash = '/channels/one'");
  await page.getByRole('region', { name: 'Preview' }).waitFor();
  await page.evaluate('window.isAway = true');
  // What is under way comes to its end first, and what follows from it.
  await expect
    .poll(async () => {
      const before = asked.length;
      for (const _ of [1, 2, 3]) await page.evaluate('new Promise((done) => setTimeout(done))');
      return [asked.length - before, underWay.size];
    })
    .toEqual([0, 0]);
  asked.length = 0;
  for (const path of ['/channels/one', '/']) {
    await page.evaluate(`location.hash = '${path}'`);
    await page.clock.runFor(180_000);
  }
  expect(asked).toEqual([]);
  await page.evaluate('window.isAway = false; document.dispatchEvent(new Event("visibilitychange"))');
  await expect.poll(() => asked.length).toBeGreaterThan(0);
});

test('no channel is left out, however many there are', async () => {
  for (let index = 0; index < 104; index += 1) await api('POST', '/channels', { id: `many-${index}` });
  await open('/');
  await expect.poll(() => page.locator('.channels > li').count()).toBe(105);
  await page.evaluate("location.hash = '/channels/~new'");
  await expect.poll(() => page.getByLabel('Playlist').locator('option').count()).toBeGreaterThan(1);
});

test('nothing is wider than a phone, whatever it is called', async () => {
  const called = 'ALongNameWithoutAnyBlank'.repeat(8);
  const id = called.slice(0, 128);
  await api('POST', '/playlists', { id, name: called, contents: [film(`${called}/${called}`)] });
  await api('POST', '/channels', { id, name: called, playlistId: id });
  await api('POST', '/systems', {
    name: called,
    type: 'ssai',
    settings: { searchDomain: `https://${called}.example.com` },
  });
  await api('POST', '/keys', { name: called, email: `${called}@example.com` });
  await page.setViewportSize({ width: 390, height: 800 });
  for (const path of [
    '/',
    `/channels/${id}`,
    '/playlists',
    `/playlists/${id}`,
    '/systems',
    '/keys',
    `/sessions/${id}`,
  ]) {
    await open(path);
    await page.waitForLoadState('networkidle');
    expect([path, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([path, 390]);
  }
});
