// SPDX-License-Identifier: Apache-2.0
// Reasons of disabled buttons and other hints: with the keyboard, a pointer, a finger and a screen reader.
import { beforeAll, expect, test } from 'vitest';
import { descriptionOf } from './locators.ts';
import { expectAccessible, fileConsole, page } from './startConsole.ts';

let readKey: string;
const desk = await fileConsole();
beforeAll(async () => {
  await desk.api('POST', '/playlists', { id: 'evening', name: 'Evening' });
  await desk.api('POST', '/channels', { id: 'one', name: 'One', state: 'disabled', playlistId: 'evening' });
  readKey = (await desk.api<{ key: string }>('POST', '/keys', { name: 'Reader', scope: 'read', channels: ['one'] }))
    .key;
});

const openAsReader = (path: string) => desk.open(path, page, readKey);
const open = () => page.locator('.hint-tip:popover-open');

test('a button without its right has the focus, states the reason, and does nothing', async () => {
  await openAsReader('/channels/one?tab=settings');
  const requests: string[] = [];
  page.on('request', (request) => request.method() !== 'GET' && requests.push(request.url()));
  const remove = page.getByRole('button', { name: 'Delete channel' });
  expect([await remove.getAttribute('aria-disabled'), await remove.getAttribute('title')]).toEqual(['true', null]);
  expect(await descriptionOf(remove)).toContain('manage');
  await remove.focus();
  await expect.poll(() => open().textContent()).toContain('manage');
  await expectAccessible();
  for (const key of ['Enter', ' ']) await page.keyboard.press(key);
  await page.keyboard.press('Escape');
  await expect.poll(() => open().count()).toBe(0);
  await page.getByLabel('Name', { exact: true }).fill('Two');
  await page.keyboard.press('Enter');
  expect([requests, await page.locator('dialog').count()]).toEqual([[], 0]);
  const toggle = page.getByLabel('On air');
  await toggle.focus();
  await page.keyboard.press(' ');
  await expect.poll(() => open().textContent()).toContain('operate');
  expect([await toggle.isChecked(), requests]).toEqual([false, []]);
});

test('a tap shows the reason, and a tap elsewhere hides it', async () => {
  await openAsReader('/channels/one?tab=settings');
  const save = (await page.getByRole('button', { name: 'Save' }).boundingBox())!;
  await page.touchscreen.tap(save.x + save.width / 2, save.y + save.height / 2);
  await expect.poll(() => open().count()).toBe(1);
  await page.getByRole('heading', { level: 1 }).tap();
  await expect.poll(() => open().count()).toBe(0);
});

test('a pointer shows a hint, and can move onto it; pages that cannot be read state why', async () => {
  await openAsReader('/channels');
  const alerts = page.locator('nav').getByRole('button', { name: 'Alerts' });
  await alerts.hover();
  await expect.poll(() => open().textContent()).toContain('restricted');
  const tip = (await open().boundingBox())!;
  await page.mouse.move(tip.x + tip.width / 2, tip.y + tip.height / 2);
  expect(await open().count()).toBe(1);
  await page.getByRole('heading', { level: 1 }).hover();
  await expect.poll(() => open().count()).toBe(0);
  await alerts.focus();
  await expect.poll(() => open().count()).toBe(1);
  // The same hint, again: it stays.
  await expect
    .poll(() =>
      page.evaluate(
        "new Promise((done) => requestAnimationFrame(() => done(document.querySelectorAll('.hint-tip:popover-open').length)))",
      ),
    )
    .toBe(1);
  await alerts.click({ force: true });
  expect(await page.evaluate('location.hash')).toBe('#/channels');
});

test('Escape closes a hint, and not the dialog around it; an enabled button has no hint', async () => {
  await desk.open('/channels/one?tab=settings');
  const save = page.getByRole('button', { name: 'Save' });
  await save.focus();
  await expect.poll(() => open().count()).toBe(1);
  await page.getByLabel('Name', { exact: true }).fill('Two');
  expect([await save.isDisabled(), await descriptionOf(save)]).toEqual([false, null]);
  await desk.open('/playlists/evening');
  await page.getByRole('button', { name: 'Paste URLs…' }).click();
  const add = page.getByRole('dialog').getByRole('button', { name: /^Add/ });
  await add.focus();
  await expect.poll(() => open().count()).toBe(1);
  await page.keyboard.press('Escape');
  await expect.poll(() => open().count()).toBe(0);
  expect(await page.locator('dialog').count()).toBe(1);
});

test('hints of settings, also of lists, and of columns are descriptions', async () => {
  await desk.open('/channels/~new');
  await page.getByLabel('Type', { exact: true }).selectOption('vod');
  expect(await descriptionOf(page.getByRole('group', { name: 'Content hosts' }))).toContain('content');
  expect(await descriptionOf(page.getByLabel('Ad server URL'))).toContain('VAST');
  await desk.open('/reports');
  const total = page.locator('.report-totals dt button').first();
  await total.focus();
  await expect.poll(async () => (await open().textContent()) === (await descriptionOf(total))).toBe(true);
  await expectAccessible();
});
