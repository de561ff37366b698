// SPDX-License-Identifier: Apache-2.0
// A morning with 205 channels, on a Midroll that really has the faults: an ad server that refuses connections, a creative that is
// a 404, and a channel whose playlist is empty. Twelve channels have trouble; nine of them are disabled at once, and enabled again.
// The night takes place on a virtual clock, before the browser starts: the clock stands still while it runs.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findFreePort } from '../../demo/listen.ts';
import type { OwnBrowser } from '../browser/connectChromium.ts';
import { apiKey } from '../live/midroll.ts';
import { adSource, item, openVirtualStage } from '../live/stage.ts';
import { opened } from '../opened.ts';
import { button, expectAccessible, openBrowser, page, signIn } from './startConsole.ts';

const dead = Array.from({ length: 9 }, (_, index) => `dead-${index + 1}`);
const failing = ['failing-1', 'failing-2'];
/** How long a fault may stay unseen, milliseconds. */
const SEEN_WITHIN = 30_000;
const REFUSES = 'refuses the connection';

const stage = await opened(openVirtualStage());
const { api, until } = stage;
const adServer = `127.0.0.1:${await findFreePort(0)}`;

const withProblem = async (problem: string): Promise<string[]> =>
  (await api('GET', `/on-air?problem=${problem}&limit=100`)).map(({ id }: { id: string }) => id).sort();

async function spendNight(): Promise<void> {
  stage.adHost.offer('/gone', () => [{ id: 'tea', seconds: 8, url: `${stage.adHost.url}/gone.mp4` }]);
  const video = await stage.video({ seconds: 40 });
  const content = item(video, { spliceTime: 20, maxDuration: 8 });
  for (const id of dead) await stage.air(id, [content], { adSource: { url: `http://${adServer}/vast` } });
  for (const id of failing) await stage.air(id, [content], { adSource: adSource(stage.adHost, '/gone') });
  await stage.air('fine', [content]);
  await stage.air('broken', []);
  // VoD channels cost nothing until someone watches.
  const changes = Array.from({ length: 192 }, (_, index) => ({
    ...{ method: 'POST', path: '/api/v2/channels' },
    body: { id: `film-${index}`, type: 'vod', state: 'enabled', apiKey: 'key', playlistId: 'fine' },
  }));
  await api('POST', '/batch', { changes });
  await api('POST', '/alert-rules', {
    id: 'servers',
    name: 'Ad servers',
    kind: 'ad-server',
    forMinutes: 1,
    minRequests: 1,
  });
  for (const id of [...dead, ...failing]) await stage.watch(id, { dash: false, isTimed: false, fetches: 'ours' });
}

beforeAll(spendNight);
let browser: OwnBrowser | undefined;
afterAll(() => browser?.close());

const list = (title: string) => page.locator('.worst-lists section', { hasText: title });
const rows = () => page.locator('.data-table tbody tr');
const open = (path: string) => page.evaluate(`location.hash = '${path}'`);

test('a dead ad server and a failing creative are problems of their channels within 30 seconds', async () => {
  for (const [problem, channel] of [
    ['ad-server', 'dead-1'],
    ['creative', 'failing-1'],
  ] as const) {
    await until(`${problem} is seen`, async () => (await withProblem(problem)).includes(channel));
    const seenAt = stage.clock.now();
    const [session] = await api('GET', `/sessions?channel=${channel}`);
    const { breaks } = await api('GET', `/sessions/${session.id}`);
    const firstBreak = Math.min(...breaks.map(({ startsAt }: { startsAt: string }) => Date.parse(startsAt)));
    expect([problem, seenAt - firstBreak < SEEN_WITHIN]).toEqual([problem, true]);
  }
  await until('all are seen', async () => (await withProblem('any')).length === 12);
  expect(await withProblem('ad-server')).toEqual(dead);
  await until('the rule fires', async () => (await api('GET', '/alerts?state=firing')).length === dead.length);
  browser = await openBrowser();
  await page.addInitScript("localStorage.setItem('midroll-time-zone', 'Etc/UTC')");
  await page.goto(stage.midroll.adminUrl);
  await signIn(apiKey);
});

test('the overview has the twelve, the ad server, the creative and the alert in one screen', async () => {
  await page.getByRole('heading', { name: '12 channels with problems' }).waitFor();
  await page.locator('.problems-now', { hasText: 'Ad servers: 9 channels' }).waitFor();
  await list('Ad servers').getByRole('link', { name: adServer }).waitFor();
  await list('Ad servers').getByText('100% failed').waitFor();
  await list('Ads lost by creative').getByRole('link', { name: 'creative-tea' }).waitFor();
  await page.getByText('Nothing to compare with yet').waitFor();
  await expectAccessible('overview');
});

test('the creative and its alert are on its own page, one click away', async () => {
  await list('Ads lost by creative').getByRole('link', { name: 'creative-tea' }).click();
  await page.getByRole('heading', { level: 1, name: 'Creatives' }).waitFor();
  const card = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'Ad tea' }) });
  for (const text of ['Failing', '404', 'not shown']) await card.getByText(text).first().waitFor();
});

test('two clicks from the overview, nine channels are disabled at once, and one more enables them', async () => {
  await open('/overview');
  await page
    .locator('.problems-now section', { hasText: '12 channels' })
    .getByRole('link', { name: 'View all' })
    .click();
  await expect.poll(() => rows().count()).toBe(12);
  await page.getByLabel('Problem', { exact: true }).selectOption('ad-server');
  await expect.poll(() => rows().filter({ hasText: REFUSES }).count()).toBe(9);
  await rows().locator('.pick input').first().focus();
  await page.keyboard.press('Control+a');
  const bar = page.getByRole('region', { name: 'Selection' });
  await bar.getByText('9 viewers').waitFor();
  await button('Disable', bar).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox').fill('9');
  await button('Disable 9 channels', dialog).click();
  const toast = page.locator('.toast', { hasText: '9 channels disabled' });
  await toast.waitFor();
  const states = () => Promise.all(dead.map(async (id) => (await api('GET', `/channels/${id}`)).state));
  expect(new Set(await states())).toEqual(new Set(['disabled']));
  await button('Undo', toast).click();
  await page.locator('.toast', { hasText: '9 channels restored' }).waitFor();
  expect(new Set(await states())).toEqual(new Set(['enabled']));
});

test('the alert of the nine is silenced until a time', async () => {
  await open('/alerts');
  const card = page.locator('.alerts > li', { hasText: 'Ad servers: 9 channels' });
  await button('Silence…', card).click();
  await page.getByLabel('For').selectOption('until');
  const end = new Date(stage.clock.now() + 86_400_000).toISOString().slice(0, 16);
  await page.getByLabel('Until').fill(end);
  await expectAccessible('silence');
  await button('Silence', page.getByRole('dialog')).click();
  await card
    .getByText(/^Silenced/)
    .first()
    .waitFor();
  const silences = await api('GET', '/silences');
  expect(silences).toMatchObject([{ rule: 'servers', until: `${end}:00.000Z` }]);
  expect(stage.midroll.bugs()).toEqual([]);
});
