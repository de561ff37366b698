// SPDX-License-Identifier: Apache-2.0
// The alerts of the console: a webhook and a rule are created, an alert fires and resolves on another node, and the console
// shows both at once.
import { beforeAll, expect, test } from 'vitest';
import type { AlertEvent } from '../../src/platform/alerts/rules/event.ts';
import { sqlAlerts } from '../../src/platform/alerts/store/sqlAlerts.ts';
import { millis } from '../../src/time/units.ts';
import type { AdminTest } from '../servers/adminServer.ts';
import { fieldError } from './locators.ts';
import { button, expectAccessible, fileConsole, page } from './startConsole.ts';

const desk = await fileConsole();
beforeAll(async () => {
  await desk.api('POST', '/channels', { id: 'news', name: 'News', type: 'vod2live', apiKey: 'k' });
});

const bell = () => page.locator('nav .alert-count');

/** What a node that evaluates rules does. */
async function report(
  admin: AdminTest,
  state: AlertEvent['state'],
  rule: { id: string; name: string },
  name = `Fill is ${state}`,
  channel = 'news',
): Promise<void> {
  const alerts = sqlAlerts(admin.store);
  const at = millis(Date.now());
  await alerts.lead('other', at, millis(at + 1000));
  const event: AlertEvent = {
    id: channel === 'news' ? `evt_${state}` : `evt_${state}_${channel}`,
    tenant: 'acme',
    at,
    state,
    alert: channel === 'news' ? 'evt_firing' : `evt_firing_${channel}`,
    since: at,
    channel: { id: channel, name: channel === 'news' ? 'News' : channel },
    ...(state === 'firing' ? { value: 12.5, valueAtStart: 12.5, unit: '%' } : {}),
    rule: { ...rule, kind: 'fill' },
    text: name,
    severity: 'warning',
  };
  const key = { tenant: 'acme', ruleId: rule.id, channelId: channel, deliveries: [], event };
  const next = {
    state: { phase: 'firing', reportedAt: at, since: at, seenAt: at, last: { value: 40, at } } as const,
    event,
  };
  await alerts.commit('other', { ...key, next: state === 'resolved' ? undefined : next });
  admin.deps.alerts.streams.wake();
}

test('a webhook is created with a secret that is shown once, tested, and its delivery retried', async () => {
  await desk.open('/alerts/webhooks');
  await button('Add receiver').click();
  await page.getByLabel('URL').fill('not a url at all');
  await page.locator('dialog form').evaluate((form) => form.setAttribute('novalidate', ''));
  await button('Save').click();
  await fieldError(page, 'URL').waitFor();
  await page.getByLabel('URL').fill('http://127.0.0.1:9/hook');
  await page.getByLabel('Description').fill('On call');
  await button('Save').click();
  await page.getByText(/^whsec_/).waitFor();
  await button('Done').click();
  await page.getByRole('heading', { name: 'On call' }).waitFor();
  expect(await page.getByText(/whsec_/).count()).toBe(0);
  await button('Send test').click();
  await page.getByRole('cell', { name: 'Pending' }).waitFor();
  await page.locator('table').getByRole('button', { name: 'Retry' }).click();
  await page.getByRole('cell', { name: 'Pending' }).waitFor();
  await expectAccessible();
});

test('a rule is created in words, and edited', async () => {
  await desk.open('/alerts/rules');
  await button('Add rule').click();
  await page.getByRole('combobox', { name: 'Channels' }).fill('News');
  await page.getByRole('option', { name: 'News' }).click();
  await page.getByRole('checkbox', { name: 'On call' }).check();
  await page.getByText('Fill below 80% for 5 minutes on News').waitFor();
  await expectAccessible();
  await button('Save').click();
  await page.locator('.alerts li').waitFor();
  await button('Edit').click();
  await page.getByLabel('Below (%)').fill('70');
  await button('Save').click();
  // The dialog contains the same words before it has saved.
  const stored = async () => (await desk.api<{ id: string }[]>('GET', '/alert-rules'))[0];
  const expected = { kind: 'fill', belowPercent: 70, channels: ['news'], webhooks: [expect.any(String)] };
  await expect.poll(stored).toMatchObject(expected);
  await page.getByText('Fill below 70% for 5 minutes on News').first().waitFor();
});

test('a new alert appears at once, with a toast and a count, and disappears when it resolves', async () => {
  const [rule] = await desk.api<{ id: string; name: string }[]>('GET', '/alert-rules');
  await desk.open('/alerts');
  await page.locator('.empty').waitFor();
  expect(await bell().count()).toBe(0);
  await report(desk.admin, 'firing', rule!);
  await page.locator('.toast', { hasText: 'Fill is firing' }).waitFor();
  await page
    .locator('.alerts > li', { hasText: `${rule!.name}: News` })
    .getByText('now 40%')
    .waitFor();
  await expect.poll(() => bell().textContent()).toContain('1');
  await expectAccessible();
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole('link', { name: '1 alert firing' }).waitFor();
  await expectAccessible();
  await page.setViewportSize({ width: 1280, height: 900 });
  await report(desk.admin, 'resolved', rule!);
  await page.locator('.empty').waitFor();
  await expect.poll(() => bell().count()).toBe(0);
  await page.getByRole('link', { name: 'History' }).click();
  await expect.poll(() => page.locator('.alerts li').count()).toBe(2);
});

test('the history has pages, and a filter starts at the first one', async () => {
  const [rule] = await desk.api<{ id: string; name: string }[]>('GET', '/alert-rules');
  for (let nth = 1; nth <= 60; nth += 1) await report(desk.admin, 'reminder', rule!, `Reminder ${nth}`);
  await desk.open('/alerts/history');
  const items = () => page.locator('.alerts li p:first-child').allTextContents();
  await expect.poll(items).toHaveLength(50);
  expect((await items())[0]).toBe('Reminder 60');
  await button('Older').click();
  await expect.poll(items).toHaveLength(12);
  expect((await items())[0]).toBe('Reminder 10');
  expect(await button('Older').isDisabled()).toBe(true);
  await expectAccessible();
  await page.getByLabel('State').selectOption('firing');
  await expect.poll(items).toEqual(['Fill is firing']);
  expect(await button('Newer').count()).toBe(0);
  await page.getByLabel('State').selectOption('all');
  await expect.poll(async () => (await items())[0]).toBe('Reminder 60');
});

test('receivers of every type are created by a form that shows their fields', async () => {
  await desk.open('/alerts/webhooks');
  await button('Add receiver').click();
  await page.getByLabel('Type').selectOption('email');
  await page.getByLabel('Addresses').fill('ann@example.com, bob');
  await button('Save').click();
  await fieldError(page, 'Addresses').waitFor();
  await page.getByLabel('Addresses').fill('ann@example.com, bob@example.com');
  await expectAccessible();
  await button('Save').click();
  await page.getByRole('heading', { name: 'ann@example.com, bob@example.com' }).waitFor();
  await button('Add receiver').click();
  await page.getByLabel('Type').selectOption('pagerduty');
  await page.getByLabel('Routing key').fill('0123456789abcdef');
  await page.getByLabel('Description').fill('Pager');
  await button('Save').click();
  await page.getByRole('heading', { name: 'Pager' }).waitFor();
  const stored = await desk.api<{ type: string; grouped: boolean }[]>('GET', '/webhooks');
  expect(stored).toMatchObject([
    { type: 'pagerduty', routingKey: '0123456789abcdef', grouped: true },
    { type: 'email', to: ['ann@example.com', 'bob@example.com'], grouped: true },
    { type: 'webhook', grouped: false },
  ]);
});

const card = () => page.locator('.alerts > li');
/** How many alerts have a text. */
const marks = (text: RegExp) => expect.poll(() => card().getByText(text).count());

test('alerts of one rule are one card, are acknowledged together, and are silenced until a time', async () => {
  const [rule] = await desk.api<{ id: string; name: string }[]>('GET', '/alert-rules');
  await report(desk.admin, 'resolved', rule!);
  for (const id of ['sports', 'films']) {
    await desk.api('POST', '/channels', { id, type: 'vod2live', apiKey: 'k' });
    await report(desk.admin, 'firing', rule!, `Fill of ${id} is low`, id);
  }
  await desk.open('/alerts');
  await card().getByRole('heading', { name: '2 channels' }).waitFor();
  await card().getByText('12.5% at the start, now 40%').first().waitFor();
  const [shown, list] = await Promise.all([card().boundingBox(), page.locator('.alerts').boundingBox()]);
  expect(shown!.width).toBe(list!.width);
  await button('Acknowledge all').click();
  await marks(/^Acknowledged by ann@example.com/).toBe(2);
  expect(await button('Acknowledge all').count()).toBe(0);
  await button('Silence…').click();
  await page.getByLabel('For').selectOption('4 hours');
  await page.getByLabel('Reason').fill('Ad server is replaced');
  await expectAccessible();
  await page.getByRole('dialog').getByRole('button', { name: 'Silence', exact: true }).click();
  await marks(/^Silenced by ann@example.com until/).toBe(2);
  await page.getByText('Ad server is replaced').waitFor();
  const alerts = await desk.api<{ silenced?: object; acknowledged?: object }[]>('GET', '/alerts?state=firing');
  expect(alerts.every(({ silenced, acknowledged }) => silenced !== undefined && acknowledged !== undefined)).toBe(true);
  for (const scheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme: scheme });
    for (const width of [390, 1280]) {
      await page.setViewportSize({ width, height: 900 });
      await expectAccessible(`${scheme}, ${width} pixels`);
    }
  }
  await button('End').click();
  await marks(/^Silenced by/).toBe(0);
});

test('one alert is silenced and unsilenced, and is shown on its channel', async () => {
  const [rule] = await desk.api<{ id: string; name: string }[]>('GET', '/alert-rules');
  await report(desk.admin, 'resolved', rule!, 'Over', 'films');
  await desk.open('/channels/sports');
  await page
    .locator('.notice', { hasText: `Alert ${rule!.name} since` })
    .getByText('now 40%')
    .waitFor();
  await page.locator('.notice').getByRole('link', { name: 'Alert' }).click();
  await card()
    .getByRole('heading', { name: `${rule!.name}: sports` })
    .waitFor();
  await button('Silence…').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Silence', exact: true }).click();
  await card()
    .getByText(/^Silenced by/)
    .waitFor();
  await button('Unsilence').click();
  await marks(/^Silenced by/).toBe(0);
  const runbook = await card().getByRole('link', { name: 'Runbook' }).getAttribute('href');
  const response = await page.request.get(new URL(runbook!, page.url().replace(/#.*/, '')).href);
  expect([response.status(), response.headers()['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
});
