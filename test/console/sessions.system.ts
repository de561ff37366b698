// SPDX-License-Identifier: Apache-2.0
// The search for sessions in the console, and sessions that have ended.
import { beforeAll, beforeEach, expect, test } from 'vitest';
import type { SearchedSession, SessionSearch } from '../../src/platform/history/rules/searchSessions.ts';
import { millis } from '../../src/time/units.ts';
import { offAir } from '../servers/adminServer.ts';
import { pick } from './locators.ts';
import { traceOf } from './sessionTrace.ts';
import { expectAccessible, fileConsole, page, startConsole } from './startConsole.ts';

const TOTAL = 30;
const idOf = (index: number) => `0b7e2c1a-5d1f-4c86-9a3e-${String(index).padStart(12, '0')}`;
const sessionAt = (index: number): SearchedSession => ({
  session: {
    id: idOf(index),
    channelId: index % 2 === 0 ? 'one' : 'deleted',
    tenant: 'default',
    format: 'hls',
    parameters: {},
    openedAt: millis(Date.now() - index * 60_000),
    ...(index === 1 ? { guided: { keepUntil: millis(Date.now()) } } : {}),
    viewer: { address: `192.0.2.${index}`, userAgent: 'Mozilla/5.0 (SMART-TV; Linux) AppleWebKit/537.36' },
  },
  seenAt: millis(Date.now() - index * 30_000),
  hasEnded: index > 0,
  breaks: [
    { id: '1-0', startsAt: Date.now(), duration: 40, status: 'partial', filled: 30, shown: 2, skipped: 0 },
    {
      id: '1-1',
      startsAt: Date.now(),
      duration: 60,
      status: 'empty',
      reason: 'NO_ADS',
      filled: 0,
      shown: 0,
      skipped: 1,
    },
  ],
});
const searches: SessionSearch[] = [];
/** The place of a page is in the cursor. */
async function searchSessions(search: SessionSearch) {
  searches.push(search);
  const { filter, limit, cursor } = search;
  if (filter.address !== undefined) return { items: [] };
  const first = Number(cursor?.living ?? 0);
  const items = Array.from({ length: Math.min(limit, TOTAL - first) }, (_, index) => sessionAt(first + index));
  const shown = items.map((one) => ({ ...one, ...(filter.breaks ? { matching: one.breaks.slice(1) } : {}) }));
  const next = { living: String(first + limit), ended: { openedAt: 1, id: 'x' } };
  return first + limit < TOTAL ? { items: shown, next } : { items: shown };
}
/** Sessions that have not ended. */
const living = new Set<string>();
const sessionTrace = async (id: string) =>
  traceOf({
    id,
    insertion: id === idOf(1) ? 'guided' : 'stitched',
    ...(living.has(id) ? {} : { endedAt: '2026-03-01T21:30:00.000Z' }),
  });

const desk = await fileConsole(startConsole({ onAir: { ...offAir, searchSessions, sessionTrace } }));
const { open } = desk;
beforeAll(async () => {
  await desk.api('POST', '/channels', { id: 'one', name: 'Channel One' });
});
beforeEach(async () => {
  searches.length = 0;
});

const rows = () => page.locator('tbody tr');
const lastSearch = () => searches.at(-1)!;
const query = () => page.evaluate<string>("decodeURIComponent(location.hash.split('?')[1] ?? '')");

test('lists sessions with names, fill and outcomes, and pages through them', async () => {
  await open('/sessions');
  await expect.poll(() => rows().count()).toBe(20);
  await rows().first().getByText('Channel One').waitFor();
  await rows().first().getByText('Active').waitFor();
  await rows().first().locator('.of-fill').getByText('30%').waitFor();
  await rows().first().getByText('1 empty').waitFor();
  await rows().nth(1).getByText('deleted').waitFor();
  await rows().nth(1).getByText('Guided').waitFor();
  expect(await rows().filter({ hasText: 'Guided' }).count()).toBe(1);
  await expectAccessible();
  await page.getByRole('button', { name: 'Older' }).click();
  await expect.poll(() => rows().count()).toBe(10);
  await page.getByRole('link', { name: idOf(25) }).waitFor();
  expect(await page.getByRole('button', { name: 'Older' }).isDisabled()).toBe(true);
  await page.getByRole('button', { name: 'Newer' }).click();
  await page.getByRole('link', { name: idOf(0) }).waitFor();
});

test('filters are in the URL and in the request', async () => {
  await open('/sessions');
  await pick(page.getByRole('combobox', { name: 'Channel' }), 'Channel One');
  await page.getByLabel('Time').selectOption('Yesterday');
  await page.getByLabel('Break outcome').selectOption('Empty');
  await page.getByLabel('State').selectOption('Ended');
  await page.getByLabel('Find session').fill('viewer=ann');
  await page.getByRole('button', { name: 'Find' }).click();
  await expect.poll(query).toBe('channel=one&range=yesterday&outcome=empty&state=ended&text=viewer=ann');
  const parameter = { name: 'viewer', value: 'ann' };
  await expect.poll(lastSearch).toMatchObject({
    state: 'ended',
    filter: { channelId: 'one', parameter, breaks: { status: 'empty' } },
  });
  const { from, to } = lastSearch().filter;
  expect(to - from).toBeGreaterThan(22 * 3_600_000);
  await rows().first().getByText('NO_ADS').waitFor();
  await page.reload();
  await expect.poll(() => page.getByLabel('Time').inputValue()).toBe('yesterday');
  expect(await page.getByLabel('Find session').inputValue()).toBe('viewer=ann');
  await expectAccessible();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect.poll(query).toBe('');
});

test('a search around a time, and one without a match', async () => {
  await open('/sessions?channel=one');
  await page.getByLabel('Time').selectOption('Around a time');
  await page.getByLabel('Around').fill('2026-03-01T20:15');
  const at = Date.parse('2026-03-01T20:15:00.000Z');
  const searched = () => [lastSearch().filter.from, lastSearch().filter.to];
  await expect.poll(searched).toEqual([at - 300_000, at + 300_000]);
  await page.getByLabel('Find session').fill('192.0.2.99');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'No match' }).waitFor();
});

test('an ended session opens from the list, and from a playback URL', async () => {
  await open('/sessions');
  await page.getByRole('link', { name: idOf(1) }).click();
  await page.getByText('1 Mar 2026, 21:30').waitFor();
  await page.locator('.session-facts').getByText('Guided').waitFor();
  await page.getByRole('link', { name: 'Channel One' }).waitFor();
  await page.goBack();
  await page.getByLabel('Find session').fill(`https://live.example.com/hls/one/master.m3u8?sid=${idOf(7)}`);
  await page.getByRole('button', { name: 'Find' }).click();
  await page.getByRole('heading', { level: 1, name: 'Session 0b7e2c1a' }).waitFor();
});

test('the page fits on a phone', async () => {
  await page.setViewportSize({ width: 390, height: 800 });
  await open('/sessions');
  await expect.poll(() => rows().count()).toBe(20);
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
});

test('the page of a session that has ended reads it once, also from a slow server', async () => {
  const id = idOf(98);
  const api = /\/api\/v2\/(sessions|beacons)/;
  const reads: string[] = [];
  await page.route(api, async (route) => {
    reads.push(route.request().url());
    await new Promise((resolve) => setTimeout(resolve, 150));
    await route.continue();
  });
  await open(`/sessions/${id}`);
  await page.getByText('The session ended before its first break.').waitFor();
  // What else the page shows is read again after the end.
  await expect.poll(() => reads.filter((url) => url.includes('/beacons?')).length).toBeGreaterThan(1);
  await page.evaluate(`new Promise((done) => {
    let frames = 60;
    const next = () => (frames-- > 0 ? requestAnimationFrame(next) : done());
    next();
  })`);
  await page.unroute(api);
  expect(reads.filter((url) => url.endsWith(`/sessions/${id}`))).toHaveLength(1);
  expect(await page.getByText('The session ended before its first break.').isVisible()).toBe(true);
});

test('the page of a session polls until the session has ended, and not after that', async () => {
  const id = idOf(99);
  living.add(id);
  const polls = { trace: 0, beacons: 0 };
  page.on('request', (request) => {
    const url = request.url();
    if (url.endsWith(`/sessions/${id}`)) polls.trace += 1;
    if (url.includes(`/beacons?session=${id}`)) polls.beacons += 1;
  });
  await page.clock.install();
  await open(`/sessions/${id}`);
  await page.getByText('No breaks yet').waitFor();
  /** Several intervals of both, with time for the responses in between. */
  const pass = async () => {
    for (let step = 0; step < 20; step += 1) {
      await page.clock.runFor(5000);
      await page.evaluate("fetch('/health')");
    }
  };
  const before = { ...polls };
  await pass();
  await expect.poll(() => polls.trace - before.trace).toBeGreaterThan(3);
  await expect.poll(() => polls.beacons - before.beacons).toBeGreaterThan(3);

  living.delete(id);
  await pass();
  await page.getByText('The session ended before its first break.').waitFor();
  await pass();
  const after = { ...polls };
  await pass();
  expect(polls).toEqual(after);
});
