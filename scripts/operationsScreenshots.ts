// SPDX-License-Identifier: Apache-2.0
// The part of `npm run screenshots` that writes the pages of daily operation: overview, schedule, alerts, a tried tag, the audit log, deleted
// records, the palette. The ad server is away for a while, so that an alert fires.
import { setTimeout as sleep } from 'node:timers/promises';
import { callAdmin } from '../demo/callAdmin.ts';
import { channelId, channelKey, seed } from '../demo/seed.ts';
import { untilPlaying } from '../demo/untilPlaying.ts';
import { startViewers } from '../demo/viewers.ts';
import { startDemoServers } from '../test/servers/demoServers.ts';
import { captureConsole as capture, openConsole, signIn, stops, takeScreenshots } from './captureConsole.ts';

async function run(): Promise<void> {
  const { midroll, api, origin, adServer, close } = await startDemoServers();
  stops.push(close);
  const { adminUrl, liveUrl } = midroll;
  const create = (collection: string, record: object) =>
    callAdmin<{ id: string }>(api, 'POST', `/${collection}`, record);
  const patchChannel = (fields: object) => callAdmin(api, 'PATCH', `/channels/${channelId}`, fields);
  await seed(api, { origin, adServer });
  const webhook = await create('webhooks', { url: `${origin}/on-call`, description: 'On call' });
  const rule = { webhooks: [webhook.id], forMinutes: 1 };
  await create('alert-rules', { ...rule, kind: 'ad-server', name: 'Ad server' });
  await create('alert-rules', { ...rule, kind: 'fill', name: 'Fill' });
  await create('alert-rules', { ...rule, kind: 'off-air', name: 'Off air', webhooks: [] });
  await untilPlaying(`${liveUrl}/hls/${channelId}/master.m3u8?api-key=${channelKey}`, 90);
  const view = `${liveUrl}/hls/view/${channelId}?api-key=${channelKey}`;
  stops.push(
    startViewers(
      ['ann', 'bob', 'cem', 'dia'].map((viewer) => `${view}&viewer=${viewer}`),
      5000,
    ),
  );
  await patchChannel({ adSource: { url: `${adServer}/vsat?session=[SESSION_ID]&duration=[BREAK_DURATION]` } });
  await create('playlists', { id: 'spring', name: 'Spring special', status: 'disabled', contents: [] });
  await fetch(`${adminUrl}/api/v2/playlists/spring`, { method: 'DELETE', headers: { 'x-api-key': api.apiKey } });
  console.log('Waiting for an alert …');
  for (;;) {
    const alerts = await callAdmin<{ state: string }[]>(api, 'GET', '/alerts');
    if (alerts.some(({ state }) => state === 'firing')) break;
    await sleep(2000);
  }

  const { page, open } = await openConsole(adminUrl);
  await signIn(page, api.apiKey);
  for (const range of ['day', 'week']) {
    await open(`/channels/${channelId}?tab=schedule&view=${range}`, 'Now');
    const piece = page.locator('.piece, .schedule-list li').first();
    await capture(page, `operations/schedule-${range}`, async () => piece.waitFor());
  }
  await page.keyboard.press('Control+k');
  await capture(page, 'operations/palette', async () => page.getByRole('combobox', { name: /^Search/ }).waitFor());
  await page.keyboard.press('Escape');
  await open('/overview', 'Overview');
  await capture(page, 'operations/overview', async () => page.locator('.worst li').first().waitFor());
  await open('/alerts', 'Alerts');
  await capture(page, 'operations/alerts', async () => page.locator('ul.alerts li').first().waitFor());
  await open(`/channels/${channelId}?tab=try`, 'Try');
  await page
    .getByLabel('Ad tag')
    .fill(`${adServer}/vast?session=[SESSION_ID]&duration=[BREAK_DURATION]&max=[BREAK_MAX_ADS]`);
  await page.getByRole('button', { name: 'Try now' }).click();
  const verdict = page.getByRole('button', { name: 'Use this tag' });
  await capture(page, 'operations/try', async () => verdict.waitFor());
  await open('/audit', 'adSource');
  await capture(page, 'operations/audit', async () => page.getByText('adSource').first().waitFor());
  await open('/deleted', 'Spring special');
  await capture(page, 'operations/deleted', async () => page.getByText('Spring special').first().waitFor());

  // VoD channels cost nothing until someone watches.
  const themes = ['Films', 'Kids', 'Sport', 'News'];
  const changes = Array.from({ length: 60 }, (_, index) => {
    const theme = themes[index % themes.length];
    const body = { name: `${theme} ${index + 1}`, type: 'vod', state: index % 9 === 4 ? 'disabled' : 'enabled' };
    return { method: 'POST', path: '/api/v2/channels', body: { ...body, labels: [theme] } };
  });
  await callAdmin(api, 'POST', '/batch', { changes });
  await open('/channels', 'Films 1');
  const boxes = page.locator('.data-table tbody .pick input');
  await boxes.nth(2).click();
  await boxes.nth(6).click({ modifiers: ['Shift'] });
  await capture(page, 'operations/channels-table', async () => page.locator('.selection-bar').waitFor());
}

await takeScreenshots(run);
