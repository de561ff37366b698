// SPDX-License-Identifier: Apache-2.0
// Trying ad tags and replaying breaks in the console, with a real ad server. Nothing is on air.
import { beforeAll, expect, test } from 'vitest';
import { createEgressGuard } from '../../../src/adapters/http/egressGuard.ts';
import { createHttpAdServer } from '../../../src/adapters/http/httpAdServer.ts';
import type { BreakRecord } from '../../../src/ads/record/breakRecord.ts';
import type { SessionTrace } from '../../../src/http/contract/airContract.ts';
import { startAdHost, writeVast } from '../../live/adHost.ts';
import { opened } from '../../opened.ts';
import { offAir } from '../../servers/adminServer.ts';
import { descriptionOf } from '../locators.ts';
import { sessionId, traceOf } from '../sessionTrace.ts';
import { expectAccessible, fileConsole, page, saveChanges, startConsole } from '../startConsole.ts';

const openedAt = '2026-03-01T20:00:00.000Z';
const ads = [{ id: 'late', seconds: 10, url: 'https://cdn.example.com/late.mp4' }];
const raw = writeVast(ads);
const empty = { startsAt: openedAt, duration: 30, status: 'empty', warnings: [], ads: [], slate: 30 } as const;
const failing: BreakRecord = {
  ...empty,
  id: '0-1',
  reason: { code: 'AD_SERVER_FAILED', text: 'The ad server returned status 503.' },
  request: {
    url: 'https://ads.example.com/vast?a=[X]',
    status: 503,
    ms: 12,
    error: 'The ad server returned status 503.',
  },
  response: { version: '', bytes: 21, contentType: 'text/html', raw: '<h1>Quota reached</h1>' },
};
const skipped: BreakRecord = {
  ...empty,
  id: '0-2',
  limits: { duration: 30 },
  request: { url: 'https://ads.example.com/vast', status: 200, ms: 12 },
  response: { version: '4.2', bytes: raw.length, raw },
  ads: [
    {
      adId: 'late',
      title: 'Ad late',
      duration: 10,
      outcome: 'skipped',
      reason: { code: 'BREAK_FULL', text: 'The break is full.' },
    },
  ],
};
const records = [failing, skipped];
const viewer = { address: '203.0.113.7', userAgent: 'TV' };

const adHost = await opened(startAdHost());
const trace = traceOf({
  channel: 'cinema',
  parameters: { genre: 'news' },
  breaks: records.map(({ ads: own, request, sources: _, ...one }) => ({
    ...(one as Omit<SessionTrace['breaks'][number], 'ads'>),
    ...(request ? { request: { ...request, headers: {}, curl: `curl '${request.url}'` } } : {}),
    ads: own.map(({ vast: __, assetUrl: ___, ...ad }) => ad as SessionTrace['breaks'][number]['ads'][number]),
  })),
});
const session = {
  id: sessionId,
  channelId: 'cinema',
  tenant: 'acme',
  format: 'hls',
  parameters: {},
  viewer,
} as const;
const desk = await fileConsole(
  startConsole({
    adServer: createHttpAdServer(createEgressGuard({ allow: ['127.0.0.1'] })),
    findBreak: async (_, id) => {
      const record = records.find((one) => one.id === id);
      return record && { session, record };
    },
    onAir: {
      ...offAir,
      sessionTrace: async () => trace,
      channelSessions: async () => ({
        total: 1,
        items: [{ id: sessionId, channel: 'cinema', format: 'hls', openedAt, insertion: 'stitched' }],
      }),
    },
  }),
);
beforeAll(async () => {
  adHost.offer('/vast', () => [
    { id: 'one', seconds: 10, url: 'https://cdn.example.com/one.mp4' },
    { id: 'two', seconds: 90, url: 'https://cdn.example.com/two.webm' },
  ]);
  adHost.on(
    '/down',
    (response) =>
      void response.writeHead(503, { 'content-type': 'text/html' }).end('<html><h1>Out of service</h1></html>'),
  );
  await desk.api('POST', '/channels', { id: 'cinema', adSource: { url: `${adHost.url}/vast?genre=[PLAYER.genre]` } });
});

const tryNow = () => page.getByRole('button', { name: 'Try now' }).click();

test('a tag is tried with the parameters of the latest session, and used', async () => {
  await desk.open('/channels/cinema');
  await page.getByRole('link', { name: 'Try ads' }).click();
  await expect.poll(() => page.getByLabel('Viewer parameters').inputValue()).toBe('genre: news');
  await page.getByLabel('Break (s)').fill('30');
  await tryNow();
  await page.getByText('Not prepared yet').first().waitFor();
  expect(adHost.seen.at(-1)).toMatchObject({ path: '/vast?genre=news', headers: { 'x-midroll-preview': '1' } });
  expect(await page.getByText('https://cdn.example.com/one.mp4').count()).toBeGreaterThan(0);
  expect(await page.getByRole('button', { name: 'Copy as curl' }).count()).toBe(1);
  expect(await page.getByRole('button', { name: 'Use this tag' }).count()).toBe(0);
  await expectAccessible();

  const other = `${adHost.url}/vast?placement=two`;
  await page.getByLabel('Ad tag').fill(other);
  await tryNow();
  await page.getByRole('button', { name: 'Use this tag' }).click();
  await expect.poll(() => page.getByLabel('Ad server URL').inputValue()).toBe(other);
  await saveChanges();
  const saved = await desk.api<{ adSource: { url: string } }>('GET', '/channels/cinema');
  expect(saved.adSource.url).toBe(other);
});

test('the page of a server that fails is shown, on a phone too', async () => {
  await page.setViewportSize({ width: 390, height: 844 });
  await desk.open('/channels/cinema?tab=try');
  await page.getByLabel('Ad tag').fill(`${adHost.url}/down`);
  await tryNow();
  await page.getByText('Out of service').waitFor();
  expect(await page.getByText('503').count()).toBeGreaterThan(0);
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
  await expectAccessible();
});

test('an invalid field is reported at the field', async () => {
  await desk.open('/channels/cinema?tab=try');
  await page.getByLabel('Viewer address').fill('me');
  await tryNow();
  await expect.poll(() => page.getByLabel('Viewer address').getAttribute('aria-invalid')).toBe('true');
});

test('a break is replayed, and a failed response is shown', async () => {
  await desk.open(`/sessions/${sessionId}`);
  const cards = page.locator('.break-card');
  await expect.poll(() => cards.count()).toBe(2);
  const replayed = cards.nth(0);
  await replayed.getByRole('button', { name: 'Replay' }).click();
  await replayed.getByText('Other reason').waitFor();
  expect(await replayed.locator('.replay').textContent()).toContain('CREATIVE_PREPARING');
  await expectAccessible();

  const failed = cards.nth(1);
  await failed.locator('> summary').click();
  await failed.getByText('Ad request:').click();
  await failed.getByText('Failed response (text/html').click();
  await failed.getByText('Quota reached').waitFor();
  expect(await failed.getByRole('button', { name: 'Copy as curl' }).count()).toBe(1);
});

/** Opens a path with a key of a scope. */
async function openAs(scope: 'read' | 'operate', path: string): Promise<void> {
  const { key } = await desk.api<{ key: string }>('POST', '/keys', { name: scope, scope });
  await desk.open(path, page, key);
}

test('a key that may not try or replay has disabled buttons that state why', async () => {
  const button = (name: string) => page.getByRole('button', { name }).first();
  await openAs('read', '/channels/cinema?tab=try');
  await expect.poll(() => button('Try now').isDisabled()).toBe(true);
  expect(await descriptionOf(button('Try now'))).toContain('operate');
  await expectAccessible();
  const requests = adHost.seen.length;
  await page.getByLabel('Viewer address').press('Enter');
  await desk.open(`/sessions/${sessionId}`);
  await expect.poll(() => button('Replay').isDisabled()).toBe(false);
  await openAs('read', `/sessions/${sessionId}`);
  await expect.poll(() => button('Replay').isDisabled()).toBe(true);
  expect(await descriptionOf(button('Replay'))).toContain('operate');
  expect(adHost.seen.length).toBe(requests);
});

test('a key that may not change the channel tries its tag only', async () => {
  await openAs('operate', '/channels/cinema?tab=try');
  const attempt = page.getByRole('button', { name: 'Try now' });
  await expect.poll(() => attempt.isDisabled()).toBe(false);
  await page.getByLabel('Ad tag').fill(`${adHost.url}/vast?other`);
  await expect.poll(() => attempt.isDisabled()).toBe(true);
  expect(await descriptionOf(attempt)).toContain('manage');
  await page.getByLabel('Ad tag').fill('');
  await attempt.click();
  await page.locator('.try-page').getByText('Not prepared yet').first().waitFor();
});
