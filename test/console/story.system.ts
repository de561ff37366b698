// SPDX-License-Identifier: Apache-2.0
// The work of an operator from start to end in a browser: from an empty installation to the reason why an ad was skipped.
// Every page is checked with axe, and every request is recorded.
import { afterAll, expect, test } from 'vitest';
import { startViewers } from '../../demo/viewers.ts';
import { opened } from '../opened.ts';
import { conflictNotice, currentStep, errorNotice, fieldError, skipReason, unsavedChange } from './locators.ts';
import { apiKey, openStage, SKIP_DURATIONS } from './stage.ts';
import { expectAccessible, page, signIn } from './startConsole.ts';

const stage = await opened(openStage());
let stopViewers = () => {};
afterAll(() => stopViewers());

const heading = (name: string | RegExp) => page.getByRole('heading', { level: 1, name });
/** @throws with the text of the preview when nothing plays */
async function untilPlaying() {
  const preview = page.getByRole('region', { name: 'Preview' });
  await preview
    .locator('[data-playing=true]')
    .waitFor()
    .catch(async (error: Error) => {
      throw new Error(`${error.message}\nPreview: ${await preview.textContent()}\n${stage.browserErrors.join('\n')}`);
    });
}
const goTo = (name: string) => page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name }).click();

test('an invalid key is rejected; a valid one leads to the first step', async () => {
  await page.goto(stage.midroll.adminUrl);
  await signIn('wrong');
  await page.getByText('Invalid API key.').waitFor();
  await expectAccessible('sign in');
  // The browser reports every failed request; this one is expected.
  expect(stage.browserErrors.splice(0).join()).toContain('403');
  await signIn(apiKey);
  await currentStep(page).waitFor();
  await expectAccessible('first run');
  await page.getByRole('link', { name: 'Create live channel' }).click();
  await page.getByLabel('Origin URL', { exact: true }).waitFor();
  await page.goBack();
  await page.getByRole('link', { name: 'Create playlist' }).click();
});

test('creates a playlist of three checked sources with two breaks', async () => {
  await heading('New playlist').waitFor();
  await page.getByLabel('Name').fill('Evening');
  await page.getByRole('button', { name: 'Paste URLs' }).click();
  await page.getByLabel('Manifest URLs').fill(stage.assets.join('\n'));
  await expectAccessible('paste URLs');
  await page.getByRole('button', { name: 'Add 3 items' }).click();
  await expect.poll(() => page.locator('li.item .badge.good').count()).toBe(3);
  const items = page.locator('li.item');
  for (const at of [0, 1]) {
    const item = items.nth(at);
    await item.getByRole('button', { name: 'Add break' }).click();
    await item.getByLabel('Duration (s)').fill('10');
    await item.getByLabel('Max ads').fill('3');
    await expect.poll(() => item.getByRole('slider').getAttribute('aria-valuenow')).toBe('4');
  }
  // One cut point forwards with the keyboard, and back; the position follows.
  const slider = items.nth(0).getByRole('slider');
  await slider.press('ArrowRight');
  await expect.poll(() => items.nth(0).getByLabel('Position (s)').inputValue()).toBe('6');
  await slider.press('ArrowLeft');
  await items.nth(2).getByRole('button', { name: 'Move three up' }).click();
  await expect.poll(() => items.nth(1).getByRole('heading').textContent()).toBe('2. three');
  await unsavedChange(page, 'one', /\b1\b.*\b1\b/).waitFor();
  // With the mouse: an item by its grip, then a break.
  await items.nth(0).locator('.grip').dragTo(items.nth(1).getByLabel('Source URL'));
  await expect.poll(() => items.nth(1).getByRole('heading').textContent()).toBe('2. one');
  await items.nth(1).locator('.grip').dragTo(items.nth(0).getByLabel('Source URL'));
  await expect.poll(() => items.nth(0).getByRole('heading').textContent()).toBe('1. one');
  await slider.hover();
  await page.mouse.down();
  await page.mouse.move(0, 300);
  await expect.poll(() => slider.getAttribute('aria-valuenow')).toBe('0');
  await page.mouse.up();
  await slider.press('PageUp');
  await expect.poll(() => slider.getAttribute('aria-valuenow')).toBe('8');
  for (const _ of [8, 6]) await slider.press('ArrowLeft');
  await expectAccessible('new playlist');
  await page.getByRole('button', { name: 'Create playlist' }).click();
  await heading('Evening').waitFor();
  await page.getByRole('button', { name: 'Show feed' }).click();
  await page.getByText('<splicetime>4000</splicetime>').first().waitFor();
  await expectAccessible('playlist');
});

test('an error that the API reports is shown at its field', async () => {
  await page.locator('li.item').nth(0).getByLabel('Duration (s)').fill('-1');
  await page.getByRole('button', { name: 'Save' }).click();
  await fieldError(page, 'Duration (s)', '0', '-1').waitFor();
  await expect.poll(() => page.evaluate('document.activeElement.value')).toBe('-1');
  expect(stage.browserErrors.splice(0).join()).toContain('422');
  await page.getByRole('button', { name: 'Discard' }).click();
  await expect.poll(() => page.locator('li.item').nth(0).getByLabel('Duration (s)').inputValue()).toBe('10');
});

test('does not overwrite a change by someone else', async () => {
  const id = /[0-9a-f-]{36}/.exec(page.url())![0];
  await page.getByLabel('Name').fill('Mine');
  expect((await stage.api('PATCH', `/playlists/${id}`, { name: 'Theirs' })).status).toBe(200);
  await page.getByRole('button', { name: 'Save' }).click();
  await conflictNotice(page).waitFor();
  expect(stage.browserErrors.splice(0).join()).toContain('412');
  await page.getByRole('button', { name: 'Load latest version' }).click();
  await heading('Theirs').waitFor();
  await page.getByLabel('Name').fill('Evening');
  await unsavedChange(page, 'Evening', 'Theirs').waitFor();
  await page.getByRole('button', { name: 'Save' }).click();
  await heading('Evening').waitFor();
});

test('creates a channel for the playlist and previews it', async () => {
  await page.getByRole('link', { name: 'Create channel' }).click();
  await page.getByLabel('Name').fill('First channel');
  await page.getByLabel('Ad server URL').fill(stage.adUrl);
  await expectAccessible('new channel');
  await page.getByRole('button', { name: 'Create channel' }).click();
  await heading(/First channel\s*On air/).waitFor();
  await page.locator('.strip').first().waitFor();
  await page.getByRole('button', { name: 'Start preview' }).click();
  await untilPlaying();
  await expectAccessible('channel');
  // The preview reports a lost connection, as during a restart, and recovers.
  const live = `${stage.midroll.liveUrl}/**`;
  await stage.context.route(live, (route) => route.abort('connectionrefused'));
  await errorNotice(page.getByRole('region', { name: 'Preview' })).waitFor({ timeout: 300_000 });
  await stage.context.unroute(live);
  await untilPlaying();
  // DASH, in the other player.
  await page.getByRole('radio', { name: 'DASH' }).check();
  await untilPlaying();
  await page.getByRole('link', { name: 'Settings' }).click();
  await page.getByLabel('Ad server URL').waitFor();
  await expectAccessible('channel settings');
  await page.getByRole('link', { name: 'Live' }).click();
  await page.getByRole('button', { name: 'Start preview' }).click();
  await untilPlaying();
});

test('an ad is delivered; its session shows why the second one was skipped', async () => {
  const link = page.getByRole('link', { name: 'View session' });
  const id = /[0-9a-f-]{36}/.exec((await link.getAttribute('href'))!)![0];
  type Ad = { adId: string; delivered?: { seconds: number } };
  const delivered = async (): Promise<number> => {
    const response = await stage.api('GET', `/sessions/${id}`);
    const { breaks } = (await response.json()) as { breaks: { ads: Ad[] }[] };
    return Math.max(0, ...breaks.flatMap(({ ads }) => ads.map((ad) => ad.delivered?.seconds ?? 0)));
  };
  await expect.poll(delivered, { timeout: 300_000, interval: 2000 }).toBeGreaterThan(1);
  await goTo('Sessions');
  await page.getByRole('link', { name: id }).waitFor();
  await expectAccessible('sessions');
  await page.getByLabel('Find session').fill(`${stage.midroll.liveUrl}/hls/x/master.m3u8?sid=${id}`);
  await page.getByRole('button', { name: 'Find' }).click();
  await heading(`Session ${id.slice(0, 8)}`).waitFor();
  await page.getByLabel('Show').selectOption('With skipped ads');
  // Until the ad is measured, the reason is that it is still being prepared.
  await skipReason(page, ...SKIP_DURATIONS).waitFor({ timeout: 300_000 });
  const adRequest = page.locator('details.ad-request').first();
  await adRequest.locator('summary').first().click();
  await adRequest.locator('details > summary').last().click();
  await page.getByText('<AdTitle>Ad too-long</AdTitle>').first().waitFor();
  await expectAccessible('session');
});

test('reports show the breaks of viewers in a chart, a table and a CSV file', async () => {
  const [{ id, apiKey: key }] = (await (await stage.api('GET', '/channels')).json()) as [
    Record<'id' | 'apiKey', string>,
  ];
  // Previews are not counted.
  stopViewers = startViewers([`${stage.midroll.liveUrl}/hls/view/${id}?api-key=${key}`], 0);
  await goTo('Reports');
  await page.getByRole('link', { name: 'Skips' }).click();
  const shown = async () => {
    await page.getByLabel('Range').selectOption('Last 24 hours');
    await page.getByLabel('Range').selectOption('Last hour');
    await page.locator('.report-totals').waitFor();
    return page.locator('.report-totals dd').allTextContents();
  };
  await expect
    .poll(async () => (await shown()).some((text) => Number.parseFloat(text) > 0), { timeout: 300_000, interval: 3000 })
    .toBe(true);
  await page.locator('.plot svg').first().waitFor();
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export CSV' }).click();
  expect((await download).suggestedFilename()).toBe('skips.csv');
  stopViewers();
  await page.getByLabel('Compare with previous day').check();
  await expectAccessible('reports');
});

test('shows creatives, systems and keys, and a new key once', async () => {
  await goTo('Creatives');
  await heading('Creatives').waitFor();
  await expectAccessible('creatives');
  await goTo('Systems');
  await page.getByRole('button', { name: 'Edit' }).first().waitFor();
  await expectAccessible('systems');
  await goTo('Keys');
  await page.getByRole('button', { name: 'Create key' }).click();
  await page.getByLabel('Name').fill('CI');
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await page.getByRole('heading', { name: 'New key' }).waitFor();
  await expectAccessible('new key');
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByText('CI').waitFor();
  await expectAccessible('keys');
});

test('no page is wider than a phone', async () => {
  await page.setViewportSize({ width: 390, height: 800 });
  for (const name of ['Channels', 'Playlists', 'Sessions', 'Reports', 'Creatives', 'Systems', 'Keys']) {
    await page.getByRole('button', { name: 'Menu' }).click();
    await goTo(name);
    await heading(name).waitFor();
    await expect.poll(() => page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
    await expectAccessible(`${name} on a phone`);
  }
});

test('requests went only to Midroll and the origin, and the browser reported no errors', async () => {
  const { adminUrl, liveUrl } = stage.midroll;
  expect([...stage.origins.page].sort()).toEqual([adminUrl, liveUrl].sort());
  expect([...stage.origins.preview].sort()).toEqual([adminUrl, liveUrl, stage.origin.url].sort());
  expect(stage.browserErrors).toEqual([]);
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByLabel('API key').waitFor();
  expect(await page.evaluate('sessionStorage.length')).toBe(0);
});

test('a revoked key signs the operator out with a notice', async () => {
  await signIn(apiKey);
  await page.getByRole('button', { name: 'Menu' }).click();
  await goTo('Channels');
  await heading('Channels').waitFor();
  const other = (await (await stage.api('POST', '/keys')).json()) as { key: string };
  const keys = (await (await stage.api('GET', '/keys')).json()) as { id: string; name?: string }[];
  const first = keys.find(({ name }) => name === 'first')!.id;
  expect((await stage.api('DELETE', `/keys/${first}`, undefined, other.key)).status).toBe(204);
  // The page polls.
  await page.locator('.sign-in .notice.warn').waitFor();
  await page.getByLabel('API key').waitFor();
});
