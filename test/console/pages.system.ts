// SPDX-License-Identifier: Apache-2.0
// The pages of the console with unusual records and browsers. Nothing is on air.
import type { Request } from 'playwright-core';
import { expect, test } from 'vitest';
import { currentStep } from './locators.ts';
import { fileConsole, page, signIn } from './startConsole.ts';

const desk = await fileConsole();
const { api, open } = desk;
const item = (name: string) => ({ sourceType: 'url', url: `http://127.0.0.1:9/${name}/master.m3u8` });

test('an item that is moved with its buttons keeps the focus, up to both ends of the list', async () => {
  await api('POST', '/playlists', { id: 'list', contents: ['a', 'b', 'c'].map(item) });
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
  await page.locator('.visually-hidden[role=status]', { hasText: /1\b.*3/ }).waitFor({ state: 'attached' });
});

test('works in a browser without storage', async () => {
  for (const name of ['sessionStorage', 'localStorage'])
    await page.addInitScript(
      `Object.defineProperty(window, '${name}', { get() { throw new Error('storage is disabled'); } });`,
    );
  await page.goto(desk.url);
  await signIn(desk.key);
  await currentStep(page).waitFor();
  await page.getByRole('button', { name: 'Dark theme' }).click();
  await page.getByRole('button', { name: 'Light theme' }).waitFor();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByLabel('API key').waitFor();
});

test('opens pages for ids that contain special characters or look like routes', async () => {
  await open('/sessions/100%25%20sure');
  await page.getByRole('heading', { level: 1, name: 'Session 100%' }).waitFor();
  await api('POST', '/playlists', { id: 'new', name: 'What is new' });
  await page.evaluate("location.hash = '/playlists/new'");
  await page.getByRole('heading', { level: 1, name: 'What is new' }).waitFor();
});

test('a hidden page sends no requests', async () => {
  await page.clock.install();
  const requests: string[] = [];
  const pending = new Set<Request>();
  page.on('request', (request) => {
    if (!request.url().includes('/api/')) return;
    requests.push(request.url());
    pending.add(request);
  });
  for (const end of ['requestfinished', 'requestfailed'] as const)
    page.on(end as 'requestfinished', (request) => void pending.delete(request));
  await page.addInitScript(`
    Object.defineProperty(document, 'hidden', { get: () => window.isHidden === true });
    Object.defineProperty(document, 'visibilityState', { get: () => (window.isHidden ? 'hidden' : 'visible') });
  `);
  await api('POST', '/channels', { id: 'one', name: 'One' });
  await open('/channels');
  await page.locator('.channels > li').first().waitFor();
  await page.evaluate("location.hash = '/channels/one'");
  await page.getByRole('region', { name: 'Preview' }).waitFor();
  await page.evaluate('window.isHidden = true; document.dispatchEvent(new Event("visibilitychange"))');
  // Pending requests, and those that follow from them, finish first.
  await expect
    .poll(async () => {
      const before = requests.length;
      for (const _ of [1, 2, 3]) await page.evaluate('new Promise((done) => setTimeout(done))');
      return [requests.length - before, pending.size];
    })
    .toEqual([0, 0]);
  requests.length = 0;
  for (const path of ['/channels/one', '/channels']) {
    await page.evaluate(`location.hash = '${path}'`);
    await page.clock.runFor(180_000);
  }
  expect(requests).toEqual([]);
  await page.evaluate('window.isHidden = false; document.dispatchEvent(new Event("visibilitychange"))');
  await expect.poll(() => requests.length).toBeGreaterThan(0);
});

test('lists all channels beyond the first page', async () => {
  for (let index = 0; index < 104; index += 1) await api('POST', '/channels', { id: `many-${index}` });
  await open('/channels');
  await expect.poll(() => page.locator('.data-table tbody tr').count()).toBe(105);
  await page.evaluate("location.hash = '/channels/~new'");
  await page.getByRole('combobox', { name: 'Playlist' }).click();
  await page.locator('[role=option]').first().waitFor();
});

test('long names do not make a page wider than a phone', async () => {
  const longName = 'ALongNameWithoutAnySpace'.repeat(8);
  const id = longName.slice(0, 128);
  await api('POST', '/playlists', { id, name: longName, contents: [item(`${longName}/${longName}`)] });
  await api('POST', '/channels', { id, name: longName, playlistId: id });
  await api('POST', '/systems', {
    name: longName,
    type: 'ssai',
    settings: { searchDomain: `https://${longName}.example.com` },
  });
  await api('POST', '/keys', { name: longName, email: `${longName}@example.com` });
  await page.setViewportSize({ width: 390, height: 800 });
  for (const path of [
    '/channels',
    `/channels/${id}`,
    '/playlists',
    `/playlists/${id}`,
    '/systems',
    '/keys',
    `/sessions/${id}`,
  ]) {
    await open(path);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await expect.poll(() => page.locator('main .loading').count()).toBe(0);
    expect([path, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([path, 390]);
  }
});
