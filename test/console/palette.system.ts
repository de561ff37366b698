// SPDX-License-Identifier: Apache-2.0
// The command palette, the shortcuts, and filters in the address.
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { pick } from './locators.ts';
import { expectAccessible, fileConsole, hash, page } from './startConsole.ts';

const desk = await fileConsole();
beforeAll(async () => {
  await desk.api('POST', '/playlists', { id: 'evening', name: 'Evening' });
  await desk.api('POST', '/channels', { id: 'a-b', name: 'News', state: 'enabled', playlistId: 'evening' });
});
beforeEach(async () => {
  await desk.open('/reports');
});
const pressAfterG = async (key: string) => {
  await page.keyboard.press('g');
  await page.keyboard.press(key);
};
const box = () => page.getByRole('combobox', { name: /^Search/ });

test('opens records by name with the keyboard alone, and nothing of it is loaded before', async () => {
  const scripts: string[] = [];
  page.on('request', (request) => void scripts.push(request.url()));
  await page.keyboard.press('Control+k');
  await box().waitFor();
  expect(scripts.some((url) => url.includes('assets/later-'))).toBe(true);
  await box().fill('news sett');
  await page.getByRole('option', { name: /News: settings/ }).waitFor();
  await page.keyboard.press('Enter');
  await expect.poll(hash).toBe('#/channels/a-b?tab=settings');
  expect(await page.getByRole('combobox', { name: /^Search/ }).count()).toBe(0);
});

test('arrow keys choose an option, which the combobox names; Escape closes', async () => {
  await page.getByRole('button', { name: /Search/ }).click();
  await page.locator('.palette').getByRole('option').first().waitFor();
  await page.keyboard.press('ArrowDown');
  const active = await box().getAttribute('aria-activedescendant');
  expect(await page.locator(`[id="${active}"]`).getAttribute('aria-selected')).toBe('true');
  expect(await page.locator('.palette').getByRole('option', { selected: true }).textContent()).toContain('Channels');
  await expectAccessible();
  await page.keyboard.press('Escape');
  await expect.poll(() => page.locator('dialog').count()).toBe(0);
  expect(await hash()).toBe('#/reports');
});

test('a session is opened by its id, and a break dialog by its action', async () => {
  const id = '0123abcd-0000-4000-8000-00000000000f';
  await page.keyboard.press('Control+k');
  await box().fill(`https://live.example.com/hls/session/${id}/master.m3u8`);
  await page.keyboard.press('Enter');
  await expect.poll(hash).toBe(`#/sessions/${id}`);
  await page.keyboard.press('Control+k');
  await box().fill('insert news');
  await page.getByRole('option', { name: /Insert break/ }).click();
  await expect.poll(hash).toBe('#/channels/a-b?insert=ads');
  await page.getByRole('dialog').waitFor();
  await page.keyboard.press('Escape');
  await expect.poll(hash).toBe('#/channels/a-b');
});

test('keys open pages and the list of shortcuts, but not while typing', async () => {
  await pressAfterG('p');
  await expect.poll(hash).toBe('#/playlists');
  await page.keyboard.press('?');
  await page.getByRole('heading', { name: 'Keyboard shortcuts' }).waitFor();
  await expectAccessible();
  await page.keyboard.press('Escape');
  await desk.open('/playlists/evening');
  await page.getByLabel('Name').fill('');
  await page.getByLabel('Name').pressSequentially('gp?');
  expect([await hash(), await page.locator('dialog').count()]).toEqual(['#/playlists/evening', 0]);
});

test('the filters of reports are in the address and survive a reload; other reports keep them', async () => {
  await page.getByLabel('Range').selectOption('day');
  await page.getByLabel('Interval').selectOption('3600000');
  await pick(page.getByRole('combobox', { name: 'Channel' }), 'a-b');
  await page.getByText('Compare with previous day').click();
  await expect.poll(hash).toBe('#/reports?range=day&interval=3600000&channel=a-b&compare=day');
  await page.reload();
  await expect.poll(() => page.getByLabel('Range').inputValue()).toBe('day');
  expect(await page.getByLabel('Compare with previous day').isChecked()).toBe(true);
  await page.getByRole('link', { name: 'Skips' }).click();
  await expect.poll(hash).toContain('range=day');
  await page.getByText('No ad was skipped.').waitFor();
  await expectAccessible();
});

test('keys open the newer pages and the parts of a channel; on other pages, the palette lists these parts', async () => {
  /** Repeated, since the second key must follow within 1.5 s, which a busy machine may exceed. */
  const go = (key: string, path: string) =>
    expect
      .poll(async () => {
        if ((await hash()) !== `#${path}`) await pressAfterG(key);
        return hash();
      })
      .toBe(`#${path}`);
  for (const [key, path] of Object.entries({
    a: '/alerts',
    u: '/audit',
    d: '/deleted',
    v: '/creatives',
    y: '/systems',
  })) {
    await go(key, path);
  }
  const schedule = page.getByRole('option', { name: /News: schedule/ });
  await expect
    .poll(async () => {
      if ((await page.locator('dialog').count()) === 0) await pressAfterG('h');
      return schedule.count();
    })
    .toBe(1);
  await schedule.click();
  await expect.poll(hash).toBe('#/channels/a-b?tab=schedule');
  // The schedule has a key T of its own.
  await page.getByLabel('Schedule', { exact: true }).waitFor();
  await go('t', '/channels/a-b?tab=try');
  await go('e', '/channels/a-b?tab=settings');
  await go('h', '/channels/a-b?tab=schedule');
});

test('no key works while a dialog is open or something is typed', async () => {
  await page.getByRole('button', { name: /Time zone/ }).click();
  await page.getByRole('button', { name: 'Done' }).waitFor();
  await page.evaluate('document.activeElement.blur()');
  for (const key of ['g', 'p', '?', 'Control+k']) await page.keyboard.press(key);
  expect([await hash(), await page.locator('dialog').count()]).toEqual(['#/reports', 1]);
  await page.keyboard.press('Escape');
  await page.keyboard.press('?');
  const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await help.waitFor();
  for (const name of ['Alerts', 'Audit', 'Recently deleted', 'Schedule', 'Try ads'])
    expect(await help.locator('dd', { hasText: name }).count()).toBe(1);
  await pressAfterG('p');
  expect(await hash()).toBe('#/reports');
});
