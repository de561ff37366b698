// SPDX-License-Identifier: Apache-2.0
// The morning of a scheduler: a week is imported and corrected, a press conference goes on air and ends, what aired is looked at, and
// a distributor gets the guide.
import { beforeAll, expect, test } from 'vitest';
import { startOrigin } from '../../live/liveStage.ts';
import { apiKey } from '../../live/midroll.ts';
import { adSource, item, openRealStage } from '../../live/stage.ts';
import { opened } from '../../opened.ts';
import { button, dialog, expectAccessible, openBrowser, page, signIn } from '../startConsole.ts';

const stage = await opened(openRealStage());
const [origin, filler, film] = await Promise.all([
  startOrigin(stage),
  stage.video({ seconds: 8 }),
  stage.video({ seconds: 40 }),
]);
await opened(openBrowser());

const DAY = 86_400_000;
/** The Monday of the next week. */
const monday = (() => {
  const today = Math.floor(Date.now() / DAY);
  return (today - ((today + 3) % 7) + 7) * DAY;
})();
const at = (day: number, time: string) => `${new Date(monday + day * DAY).toISOString().slice(0, 10)}T${time}:00Z`;

beforeAll(async () => {
  await stage.air('city', [item(filler)], { name: 'City TV', adSource: adSource(stage.adHost, '/none') });
  await page.goto(stage.midroll.adminUrl);
  await signIn(apiKey);
  await page.getByRole('navigation', { name: 'Main' }).waitFor();
});

const open = (path: string) => page.evaluate(`location.hash = '${path}'`);
const region = (name: string) => page.getByRole('region', { name, exact: true });
const tab = (name: string) => page.getByRole('link', { name, exact: true }).click();
const block = (title: string) => page.locator('.week-piece', { hasText: title });
const schedule = async () => (await stage.midroll.api('GET', '/channels/city/schedule')).json;

test('a week is imported from a spreadsheet: its error is named with its line before anything is stored', async () => {
  await open(`/channels/city/programme?week=${at(0, '00:00').slice(0, 10)}`);
  await button('Start schedule').click();
  const csv = [
    'id,start,title,url,duration,subtitle,categories',
    `breakfast,${at(0, '06:00')},Breakfast,${film},3600,Good morning,News`,
    `film,${at(0, '20:00')},The Harbour,${film},5400,,Drama`,
    `late,tonight,Late talk,${film},1800,,Talk`,
  ].join('\n');
  await button('Import').click();
  await expectAccessible('import');
  await dialog()
    .getByLabel('File')
    .setInputFiles({ name: 'week.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) });
  await dialog().getByRole('button', { name: 'Check' }).click();
  await dialog()
    .getByText(/2 programmes can be imported, 1 left out: 1 error/)
    .waitFor();
  await dialog()
    .getByText(/Line 4: start/)
    .waitFor();
  await expectAccessible('errors of an import');
  expect((await schedule()).entries).toEqual([]);
  await dialog().getByRole('button', { name: 'Import' }).click();
  await block('The Harbour').waitFor();
  expect((await schedule()).entries.map(({ id }: { id: string }) => id)).toEqual(['breakfast', 'film']);
});

test('a programme is moved by an hour', async () => {
  await block('The Harbour').focus();
  for (let count = 0; count < 12; count += 1) await page.keyboard.press('Shift+ArrowDown');
  await expect.poll(() => block('The Harbour').getAttribute('aria-label')).toContain('21:00');
  await button('Check').click();
  await button('Save').click();
  await expect.poll(async () => (await schedule()).entries.at(-1).start).toBe(at(0, '21:00').replace('Z', '.000Z'));
});

test('a live programme is planned with its origin', async () => {
  await block('Filler').last().click();
  await page.getByLabel('Title', { exact: true }).fill('Council meeting');
  await page.getByRole('radio', { name: 'Live' }).click();
  await page.getByLabel('Origin URL').fill(`${stage.origin.url}/none.m3u8`);
  await page.getByLabel('Planned duration (s)').fill('1800');
  await button('Check').click();
  await region('Warnings')
    .getByText(/Council meeting.*cannot be played/)
    .waitFor();
  await page.getByLabel('Origin URL').fill(origin.hlsUrl);
  await expectAccessible('live programme');
  await button('Check').click();
  await expect.poll(() => region('Warnings').getByText('Council meeting').count()).toBe(0);
  await button('Save').click();
  await expect.poll(async () => (await schedule()).entries.length).toBe(3);
});

test('a press conference goes on air at once and is ended', async () => {
  await tab('On air');
  await button('Go live').click();
  await dialog().getByLabel('Title').fill('Press conference');
  await dialog().getByLabel('Origin URL').fill(origin.hlsUrl);
  await expectAccessible('go live');
  await dialog().getByRole('button', { name: 'Go live' }).click();
  const onAir = (name: string) => expect.poll(() => region('On air').getByRole('heading', { name }).count()).toBe(1);
  await onAir('Press conference');
  await button('End programme').click();
  await dialog().getByRole('button', { name: 'End programme' }).click();
  await onAir('Filler');
  await tab('As run');
  // Of slate in its place until its origin is read, there is a row of its own.
  const name = page.locator('td.name', { hasText: /^Press conference/ });
  const rows = page.locator('tbody tr', { has: name });
  await expect.poll(() => rows.count()).toBeGreaterThan(0);
  await expect.poll(() => rows.locator('.badge').count()).toBe(0);
});

test('the guide has what aired and what will air, and a distributor gets it', async () => {
  await tab('Guide');
  await region('Guide').getByText('Press conference').waitFor();
  await page.getByLabel('Day').fill(at(0, '00:00').slice(0, 10));
  await region('Guide').getByText('Good morning').waitFor();
  await expectAccessible('guide');
  await open('/channels/city?tab=distributors');
  await button('Add distributor').click();
  await dialog().getByLabel('Name').fill('Metro Cable');
  await expectAccessible('add a distributor');
  await dialog().getByRole('button', { name: 'Add', exact: true }).click();
  const url = await dialog().locator('.copy-line', { hasText: 'XMLTV' }).locator('code').textContent();
  const response = await fetch(`${url}`);
  expect(response.status).toBe(200);
  expect(await response.text()).toMatch(/<title[^>]*>The Harbour<\/title>/);
  await expectAccessible('URLs of a distributor');
  await dialog().getByRole('button', { name: 'Done' }).click();
  const metro = page.locator('tbody tr', { hasText: 'Metro Cable' });
  await metro.getByText('Date ranges and CUE tags').waitFor();
  await expect.poll(() => metro.getByText('Never', { exact: true }).count()).toBe(0);
  await metro.getByRole('button', { name: 'Edit' }).click();
  await dialog().getByLabel('State').selectOption('Disabled');
  await dialog().getByRole('button', { name: 'Save' }).click();
  await metro.getByText('Disabled').waitFor();
  await expect.poll(async () => (await fetch(`${url}`)).status).toBe(403);
  await expectAccessible('distributors');
});
