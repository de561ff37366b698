// SPDX-License-Identifier: Apache-2.0
// The console with live channels on air: origins with a backup that fail, breaks that an operator inserts, ends and cancels.
import type { Locator } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { startOrigin } from '../live/liveStage.ts';
import { apiKey } from '../live/midroll.ts';
import { item, openRealStage } from '../live/stage.ts';
import { opened } from '../opened.ts';
import { fieldError } from './locators.ts';
import { button, dialog, expectAccessible, openBrowser, page, signIn } from './startConsole.ts';

const stage = await opened(openRealStage());
const [origin, backup] = await Promise.all([startOrigin(stage), startOrigin(stage)]);
await opened(openBrowser());
beforeAll(async () => {
  await page.goto(stage.midroll.adminUrl);
  await signIn(apiKey);
  await page.getByRole('navigation', { name: 'Main' }).waitFor();
});

const open = (path: string) => page.evaluate(`location.hash = '${path}'`);
const region = (name: string): Locator => page.getByRole('region', { name, exact: true });
const row = (...texts: (string | RegExp)[]): Locator =>
  texts.reduce<Locator>((rows, hasText) => rows.filter({ hasText }), region('Breaks').locator('tbody tr')).first();

type Inserted = { readonly source: string; readonly state: string; readonly kind: string; readonly sourceId: string };
async function inserted(channel: string): Promise<Inserted[]> {
  const { json } = await stage.midroll.api('GET', `/channels/${channel}/breaks`);
  return json.items.filter(({ source }: Inserted) => source === 'api');
}

test('the origin and its backup are analysed before the channel is created', async () => {
  await open('/channels/~new');
  await page.getByLabel('ID').fill('desk');
  await page.getByLabel('Type').selectOption('Live channel');
  await page.getByLabel('Origin URL', { exact: true }).fill(origin.hlsUrl);
  for (const [at, url] of ['', backup.hlsUrl].entries()) {
    await page.getByRole('button', { name: 'Add backup origin' }).click();
    await page.getByLabel(`Backup origin ${at + 1}`, { exact: true }).fill(url);
  }
  await page.getByRole('button', { name: 'Move backup origin 2 up' }).click();
  await page.getByLabel('Prefetch').selectOption('Decisions');
  await page.getByRole('button', { name: 'Analyse' }).click();
  for (const name of ['Origin', 'Backup origin 1']) await region(name).getByText('Playable', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Create channel' }).click();
  await page.getByRole('heading', { level: 1, name: 'desk' }).waitFor();
  const { json } = await stage.midroll.api('GET', '/channels/desk');
  expect(json).toMatchObject({ backupManifestUrls: [backup.hlsUrl], prefetch: 'decision' });
});

test('a break is inserted after its effect is stated, once, and ended after a confirmation', async () => {
  const { json: channel } = await stage.midroll.api('GET', '/channels/desk');
  await stage.watch('desk', { apiKey: channel.apiKey, isTimed: false, dash: false });
  const viewers = async () => (await stage.midroll.api('GET', '/on-air')).json[0].viewers;
  await expect.poll(viewers).toBe(1);
  await region('HLS origin').getByText('Working', { exact: true }).first().waitFor();
  await page.getByRole('button', { name: 'Insert break' }).click();
  await dialog().getByText('1 viewer will see').waitFor();
  await dialog().getByLabel('Duration (s)').fill('9999');
  await dialog().getByRole('button', { name: 'Insert break' }).click();
  await fieldError(page, 'Duration (s)', '9999').waitFor();
  await dialog().getByLabel('Duration (s)').fill('170');
  await expectAccessible('insert a break');
  await dialog().getByRole('button', { name: 'Insert break' }).dblclick();
  await dialog().waitFor({ state: 'hidden' });
  await region('Break on air').waitFor();
  expect(await inserted('desk')).toHaveLength(1);
  await region('Break on air').getByRole('button', { name: 'End break' }).click();
  await dialog().getByText('1 viewer will return').waitFor();
  await dialog().getByRole('button', { name: 'Cancel' }).click();
  await region('Break on air').getByRole('button', { name: 'End break' }).click();
  await dialog().getByRole('button', { name: 'End break' }).click();
  await region('Break on air').waitFor({ state: 'hidden' });
  await row('Inserted', 'Ended', /of 2 min 50 s/).waitFor();
});

test('an announced break is cancelled, a blackout lasts until it is ended', async () => {
  await page.getByRole('button', { name: 'Insert break' }).click();
  await dialog().getByRole('radio', { name: 'At a time' }).check();
  await dialog().getByLabel('Start time').fill('2001-01-01T00:00:00');
  await dialog().getByRole('button', { name: 'Insert break' }).click();
  await fieldError(page, 'Start time', '2001').waitFor();
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 19);
  await dialog().getByLabel('Start time').fill(tomorrow);
  await dialog().getByRole('button', { name: 'Insert break' }).click();
  await row('Announced').getByRole('button', { name: 'Cancel break' }).click();
  await dialog().getByRole('button', { name: 'Cancel break' }).click();
  await row('Announced').waitFor({ state: 'hidden' });
  await page.getByRole('button', { name: 'Blackout', exact: true }).click();
  await dialog().getByText('slate until you end').waitFor();
  const asset = await stage.spot(4);
  await dialog().getByLabel('Asset URL').fill(asset);
  await dialog().getByRole('button', { name: 'Start blackout' }).click();
  await region('Blackout on air').waitFor();
  await button(/^Details/, row('Blackout')).click();
  await region('Breaks').locator('tr.details').getByText(asset).waitFor();
  await region('Breaks').locator('tr.details').getByText('Ready', { exact: true }).waitFor();
  await expectAccessible('blackout');
  await region('Blackout on air').getByRole('button', { name: 'End blackout' }).click();
  await dialog().getByRole('button', { name: 'End blackout' }).click();
  await region('Blackout on air').waitFor({ state: 'hidden' });
  expect((await inserted('desk')).filter(({ kind }) => kind === 'blackout')).toMatchObject([{ state: 'ended' }]);
});

test('an origin that fails is replaced by its backup, then by slate; its health over time states both', async () => {
  const hls = region('HLS origin');
  const repair = origin.fail(() => ({ does: 'respond', status: 503 }));
  await hls.getByText('Backup origin', { exact: false }).first().waitFor();
  await hls.getByText(/503/).first().waitFor();
  await region('Backups').getByText('On air').waitFor();
  await backup.stop();
  await hls.getByText('Viewers see').locator('..').getByText('Slate').waitFor();
  await expectAccessible('slate on air');
  repair();
  await hls.getByText('Viewers see').locator('..').getByText('Origin').waitFor();
  for (const phase of ['Working', 'Backup', 'Slate']) await hls.locator('.legend').getByText(phase).waitFor();
  await hls.getByText(/^Events/).click();
  await hls.locator('.events li').nth(2).waitFor();
  const eventPhases = await hls.locator('.events .badge').allTextContents();
  expect(eventPhases).toEqual(expect.arrayContaining(['Working', 'Backup', 'Slate']));
  await page.setViewportSize({ width: 400, height: 800 });
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(400);
  await page.setViewportSize({ width: 1280, height: 900 });
});

test('a linear channel has inserted breaks, too', async () => {
  const url = await stage.video({ seconds: 60 });
  await stage.air('loop', [item(url)]);
  await open('/channels/loop');
  await page.locator('.upcoming li').first().waitFor();
  await page.getByRole('button', { name: 'Insert break' }).click();
  await dialog().getByRole('button', { name: 'Insert break' }).click();
  await row('Inserted').waitFor();
  expect(await inserted('loop')).toHaveLength(1);
});
