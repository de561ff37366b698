// SPDX-License-Identifier: Apache-2.0
// The schedule of a linear channel in a browser. Its timeline is that of a real programme, which is edited two hours ahead.
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { changesBetween, entriesBetween } from '../../src/playback/onAir/timelineEntries.ts';
import { millis } from '../../src/time/units.ts';
import { edited, syntheticChannel } from '../laws/syntheticChannel.ts';
import { syntheticAsset } from '../laws/syntheticMedia.ts';
import { offAir } from '../servers/adminServer.ts';
import { expectAccessible, fileConsole, page, startConsole } from './startConsole.ts';

const HOUR = 3_600_000;
const now = Date.now();
const start = now - 30 * HOUR;
/** 25 minutes with breaks of one minute after every five. */
const item = (name: string) => ({
  asset: syntheticAsset({ name, segments: new Array(150).fill(250) }),
  cuePoints: [300, 600, 900, 1200].map((spliceTime) => ({ spliceTime, maxDuration: 60, maxAds: 3 })),
});
const { programme } = edited(
  syntheticChannel([item('drama'), item('comedy')], start),
  [item('drama'), item('weather')],
  now + 2 * HOUR,
);
const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10);
/** Eight seconds with a break of two. */
const clip = (name: string) => ({
  asset: syntheticAsset({ name, segments: new Array(4).fill(50) }),
  cuePoints: [{ spliceTime: 4, maxDuration: 2 }],
});
const clips = syntheticChannel([clip('clip-a'), clip('clip-b')], start).programme;
const requests: string[] = [];
const desk = await fileConsole(
  startConsole({
    onAir: {
      ...offAir,
      channelTimeline: async ({ id }, from, to, limit) => ({
        from: new Date(from).toISOString(),
        to: new Date(to).toISOString(),
        ...entriesBetween(id === 'clips' ? clips : programme, millis(Math.max(from, start)), to, limit),
        editions: changesBetween(id === 'clips' ? clips : programme, from, to),
        knownFrom: new Date(start).toISOString(),
      }),
    },
  }),
);
beforeAll(async () => {
  await desk.api('POST', '/channels', { id: 'one', name: 'One', state: 'disabled' });
  await desk.api('POST', '/channels', { id: 'clips', name: 'Clips', state: 'disabled' });
});
beforeEach(async () => {
  requests.length = 0;
  page.on('request', (request) => void requests.push(request.url()));
});

const openSchedule = async (query = '') => {
  await desk.open(`/channels/one?tab=schedule${query}`);
  await page.locator('.piece, .schedule-list li').first().waitFor();
};
const query = () => page.evaluate('location.hash.split("?")[1]') as Promise<string>;
const focused = () => page.evaluate('document.activeElement.getAttribute("aria-label")') as Promise<string>;

test('a day has an hour in every row, names with their breaks as marks, the current time and the edit to come', async () => {
  await openSchedule();
  await expect.poll(() => page.locator('.schedule-row:not(.scale)').count()).toBeGreaterThanOrEqual(23);
  await expect.poll(() => page.locator('.now-line').count()).toBe(1);
  await expect.poll(() => page.locator('.piece .mark').count()).toBeGreaterThan(20);
  const names = await page.locator('.piece').allTextContents();
  expect(names.some((name) => name.includes('drama'))).toBe(true);
  await expect.poll(() => page.locator('.schedule-details').textContent()).toContain('1 min');
  const timelines = requests.filter((url) => url.includes('/timeline'));
  expect(timelines.every((url) => new URL(url).searchParams.has('limit'))).toBe(true);
  // On a Sunday evening, the edit is in the next week.
  await openSchedule(`&view=week&date=${dayOf(now + 2 * HOUR)}`);
  await expect.poll(() => page.locator('.edit-line').count()).toBe(1);
  await page.locator('.schedule-change').waitFor();
});

test('the view and the date are in the address: they survive a reload and the buttons of the browser', async () => {
  await openSchedule();
  await page.getByRole('radio', { name: 'Week' }).click();
  await expect.poll(query).toBe('tab=schedule&view=week');
  await page.getByRole('button', { name: 'Next week' }).click();
  await expect.poll(query).toMatch(/^tab=schedule&view=week&date=\d{4}-\d\d-\d\d$/);
  const heading = page.locator('.schedule h2');
  const title = await heading.textContent();
  await page.reload();
  await expect.poll(() => heading.textContent()).toBe(title);
  await expect.poll(() => page.locator('.schedule-row:not(.scale)').count()).toBe(7);
  await page.getByRole('button', { name: 'Now' }).click();
  await expect.poll(query).toBe('tab=schedule&view=week');
  await page.goBack();
  await expect.poll(() => heading.textContent()).toBe(title);
  await page.goBack();
  await page.goBack();
  await expect.poll(query).toBe('tab=schedule');
});

test('arrow keys move between entries, whose details are shown; page keys and T change the time', async () => {
  // Today may have no later row.
  await openSchedule(`&date=${dayOf(now - 24 * HOUR)}`);
  const before = await query();
  await page.locator('.piece[tabindex="0"]').focus();
  // The first entry may begin before what is known, and continue in the next row under the same name.
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  const first = await focused();
  await page.keyboard.press('ArrowRight');
  await expect.poll(focused).not.toBe(first);
  await page.keyboard.press('ArrowLeft');
  await expect.poll(focused).toBe(first);
  await page.keyboard.press('ArrowDown');
  await expect.poll(focused).not.toBe(first);
  const time = (await focused()).slice(0, 5);
  await expect.poll(() => page.locator('.schedule-details').textContent()).toContain(time);
  await expect.poll(() => page.locator('.piece[tabindex="0"]').count()).toBe(1);
  for (const [key, reaches] of [
    ['PageDown', (shown: string) => shown !== before],
    ['PageUp', (shown: string) => shown === before],
    ['t', (shown: string) => shown === 'tab=schedule'],
  ] as const) {
    await page.locator('.piece:focus').press(key);
    await expect.poll(async () => reaches(await query()), { message: key }).toBe(true);
    await page.locator('.piece:focus').waitFor();
  }
});

test('page keys work in a row, also past what is known, and leave the focus where it was moved meanwhile', async () => {
  await openSchedule(`&date=${dayOf(now - 24 * HOUR)}`);
  const before = await query();
  await page.locator('.piece[tabindex="0"]').focus();
  for (let index = 0; index < 40; index += 1) await page.keyboard.press('PageUp');
  await page.locator('.schedule', { hasText: 'no longer stored' }).or(page.getByText('was not on air')).waitFor();
  for (let index = 0; index < 40; index += 1) await page.keyboard.press('PageDown');
  await expect.poll(query).toBe(before);
  await page.locator('.piece:focus').waitFor();
  await page.keyboard.press('PageDown');
  await page.getByLabel('Date').focus();
  await expect.poll(query).not.toBe(before);
  await page.locator('.piece').first().waitFor();
  expect(await page.locator('input[aria-label="Date"]:focus').count()).toBe(1);
});

test('dragging to the left goes to the next hour', async () => {
  await openSchedule('&view=hour');
  const heading = page.locator('.schedule h2');
  const title = await heading.textContent();
  const lane = (await page.locator('.schedule-row .lane').nth(1).boundingBox())!;
  await page.mouse.move(lane.x + 400, lane.y + 10);
  await page.mouse.down();
  await page.mouse.move(lane.x + 300, lane.y + 10, { steps: 4 });
  await page.mouse.move(lane.x + 100, lane.y + 10, { steps: 4 });
  await page.mouse.up();
  await expect.poll(() => heading.textContent()).not.toBe(title);
  await expect.poll(query).toMatch(/view=hour&date=\d{4}-\d\d-\d\dT\d\d%3A00/);
});

test('a time before the channel was on air is empty, and says so', async () => {
  await desk.open('/channels/one?tab=schedule&date=2020-01-01');
  await expect.poll(() => page.locator('.schedule p.muted').first().textContent()).toContain('no longer stored');
  await expect.poll(() => page.locator('.piece').count()).toBe(0);
});

test('all times follow the selected zone, which is kept', async () => {
  await openSchedule();
  await page.getByRole('button', { name: /Time zone/ }).click();
  await page.getByLabel('Zone', { exact: true }).selectOption('Asia/Kabul');
  await page.getByRole('button', { name: 'Done' }).click();
  await expect.poll(() => page.locator('.schedule header').textContent()).toContain('UTC+4:30');
  await page.reload();
  await expect.poll(() => page.locator('.schedule header').textContent()).toContain('UTC+4:30');
  const hour = () => new Intl.DateTimeFormat('en-GB', { timeZone: 'Asia/Kabul', hour: '2-digit' }).format(Date.now());
  const label = page.locator('.now-row .row-label');
  await expect.poll(async () => (await label.textContent()) === `${hour()}:00`).toBe(true);
});

test('a phone shows a list that starts with what is on air', async () => {
  await page.setViewportSize({ width: 390, height: 844 });
  await openSchedule();
  const first = page.locator('.schedule-list li').first();
  expect(await first.getAttribute('class')).toBe('on-air');
  await first.locator('summary').click();
  await first.locator('.break-times li').first().waitFor();
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
  await expectAccessible();
});

test.each(['hour', 'day', 'week'])('the view of a %s has no serious accessibility violation', async (view) => {
  await openSchedule(`&view=${view}`);
  await expectAccessible();
});

test('a week of very short titles is shown to its end, in few requests and few elements', async () => {
  await desk.open('/channels/clips?tab=schedule&view=week');
  const shown = page.locator('.schedule header', { hasText: 'Loading' });
  await page.locator('.piece').first().waitFor();
  await expect.poll(() => shown.count()).toBe(0);
  await expect
    .poll(() => page.locator('.schedule-row:not(.scale)').last().locator('.piece').count())
    .toBeGreaterThan(20);
  expect(await page.locator('.schedule > p').filter({ hasText: 'Shown until' }).count()).toBe(0);
  expect(await page.locator('.schedule *').count()).toBeLessThan(2000);
  expect(requests.filter((url) => url.includes('/timeline')).length).toBeLessThanOrEqual(40);
  expect(await page.locator('.piece.group').last().getAttribute('aria-label')).toMatch(/\d+ items, \d+ breaks/);
  await expect.poll(() => page.locator('.now-line').count()).toBe(1);
  await page.locator('.piece.group').last().focus();
  await expect.poll(() => page.locator('.schedule-details').textContent()).toMatch(/\d+ items.*breaks.*clip-.*more/s);
  await expectAccessible();
});
