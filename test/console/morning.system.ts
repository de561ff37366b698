// SPDX-License-Identifier: Apache-2.0
// A morning in ad operations, from an alert to its end: an ad tag was mistyped in the evening, the webhook of an alert rule has
// an event, and its link leads to the empty breaks, to the reason, to a tag that works, and to who it was. The evening takes
// place on a virtual clock, before the browser starts: the clock stands still while it runs.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findFreePort } from '../../demo/listen.ts';
import { startWebhookReceiver } from '../alerts/webhookReceiver.ts';
import type { OwnBrowser } from '../browser/connectChromium.ts';
import { apiKey } from '../live/midroll.ts';
import { adSource, item, openVirtualStage, type Stage } from '../live/stage.ts';
import { opened } from '../opened.ts';
import { button, expectAccessible, openBrowser, page, saveChanges, signIn } from './startConsole.ts';

const NOT_FOUND_PAGE = '<html><body><h1>No such placement</h1></body></html>';

let browser: OwnBrowser;
/** The session of the viewer who saw the empty breaks. */
let session: string;
const tags = { right: '', wrong: '' };

/** The links of alerts start with `ADMIN_URL`, so the port is chosen before the server listens. Another program may take it. */
async function openKnownUrl(attempts = 5): Promise<Stage> {
  const port = await findFreePort(0);
  try {
    return await openVirtualStage({ ADMIN_PORT: `${port}`, ADMIN_URL: `http://127.0.0.1:${port}` });
  } catch (error) {
    if (attempts === 1 || !`${error}`.includes('EADDRINUSE')) throw error;
    return openKnownUrl(attempts - 1);
  }
}

const stage = await opened(openKnownUrl());
const { api, until } = stage;
const receiver = await opened(startWebhookReceiver(() => stage.clock.now()));
beforeAll(async () => {
  await spendEvening();
  browser = await openBrowser();
});
afterAll(() => browser?.close());

/** Ads are shown, until someone saves a tag that the ad server does not have. Then the viewer leaves, and the session ends. */
async function spendEvening(): Promise<void> {
  const url = await stage.spot(10);
  stage.adHost.offer('/ads', () => [{ id: 'spot', seconds: 10, url }]);
  stage.adHost.on('/adz', (response) => {
    response.writeHead(404, { 'content-type': 'text/html' }).end(NOT_FOUND_PAGE);
  });
  [tags.right, tags.wrong] = ['/ads', '/adz'].map((path) => adSource(stage.adHost, path).url) as [string, string];
  const { secret } = await api('POST', '/webhooks', { id: 'ops', url: `${receiver.url}/ops` });
  receiver.secrets.set('/ops', secret);
  await api('POST', '/alert-rules', { id: 'fill', kind: 'fill', webhooks: ['ops'], forMinutes: 2 });
  const video = await stage.video({ seconds: 40 });
  const cue = { spliceTime: 20, maxDuration: 10 };
  await stage.air('news', [item(video, cue)], { name: 'News', adSource: { url: tags.right } });
  const viewer = await stage.watch('news', { dash: false });
  session = viewer.session;
  await until('an ad is shown', async () => (await stage.breaks(viewer)).some(({ status }) => status === 'filled'));
  await until('alerts of the start have resolved', async () => (await api('GET', '/alerts')).length === 0);
  receiver.received.length = 0;
  await api('PATCH', '/channels/news', { adSource: { url: tags.wrong } });
  await until('an event arrives', () => receiver.at('/ops').length > 0);
  await viewer.leave();
  await until(
    'the session and its breaks are among the past ones',
    async () => (await api('GET', '/sessions?state=ended&outcome=empty')).length > 0,
  );
}

const heading = (name: string) => page.getByRole('heading', { level: 1, name });
const emptyBreak = () => page.locator('.break-card', { hasText: '404' }).first();

test('the link of a signed event leads through the sign-in to the sessions with empty breaks', async () => {
  const [event] = receiver.at('/ops');
  expect(event).toMatchObject({
    isVerified: true,
    message: { type: 'alert.firing', data: { rule: { id: 'fill' }, channel: { id: 'news' } } },
  });
  await page.goto(event!.message.data.link);
  await signIn(apiKey);
  await heading('Sessions').waitFor();
  await expect.poll(() => page.getByRole('combobox', { name: 'Channel' }).inputValue()).toBe('News');
  expect(await page.getByLabel('Break outcome').inputValue()).toBe('empty');
  expect(await page.getByLabel('Time').inputValue()).toBe('custom');
  const row = page.locator('tbody tr', { has: page.getByRole('link', { name: session }) });
  await row.getByText('Empty').first().waitFor();
  // Only breaks of that time: the viewer saw ads before it.
  const since = Date.parse(event!.message.data.since);
  const times = await row
    .locator('.outcomes time')
    .evaluateAll((all) => all.map((one) => one.getAttribute('datetime')));
  expect(times.length).toBeGreaterThan(0);
  expect(times.every((time) => Date.parse(time!) >= since - 60_000)).toBe(true);
  await expectAccessible('sessions');
});

test('the session has the reason, with the page of the ad server', async () => {
  await page.getByRole('link', { name: session }).click();
  await heading(`Session ${session.slice(0, 8)}`).waitFor();
  const card = emptyBreak();
  await card.waitFor();
  if ((await card.getAttribute('open')) === null) await card.locator('> summary').click();
  await card.getByText('Ad request:').click();
  await card.getByText('Failed response (text/html').click();
  await card.getByText('No such placement').waitFor();
  await card.getByText(tags.wrong.split('?')[0]!).first().waitFor();
  await expectAccessible('session');
});

test('a break of the ended session is replayed', async () => {
  const card = emptyBreak();
  await card.getByRole('button', { name: 'Replay' }).click();
  const replay = card.locator('.replay');
  await replay.getByText('Then').waitFor();
  expect(await replay.getByText('Empty', { exact: true }).count()).toBe(2);
  const shown = page.locator('.break-card', { hasText: 'Filled' }).first();
  await shown.locator('> summary').click();
  await shown.getByRole('button', { name: 'Replay' }).click();
  await shown.locator('.replay').getByText('Then').first().waitFor();
  expect(await shown.locator('.replay').getByText('Filled', { exact: true }).count()).toBe(2);
  expect(await shown.locator('.replay .differences li').count()).toBe(1);
  await expectAccessible('replay');
});

test('another tag is tried, used and saved', async () => {
  await page.locator('main').getByRole('link', { name: 'News' }).first().click();
  await page.getByRole('link', { name: 'Try ads' }).click();
  await expect.poll(() => page.getByLabel('Ad tag').inputValue()).toBe(tags.wrong);
  await page.getByLabel('Break (s)').fill('10');
  await button('Try now').click();
  await page.locator('.try-result').getByText('404').first().waitFor();
  await page.getByLabel('Ad tag').fill(tags.right);
  await button('Try now').click();
  const verdict = page.locator('.try-result section').first();
  await verdict.getByText('Filled', { exact: true }).waitFor();
  await verdict.getByText('Ad spot').first().waitFor();
  await expectAccessible('try');
  await button('Use this tag').click();
  await expect.poll(() => page.getByLabel('Ad server URL').inputValue()).toBe(tags.right);
  await saveChanges();
  expect(await api('GET', '/channels/news')).toMatchObject({ adSource: { url: tags.right } });
});

test('the audit log has who changed the tag, from what to what, both times', async () => {
  await page.locator('main').getByRole('link', { name: 'History' }).click();
  await heading('Audit log').waitFor();
  const rows = page.locator('tbody tr:not(.details)', { hasText: 'adSource.url' });
  await expect.poll(() => rows.count()).toBe(2);
  expect((await rows.allInnerTexts()).every((text) => text.includes('admin@localhost') && text.includes('News'))).toBe(
    true,
  );
  for (const [nth, before, after] of [
    [0, tags.wrong, tags.right],
    [1, tags.right, tags.wrong],
  ] as const) {
    await rows.nth(nth).getByRole('button').click();
    const change = page.locator('.audit-details').nth(nth).locator('.diff > div', { hasText: 'adSource.url' });
    await change.locator('.removed').waitFor();
    expect(await change.locator('pre').allTextContents()).toEqual([before, after]);
  }
  await expectAccessible('audit');
});

test('ads are shown again, and the alert resolves', async () => {
  await browser.close();
  const viewer = await stage.watch('news', { dash: false });
  await until('an ad is shown', async () => (await stage.breaks(viewer)).some(({ status }) => status === 'filled'));
  await until('the alert resolves', async () => (await api('GET', '/alerts')).length === 0);
  await until('the event arrives', () => receiver.at('/ops').at(-1)!.message.type === 'alert.resolved');
  expect(receiver.at('/ops').every(({ isVerified }) => isVerified)).toBe(true);
  expect(viewer.faults).toEqual([]);
  expect(stage.midroll.bugs()).toEqual([]);
});
