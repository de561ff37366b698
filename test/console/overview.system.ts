// SPDX-License-Identifier: Apache-2.0
// The overview and the reports of a morning: compared with yesterday, each row leads to a page that is filtered by it.
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { binOf } from '../../src/platform/reports/rules/bins.ts';
import type { Measurement } from '../../src/platform/reports/rules/ports.ts';
import { systemKey } from '../../src/platform/systems/rules/system.ts';
import { millis } from '../../src/time/units.ts';
import { expectAccessible, fileConsole, hash, page, signIn } from './startConsole.ts';

const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000];
const now = Date.now();
/** A zone in which it is noon, so that hours of today have passed. */
const ahead = 12 - new Date(now).getUTCHours();
const zone = ahead === 0 ? 'Etc/UTC' : `Etc/GMT${ahead > 0 ? '-' : '+'}${Math.abs(ahead)}`;
const at = (before: number) => millis(now - before - ((now - before) % 10_000));

const counted = (report: Measurement['report'], channel: string, before: number, amounts: Record<string, number>) => ({
  ...{ report, channel, at: at(before), keys: {}, amounts },
});
const breaks = (channel: string, before: number, offered: number, filled: number): Measurement =>
  counted('breaks', channel, before, { breaks: 1, offeredMs: offered * 1000, filledMs: filled * 1000 });

const measurements: Measurement[] = [
  breaks('sports', 5 * MINUTE, 60, 0),
  breaks('news', 5 * MINUTE, 60, 45),
  breaks('cinema', 2 * HOUR, 60, 60),
  breaks('sports', DAY + 5 * MINUTE, 60, 60),
  breaks('news', DAY + 5 * MINUTE, 60, 60),
  counted('viewers', 'news', HOUR, { watching: 12 }),
  counted('viewers', 'news', DAY + HOUR, { watching: 24 }),
  counted('ads', 'news', HOUR, { decided: 3, started: 3 }),
  { ...counted('ad-requests', 'sports', 5 * MINUTE, { sent: 4, errors: 4 }), keys: { adServer: 'dead.example' } },
  {
    ...counted('ad-requests', 'news', 5 * MINUTE, { sent: 4, answered: 4 }),
    ...{ keys: { adServer: 'ads.example' }, bins: { [binOf(120)]: 4 } },
  },
  ...['broken', 'late'].map((creative, index) => ({
    ...counted('skips', 'news', 5 * MINUTE, { total: 6 - index, CREATIVE_FAILED: 6 - index }),
    keys: { creative, reason: 'CREATIVE_FAILED' },
  })),
];

const desk = await fileConsole();
const { open } = desk;
beforeAll(async () => {
  const { store, deps } = desk.admin;
  const created = new Date(now - 3 * DAY + 2 * HOUR).toISOString();
  await store.db.updateTable('tenants').set({ created_at: created }).execute();
  await desk.api('POST', '/playlists', {
    id: 'list',
    contents: [{ sourceType: 'url', url: 'http://127.0.0.1:9/a.m3u8' }],
  });
  for (const [id, name] of [
    ['sports', 'Sports'],
    ['news', 'News'],
    ['cinema', 'Cinema'],
  ])
    await desk.api('POST', '/channels', {
      ...{ id, name, playlistId: 'list', state: 'disabled' },
      ...(id === 'sports' ? { labels: ['Live events'] } : {}),
    });
  const [system] = await deps.systems.list('acme');
  const key = systemKey(system!);
  await deps.reportStore(system!).add({ id: 'counts', system: key, measurements });
});
beforeEach(async () => {
  await page.addInitScript(`localStorage.setItem('midroll-time-zone', '${zone}')`);
});

const figure = (label: string) => page.locator('.figures > div', { has: page.getByText(label, { exact: true }) });
const list = (title: string) => page.locator('.worst-lists section', { hasText: title });

test('the console starts with the overview, which compares today with yesterday', async () => {
  await page.goto(desk.url);
  await signIn(desk.key);
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  await expect.poll(() => figure('Fill, last hour').textContent()).toMatch(/37\.5%.*−62\.5 points.*100%/);
  expect(await figure('Peak viewers').textContent()).toMatch(/12.*−50%.*24/);
  expect(await figure('Failed requests').textContent()).toMatch(/50%.*No ad requests/);
  expect(await figure('Viewers now').textContent()).toMatch(/^Viewers now0/);
  await page.getByRole('radio', { name: 'Last 7 days' }).check({ force: true });
  await expect.poll(() => figure('Peak viewers').textContent()).toMatch(/^Peak viewers24\s*$/);
  await page.getByText('Nothing to compare with yet').waitFor();
  expect(await hash()).toBe('#/overview?range=last-7-days');
  await page.getByRole('radio', { name: 'Yesterday' }).check({ force: true });
  await expect.poll(() => figure('Fill, yesterday').textContent()).toMatch(/100%/);
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 900 });
    await expectAccessible(`${width} pixels`);
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
  }
});

test('each row leads to a page that is filtered by it', async () => {
  for (const [title, row, path] of [
    ['Unfilled break time', 'Sports', '#/sessions?channel=sports&range=today&outcome=empty'],
    ['Unfilled break time', 'News', '#/reports?range=today&report=skips&channel=news'],
    ['Ad servers', 'dead.example', '#/reports?range=today&report=ad-requests&by=adServer'],
    ['Ads lost by creative', 'broken', '#/creatives?q=broken'],
  ] as const) {
    await open('/overview');
    const link = list(title).locator('li').first();
    await link.waitFor();
    expect([title, await list(title).getByRole('link', { name: row, exact: true }).count()]).toEqual([title, 1]);
    await list(title).getByRole('link', { name: row, exact: true }).click();
    await expect.poll(hash).toBe(path);
  }
  const searched = page.waitForRequest((request) => {
    const { pathname, searchParams } = new URL(request.url());
    return pathname.endsWith('/sessions') && searchParams.get('channel') === 'sports';
  });
  await open('/sessions?channel=sports&range=today&outcome=empty');
  expect(new URL((await searched).url()).searchParams.get('outcome')).toBe('empty');
});

test('labels select channels, also in the reports that the overview leads to', async () => {
  await open('/overview?label=live+events');
  await expect.poll(() => figure('Fill, last hour').textContent()).toMatch(/0%.*−100 points/);
  expect(await list('Unfilled break time').locator('li').count()).toBe(1);
  await list('Ad servers').getByRole('link', { name: 'dead.example' }).click();
  await page.locator('.ranked', { hasText: 'dead.example' }).waitFor();
  expect(await page.locator('.ranked', { hasText: 'ads.example' }).count()).toBe(0);
});

test('creatives are ranked over the whole range, in bars and in the table', async () => {
  await open('/reports?report=skips&range=today&by=creative');
  await page.locator('.ranked', { hasText: 'broken' }).waitFor();
  const bars = page.locator('.ranked', { hasText: 'broken' }).locator('li');
  expect(await bars.locator('.name').allTextContents()).toEqual(['broken', 'late']);
  const rows = page.locator('.table-frame tbody tr');
  expect(await rows.locator('.name').allTextContents()).toEqual(['broken', 'late']);
  await page.getByLabel('Interval').selectOption('3600000');
  await page.getByRole('columnheader', { name: 'Time' }).waitFor();
  await expectAccessible();
});

test('lines of the time before are dashed in the legend, and a time without data is said', async () => {
  await open('/reports?report=breaks&range=today&compare=day');
  const before = page.locator('.chart-legend button', { hasText: '(before)' }).locator('.line-mark');
  await before.first().waitFor();
  type Styles = { getComputedStyle(of: unknown): { readonly borderTopStyle: string } };
  const styles = await before.evaluateAll((all) =>
    all.map((one) => (globalThis as unknown as Styles).getComputedStyle(one).borderTopStyle),
  );
  expect(new Set(styles)).toEqual(new Set(['dashed']));
  expect(await page.getByText('Nothing to compare with').count()).toBe(0);
  await open('/reports?report=breaks&range=yesterday&compare=day');
  await page.getByText('Nothing to compare with').waitFor();
  // Three days of seven exist.
  await open('/reports?report=breaks&range=week&interval=86400000');
  await page.getByText('Nothing was counted before').waitFor();
  expect(await page.locator('.table-frame tbody tr').count()).toBeLessThan(5);
});

test('a chart shows the values of a row to keys, hides lines, and shows the rows that are dragged over', async () => {
  await open('/reports?report=breaks&range=hour&interval=300000');
  const plot = page.getByRole('slider', { name: 'Seconds over time' });
  const text = () => plot.getAttribute('aria-valuetext');
  const rows = async () => Number(await plot.getAttribute('aria-valuemax')) + 1;
  const readout = plot.locator('.readout');
  await plot.focus();
  await readout.waitFor();
  await expect.poll(text).toBeTruthy();
  while (!(await text())?.includes('Seconds offered 120 s')) {
    expect(await plot.getAttribute('aria-valuenow')).not.toBe('0');
    await page.keyboard.press('ArrowLeft');
  }
  expect(await readout.textContent()).toContain('120 s');
  const name = page.locator('.chart-legend').getByRole('button', { name: 'Seconds offered', exact: true });
  await name.click();
  expect([await name.getAttribute('aria-pressed'), await text()]).toEqual([
    'false',
    expect.not.stringContaining('offered'),
  ]);
  await name.click();
  await expect.poll(text).toContain('Seconds offered');
  const all = await rows();
  const { x, y, width } = (await plot.boundingBox())!;
  await page.mouse.move(x + width / 3, y + 90);
  await page.mouse.down();
  await page.mouse.move(x + width / 2, y + 90, { steps: 3 });
  await page.mouse.up();
  await expect.poll(rows).toBeLessThan(all);
  await page.getByRole('button', { name: 'Show all' }).click();
  await expect.poll(rows).toBe(all);
});
