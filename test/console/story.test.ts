// The whole story as an operator lives it, in a browser: from an empty installation to the reason why an ad was not
// shown. On the way every page is looked at by axe, and every request is noted.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { seriousFaults } from './axe.ts';
import { change, changedByOthers, failed, nextStep, whyNot, wrong } from './said.ts';
import { apiKey, openStage, type Stage, WHY } from './stage.ts';

let stage: Stage;
let page: Page;
beforeAll(async () => {
  stage = await openStage();
  page = await stage.context.newPage();
  page.setDefaultTimeout(300_000);
});
afterAll(() => stage?.close());

const expectAccessible = async (where: string) => expect([where, await seriousFaults(page)]).toEqual([where, []]);
const heading = (name: string | RegExp) => page.getByRole('heading', { level: 1, name });
/** Says what the page says when nothing plays. */
async function untilPlaying() {
  const preview = page.getByRole('region', { name: 'Preview' });
  await preview
    .locator('[data-playing=true]')
    .waitFor()
    .catch(async (error: Error) => {
      throw new Error(
        `${error.message}\nThe preview says: ${await preview.textContent()}\n${stage.complaints.join('\n')}`,
      );
    });
}
const goTo = (name: string) => page.getByRole('navigation', { name: 'Console' }).getByRole('link', { name }).click();

test('who has no good key does not get in; who has one is shown the way', async () => {
  await page.goto(stage.midroll.adminUrl);
  await page.getByLabel('API key').fill('wrong');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText('Invalid API key.').waitFor();
  await expectAccessible('sign in');
  // The browser tells of every refused request; this one was meant.
  expect(stage.complaints.splice(0).join()).toContain('403');
  await page.getByLabel('API key').fill(apiKey);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await nextStep(page).waitFor();
  await expectAccessible('first run');
  await page.getByRole('link', { name: 'Make a playlist' }).click();
});

test('a playlist of three addresses, each checked at once, with two breaks', async () => {
  await heading('New playlist').waitFor();
  await page.getByLabel('Name').fill('Evening');
  await page.getByRole('button', { name: 'Paste a list' }).click();
  await page.getByLabel('Addresses of HLS or DASH manifests').fill(stage.films.join('\n'));
  await expectAccessible('paste a list');
  await page.getByRole('button', { name: 'Add 3 items' }).click();
  await expect.poll(() => page.locator('li.item .badge.good').count()).toBe(3);
  const items = page.locator('li.item');
  for (const at of [0, 1]) {
    const item = items.nth(at);
    await item.getByRole('button', { name: 'Add a break' }).click();
    await item.getByLabel('Seconds long').fill('10');
    await item.getByLabel('Ads at most').fill('3');
    await expect.poll(() => item.getByRole('slider').getAttribute('aria-valuenow')).toBe('4');
  }
  // One cut point on, by the keyboard; the number follows, and back.
  const slider = items.nth(0).getByRole('slider');
  await slider.press('ArrowRight');
  await expect.poll(() => items.nth(0).getByLabel('At second').inputValue()).toBe('6');
  await slider.press('ArrowLeft');
  await items.nth(2).getByRole('button', { name: 'Move three up' }).click();
  await expect.poll(() => items.nth(1).getByRole('heading').textContent()).toBe('2. three');
  await change(page, 'one', /\b1\b.*\b1\b/).waitFor();
  // And with the mouse: an item by its grip, a break by itself.
  await items.nth(0).locator('.grip').dragTo(items.nth(1).getByLabel('Source'));
  await expect.poll(() => items.nth(1).getByRole('heading').textContent()).toBe('2. one');
  await items.nth(1).locator('.grip').dragTo(items.nth(0).getByLabel('Source'));
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
  await page.getByRole('button', { name: 'Create the playlist' }).click();
  await heading('Evening').waitFor();
  await page.getByRole('button', { name: 'Show the feed' }).click();
  await page.getByText('<splicetime>4000</splicetime>').first().waitFor();
  await expectAccessible('playlist');
});

test('what the interface refuses stands at its field', async () => {
  await page.locator('li.item').nth(0).getByLabel('Seconds long').fill('-1');
  await page.getByRole('button', { name: 'Save' }).click();
  await wrong(page, 'Seconds long', '0', '-1').waitFor();
  await expect.poll(() => page.evaluate('document.activeElement.value')).toBe('-1');
  expect(stage.complaints.splice(0).join()).toContain('422');
  await page.getByRole('button', { name: 'Discard' }).click();
  await expect.poll(() => page.locator('li.item').nth(0).getByLabel('Seconds long').inputValue()).toBe('10');
});

test('what somebody else changed meanwhile is not overwritten', async () => {
  const id = /[0-9a-f-]{36}/.exec(page.url())![0];
  await page.getByLabel('Name').fill('Mine');
  expect((await stage.api('PATCH', `/playlists/${id}`, { name: 'Theirs' })).status).toBe(200);
  await page.getByRole('button', { name: 'Save' }).click();
  await changedByOthers(page).waitFor();
  expect(stage.complaints.splice(0).join()).toContain('412');
  await page.getByRole('button', { name: 'Show their version' }).click();
  await heading('Theirs').waitFor();
  await page.getByLabel('Name').fill('Evening');
  await change(page, 'Evening', 'Theirs').waitFor();
  await page.getByRole('button', { name: 'Save' }).click();
  await heading('Evening').waitFor();
});

test('a channel for it comes on air and is watched here', async () => {
  await page.getByRole('link', { name: 'Create a channel for it' }).click();
  await page.getByLabel('Name').fill('First channel');
  await page.getByLabel('Ad server').fill(stage.adUrl);
  await expectAccessible('new channel');
  await page.getByRole('button', { name: 'Create the channel' }).click();
  await heading(/First channel\s*On air/).waitFor();
  await page.locator('.strip').first().waitFor();
  await page.getByRole('button', { name: 'Watch the channel' }).click();
  await untilPlaying();
  await expectAccessible('channel');
  // What is cut off for a while, as by a restart, is told and taken up again.
  const live = `${stage.midroll.liveUrl}/**`;
  await stage.context.route(live, (route) => route.abort('connectionrefused'));
  await failed(page.getByRole('region', { name: 'Preview' })).waitFor({ timeout: 300_000 });
  await stage.context.unroute(live);
  await untilPlaying();
  // The other way round: DASH, in the other player.
  await page.getByRole('radio', { name: 'DASH' }).check();
  await untilPlaying();
  await page.getByRole('link', { name: 'Settings' }).click();
  await page.getByLabel('Ad server').waitFor();
  await expectAccessible('channel settings');
  await page.getByRole('link', { name: 'Live' }).click();
  await page.getByRole('button', { name: 'Watch the channel' }).click();
  await untilPlaying();
});

test('an ad plays; its session says why the second was not shown', async () => {
  const link = page.getByRole('link', { name: 'Why these ads?' });
  const id = /[0-9a-f-]{36}/.exec((await link.getAttribute('href'))!)![0];
  type Ad = { adId: string; delivered?: { seconds: number } };
  const delivered = async (): Promise<number> => {
    const answer = await stage.api('GET', `/sessions/${id}`);
    const { breaks } = (await answer.json()) as { breaks: { ads: Ad[] }[] };
    return Math.max(0, ...breaks.flatMap(({ ads }) => ads.map((ad) => ad.delivered?.seconds ?? 0)));
  };
  await expect.poll(delivered, { timeout: 300_000, interval: 2000 }).toBeGreaterThan(1);
  await goTo('Sessions');
  await page.getByRole('link', { name: id }).waitFor();
  await expectAccessible('sessions');
  await page.getByLabel('Find a session').fill(`${stage.midroll.liveUrl}/hls/x/master.m3u8?sid=${id}`);
  await page.getByRole('button', { name: 'Find' }).click();
  await heading(`Session ${id.slice(0, 8)}`).waitFor();
  await page.getByLabel('Show').selectOption('With an ad that was not shown');
  // Until it has been measured, the reason is that it is still being prepared.
  await whyNot(page, ...WHY).waitFor({ timeout: 300_000 });
  const asked = page.locator('details.asked').first();
  await asked.locator('summary').first().click();
  await asked.locator('details > summary').last().click();
  await page.getByText('<AdTitle>Ad too-long</AdTitle>').first().waitFor();
  await expectAccessible('session');
});

test('it is in the reports, in a chart, a table and a file', async () => {
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
  await page.locator('.uplot canvas').first().waitFor();
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save as CSV' }).click();
  expect((await download).suggestedFilename()).toBe('skips.csv');
  await page.getByLabel('Beside the day before').check();
  await expectAccessible('reports');
});

test('creatives, systems and keys; a key is shown once', async () => {
  await goTo('Creatives');
  await heading('Creatives').waitFor();
  await expectAccessible('creatives');
  await goTo('Systems');
  await page.getByRole('button', { name: 'Edit' }).first().waitFor();
  await expectAccessible('systems');
  await goTo('Keys');
  await page.getByRole('button', { name: 'Create a key' }).click();
  await page.getByLabel('What it is for').fill('CI');
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await page.getByRole('heading', { name: 'Your new key' }).waitFor();
  await expectAccessible('new key');
  await page.getByRole('button', { name: 'I have it' }).click();
  await page.getByText('CI').waitFor();
  await expectAccessible('keys');
});

test('on a phone nothing is wider than the screen', async () => {
  await page.setViewportSize({ width: 390, height: 800 });
  for (const name of ['Channels', 'Playlists', 'Sessions', 'Reports', 'Creatives', 'Systems', 'Keys']) {
    await page.getByRole('button', { name: 'Menu' }).click();
    await goTo(name);
    await heading(name).waitFor();
    await expect.poll(() => page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
    await expectAccessible(`${name} on a phone`);
  }
});

test('nobody else was asked, and the browser had nothing to complain of', async () => {
  const { adminUrl, liveUrl } = stage.midroll;
  expect([...stage.asked.page].sort()).toEqual([adminUrl, liveUrl].sort());
  expect([...stage.asked.preview].sort()).toEqual([adminUrl, liveUrl, stage.origin.url].sort());
  expect(stage.complaints).toEqual([]);
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByLabel('API key').waitFor();
  expect(await page.evaluate('sessionStorage.length')).toBe(0);
});

test('whose key is revoked is shown out, and told why', async () => {
  await page.getByLabel('API key').fill(apiKey);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('button', { name: 'Menu' }).click();
  await goTo('Channels');
  await heading('Channels').waitFor();
  const made = (await (await stage.api('POST', '/keys')).json()) as { key: string };
  const keys = (await (await stage.api('GET', '/keys')).json()) as { id: string; name?: string }[];
  const first = keys.find(({ name }) => name === 'first')!.id;
  expect((await stage.api('DELETE', `/keys/${first}`, undefined, made.key)).status).toBe(204);
  // The page asks again by itself.
  await page.locator('.sign-in .notice.warn').waitFor();
  await page.getByLabel('API key').waitFor();
});
