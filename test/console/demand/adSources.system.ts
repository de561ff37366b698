// SPDX-License-Identifier: Apache-2.0
// Ad sources in the console: a person makes three, lists them in steps, sets a rule, tries the chain and reads what came of it, with
// a real ad server and a real bidder. Nothing is on air.
import type { Locator } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { createEgressGuard } from '../../../src/adapters/http/egressGuard.ts';
import { createHttpAdServer } from '../../../src/adapters/http/httpAdServer.ts';
import { bidOf, bidResponse } from '../../ads/demand/demandStage.ts';
import { startAdHost } from '../../live/adHost.ts';
import { opened } from '../../opened.ts';
import { offAir } from '../../servers/adminServer.ts';
import { descriptionOf, fieldError, pick } from '../locators.ts';
import { sessionId, traceOf } from '../sessionTrace.ts';
import { button, dialog, expectAccessible, fileConsole, page, saveChanges, startConsole } from '../startConsole.ts';

const adHost = await opened(startAdHost());
const mp4 = (name: string) => `https://cdn.example.com/${name}.mp4`;
const price = { amount: 12.5, currency: 'EUR' };
const trace = traceOf({
  channel: 'news',
  breaks: [
    {
      ...{ id: '0-1', startsAt: '2026-03-01T20:00:00.000Z', duration: 30, status: 'partial', warnings: [], slate: 20 },
      ads: [{ adId: 'a', title: 'Tea', duration: 10, outcome: 'stitched', source: 'exchange', step: 1, price }],
      sources: [
        {
          ...{ step: 0, source: 'direct', name: 'Direct sales', type: 'vast', requested: { duration: 30 }, offered: 0 },
          request: { url: 'https://ads.example.com/', ms: 900, error: 'no response' },
          reason: { code: 'AD_SERVER_TIMEOUT', text: 'No response within 900 ms.' },
        },
        {
          ...{ step: 1, source: 'exchange', type: 'openrtb', requested: { duration: 30, maxAds: 2 }, offered: 1 },
          request: { url: 'https://bids.example.com/', status: 200, ms: 80 },
          response: { bytes: 12, raw: '{"id":"bids"}' },
        },
      ],
      adsHook: { hook: 'ads', ms: 7, status: 200, changes: ['dropped "Coffee"'] },
    },
  ],
});
const desk = await fileConsole(
  startConsole({
    adServer: createHttpAdServer(createEgressGuard({ allow: ['127.0.0.1'] })),
    onAir: { ...offAir, sessionTrace: async () => trace },
  }),
);
beforeAll(async () => {
  adHost.offer('/vast', () => [{ id: 'tea', seconds: 10, url: mp4('tea') }]);
  adHost.on('/bids', (response, { body }) => {
    const bids = [bidOf({ id: 'coffee', seconds: 15, url: mp4('coffee'), price: 4 }, `${adHost.url}/notices`)];
    response.writeHead(200, { 'content-type': 'application/json' }).end(bidResponse(JSON.parse(body).id, bids));
  });
  await desk.api('POST', '/channels', { id: 'news', name: 'News 24', adSource: { url: `${adHost.url}/vast` } });
});

const field = (label: string) => page.getByLabel(label, { exact: true });
const title = (name: string) => page.getByRole('heading', { level: 1, name }).waitFor();

async function startSource(type: string, name: string, id: string): Promise<void> {
  await desk.open('/ad-sources');
  await page.getByRole('link', { name: 'Create ad source' }).click();
  await field('Type').selectOption(type);
  await field('Name').fill(name);
  await field('ID').fill(id);
}

test('ad sources of each type are created, with errors at their fields', async () => {
  await startSource('VAST ad server', 'Direct sales', 'direct');
  await button('Create ad source').click();
  await fieldError(page, 'URL').waitFor();
  await field('URL').fill(`${adHost.url}/vast`);
  await page.getByText('Client certificate').click();
  await field('Certificate (PEM)').fill('none');
  await button('Create ad source').click();
  await fieldError(page, 'Private key (PEM)').waitFor();
  await expectAccessible();
  await field('Certificate (PEM)').fill('');
  await button('Create ad source').click();
  await title('Direct sales');

  await startSource('OpenRTB bidder', 'Exchange', 'exchange');
  await field('URL').fill(`${adHost.url}/bids`);
  await field('Floor (CPM)').fill('1.5');
  await field('Template (JSON)').fill('{"site": ');
  await fieldError(page, 'Template (JSON)', 'JSON').waitFor();
  await field('Template (JSON)').fill('{"site": {"id": "17"}}');
  await button('Create ad source').click();
  await title('Exchange');

  await startSource('House list', 'Promos', 'promos');
  await button('Create ad source').click();
  await page.locator('.notice.bad', { hasText: /^Not saved: 1 invalid field\.$/ }).waitFor();
  await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Add video');
  await button('Add video').click();
  await field('URL of video 1').fill(mp4('promo'));
  await button('Create ad source').click();
  await fieldError(page, 'Title of video 1').waitFor();
  await field('Title of video 1').fill('Tonight at nine');
  await field('Weight of video 1').fill('2');
  await field('From of video 1').fill('2026-01-01T10:30');
  await button('Create ad source').click();
  await title('Promos');
  expect(await desk.api('GET', '/ad-sources/promos')).toMatchObject({
    creatives: [{ url: mp4('promo'), title: 'Tonight at nine', weight: 2, from: '2026-01-01T10:30:00.000Z' }],
  });
  expect(await desk.api('GET', '/ad-sources/exchange')).toMatchObject({ floor: 1.5, template: { site: { id: '17' } } });
  await desk.open('/ad-sources');
  await expect
    .poll(() => page.locator('tbody td.name a').allTextContents())
    .toEqual(['Promos', 'Exchange', 'Direct sales']);
  await expectAccessible();
});

const step = (number: number) => page.locator('.ad-step').nth(number - 1);
const listed = () =>
  page
    .locator('.ad-step')
    .evaluateAll((all) => all.map((one) => [...one.querySelectorAll('li a')].map((link) => link.textContent).join()));
const add = async (to: Locator, name: string) => pick(to.getByRole('combobox', { name: 'Add ad source' }), name);

test('sources are listed in steps by dragging and with the keyboard, and rules are set', async () => {
  await desk.open('/channels/news?tab=settings');
  await page.getByRole('radio', { name: 'Steps' }).check();
  await page.locator('.notice.warn', { hasText: `${adHost.url}/vast` }).waitFor();
  await add(step(1), 'Exchange');
  await add(step(1), 'Promos');
  await button('Add step').click();
  await add(step(2), 'Direct sales');
  expect(await listed()).toEqual(['Exchange,Promos', 'Direct sales']);
  const grip = (name: string) => page.locator('.ad-step li', { hasText: name }).locator('.grip');
  await grip('Promos').dragTo(step(2).locator('header'));
  await expect.poll(listed).toEqual(['Exchange', 'Direct sales,Promos']);
  await step(2).locator('header .grip').dragTo(step(1).locator('header'));
  await expect.poll(listed).toEqual(['Direct sales,Promos', 'Exchange']);

  const focus = () => page.evaluate('document.activeElement.getAttribute("aria-label")');
  await button('Move Promos down').focus();
  for (const [expected, focused] of [
    [['Direct sales', 'Promos,Exchange'], 'Move Promos down'],
    [['Direct sales', 'Exchange,Promos'], 'Move Promos up'],
  ] as const) {
    await page.keyboard.press('Enter');
    await expect.poll(async () => [await listed(), await focus()]).toEqual([expected, focused]);
  }
  await page.locator('.visually-hidden[role=status]', { hasText: /2\b.*2/ }).waitFor({ state: 'attached' });

  await step(1).getByLabel('Time share (%)').fill('60');
  await step(2).getByLabel('Time share (%)').fill('70');
  await page.locator('summary', { hasText: 'Rules' }).click();
  await field('Same advertiser').selectOption('Once in a break');
  await button('Add cap').click();
  await field('Max. ads of cap 1').fill('3');
  await field('Blocked categories').fill('iab7, iab25');
  await button('Save').click();
  await page.locator('.field.invalid', { hasText: 'Time share' }).first().waitFor();
  await step(2).getByLabel('Time share (%)').fill('40');
  await saveChanges();
  const saved = await desk.api<{ adSource?: object }>('GET', '/channels/news');
  expect(saved.adSource).toBeUndefined();
  expect(saved).toMatchObject({
    adSteps: [
      { sources: ['direct'], timeShare: 60 },
      { sources: ['exchange', 'promos'], timeShare: 40 },
    ],
    adRules: {
      separateAdvertisers: 'break',
      frequencyCaps: [{ per: 'creative', max: 3, hours: 24 }],
      blockedCategories: ['iab7', 'iab25'],
    },
  });
  await expectAccessible();
});

test('a try requests the whole chain, and states what each source offered', async () => {
  await page.setViewportSize({ width: 390, height: 844 });
  await desk.open('/channels/news?tab=try');
  await field('Break (s)').fill('40');
  await button('Try now').click();
  const rows = page.locator('.try-result tbody tr');
  await expect.poll(() => rows.count()).toBe(3);
  expect((await rows.allTextContents()).map((text) => text.replace(/\d+ ms/, ''))).toEqual([
    expect.stringMatching(/^1Direct sales.*1$/),
    expect.stringMatching(/^2Exchange.*1$/),
    expect.stringMatching(/^2Promos.*1$/),
  ]);
  await page.locator('.ads li', { hasText: 'Exchange' }).getByText('4.00 USD').waitFor();
  expect(adHost.seen.map(({ path }) => path)).toEqual(expect.arrayContaining(['/vast', '/bids']));
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
  await expectAccessible();
  await field('Ad source').selectOption('Exchange');
  await button('Try now').click();
  await expect.poll(() => rows.count()).toBe(1);
});

test('the trace of a session has the same table, and the requests of each source', async () => {
  await desk.open(`/sessions/${sessionId}`);
  const card = page.locator('.break-card');
  await card.getByText('AD_SERVER_TIMEOUT').waitFor();
  await card.getByText('12.50 EUR').waitFor();
  await card.getByText('dropped "Coffee"').waitFor();
  await card.locator('summary', { hasText: /^exchange/ }).click();
  await card.locator('summary', { hasText: 'Raw response' }).click();
  await card.getByText('"bids"').waitFor();
  await expectAccessible();
});

test('a source in use is not deleted; another one is, and is restored', async () => {
  await desk.open('/ad-sources/promos');
  await button('Delete').click();
  await dialog().getByText('News 24').waitFor();
  const remove = dialog().getByRole('button', { name: 'Delete ad source' });
  await expect.poll(() => descriptionOf(remove)).toContain('steps');
  await button('Cancel', dialog()).click();
  await desk.api('PATCH', '/channels/news', { adSteps: [{ sources: ['direct'] }] });
  await page.reload();
  await field('Name').fill('Promos of today');
  await saveChanges();
  await button('Delete').click();
  await remove.click();
  await page.waitForFunction("location.hash === '#/ad-sources'");
  await button('Undo').click();
  await title('Promos of today');
});

test('the funnel and the sources have pages among the reports', async () => {
  await desk.open('/reports?report=demand-funnel');
  await page.getByRole('progressbar', { name: 'Share of completed' }).waitFor();
  await expectAccessible();
  await page.getByRole('link', { name: 'Ad sources' }).last().click();
  await expect.poll(() => field('Group by').inputValue()).toBe('source');
});
