// SPDX-License-Identifier: Apache-2.0
// The address of a list contains what it shows: reloading, the buttons of the browser and another tab show the same.

import type { BrowserContext, Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { opened } from '../../opened.ts';
import { pick } from '../locators.ts';
import { page, startConsole, usePage } from '../startConsole.ts';

const desk = await opened(startConsole());
let context: BrowserContext;
beforeAll(async () => {
  for (let number = 1; number <= 60; number += 1) {
    await desk.api('POST', '/playlists', { id: `list-${number}`, name: `List ${number}`, status: 'enabled' });
    await desk.api('POST', '/playlists', { id: `gone-${number}`, name: `Gone ${number}` });
    await desk.remove(`/playlists/gone-${number}`);
  }
  for (let number = 1; number <= 8; number += 1)
    await desk.api('POST', '/channels', { id: `c${number}`, name: `Channel ${number}` });
  const first = await desk.newPage();
  context = await first
    .context()
    .browser()!
    .newContext({ viewport: { width: 1280, height: 900 } });
  await context.addInitScript(`sessionStorage.setItem('midroll-key', '${desk.key}')`);
  await first.close();
  usePage(await context.newPage());
  await page.goto(desk.url);
  await page.evaluate("localStorage.setItem('midroll-time-zone', 'Asia/Kathmandu')");
  await page.reload();
});

/** What a page shows: its fields, its place in the list, its rows, and the time zone. */
const stateOf = (on: Page) =>
  on.evaluate(`JSON.stringify([
    [...document.querySelectorAll('main :is(input, select)')].map((field) =>
      [field.labels?.[0]?.textContent, /checkbox|radio/.test(field.type) ? field.checked : field.value]),
    [...document.querySelectorAll('main .pagination, main .schedule h2, main tbody :is(td.name, td.of-name)')].map((each) => each.textContent),
    document.querySelector('nav .zone')?.textContent,
  ])`) as Promise<string>;

/** Waits until nothing is loading any more. */
async function settled(on: Page): Promise<string> {
  await on.getByRole('heading', { level: 1 }).waitFor();
  let before = '';
  await expect
    .poll(async () => {
      const now = await stateOf(on);
      const isSteady = now === before && (await on.locator('main .loading').count()) === 0;
      before = now;
      return isSteady;
    })
    .toBe(true);
  return before;
}

type Step = readonly [label: string, value: string] | readonly [button: string];
const lists: readonly (readonly [path: string, steps: readonly Step[], kept: RegExp])[] = [
  ['/channels', [['Find channel', 'channel 3']], /q=channel\+3/],
  [
    '/playlists',
    [['Find playlist', 'list'], ['Status', 'enabled'], ['Sort by', 'name'], ['Older']],
    /q=list&status=enabled&sort=name&page=2/,
  ],
  [
    '/sessions',
    [
      ['Channel', 'c2'],
      ['Time', 'custom'],
      ['From', '2026-03-29T02:30'],
      ['To', '2026-04-01T08:15'],
      ['Break outcome', 'empty'],
      ['State', 'ended'],
      ['Find session', 'viewer=ann'],
      ['Find'],
    ],
    /channel=c2&range=custom&from=2026-03-28T20%3A45%3A00\.000Z&to=2026-04-01T02%3A30%3A00\.000Z&outcome=empty&state=ended&text=/,
  ],
  [
    '/reports?report=ads',
    [
      ['Range', 'custom'],
      ['From', '2026-03-29T02:30'],
      ['Interval', '3600000'],
      ['Channel', 'c3'],
      ['Group by', 'creative'],
    ],
    /report=ads.*from=2026-03-28T20%3A45.*interval=3600000&channel=c3&by=creative/,
  ],
  [
    '/creatives',
    [
      ['Find creative', 'spot'],
      ['Status', 'failed'],
    ],
    /state=failed/,
  ],
  ['/alerts/history', [['State', 'resolved']], /state=resolved/],
  [
    '/audit',
    [['Search', 'list'], ['Kind', 'playlist'], ['From', '2026-01-01T00:15'], ['Older']],
    /kind=playlist&text=list&from=2025-12-31T18%3A30%3A00\.000Z&cursor=.*&page=2/,
  ],
  ['/deleted', [['Type', 'playlist'], ['Older']], /kind=playlist&page=2/],
  ['/channels/c1?tab=schedule', [['Previous day']], /tab=schedule&date=/],
];

test.each(lists)('%s keeps its filters, order, page and zone', async (path, steps, kept) => {
  await page.evaluate(`location.hash = '${path}'`);
  await settled(page);
  for (const [label, value] of steps) {
    const hash = await page.evaluate('location.hash');
    if (value === undefined) await page.getByRole('button', { name: label, exact: true }).click();
    else {
      const field = page.locator('main').getByLabel(label, { exact: true });
      if ((await field.getAttribute('role')) === 'combobox') await pick(field, value);
      else if ((await field.evaluate(({ tagName }) => tagName)) === 'SELECT') await field.selectOption(value);
      else await field.fill(value);
    }
    if (label !== 'Find session') await expect.poll(() => page.evaluate('location.hash')).not.toBe(hash);
    await settled(page);
  }
  const address = (await page.evaluate('location.href')) as string;
  expect(address).toMatch(kept);
  const before = await settled(page);
  expect(before).toContain('Kathmandu');

  await page.reload();
  await expect.poll(() => stateOf(page)).toBe(before);

  await page.locator('nav').getByRole('link', { name: 'Keys' }).click();
  await page.getByRole('heading', { level: 1, name: 'Keys' }).waitFor();
  await page.goBack();
  await expect.poll(() => stateOf(page)).toBe(before);
  await page.goForward();
  await page.getByRole('heading', { level: 1, name: 'Keys' }).waitFor();
  await page.goBack();
  await expect.poll(() => stateOf(page)).toBe(before);

  const tab = await context.newPage();
  await tab.goto(address);
  await settled(tab);
  await expect.poll(() => stateOf(tab)).toBe(before);
  await tab.close();
});

test('a page that a link has opened leads back to the first one; a filter starts there again', async () => {
  await page.evaluate("location.hash = '/audit'");
  await settled(page);
  for (const number of [2, 3]) {
    await page.getByRole('button', { name: 'Older' }).click();
    await page.getByText(`Page ${number}`, { exact: true }).waitFor();
  }
  await page.reload();
  await page.getByText('Page 3', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Newer' }).click();
  await page.getByText('Page 1', { exact: true }).waitFor();
  await page.goBack();
  await page.getByText('Page 3', { exact: true }).waitFor();
  await page.getByLabel('Kind').selectOption('channel');
  await expect.poll(() => page.evaluate('location.hash')).toBe('#/audit?kind=channel');
});
