// SPDX-License-Identifier: Apache-2.0
// The programme schedule of a linear channel in a browser, on a Midroll that lays it out: a week that a scheduler moves, copies,
// repeats, checks, saves and undoes, and what is on air on a phone.
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { opened } from '../../opened.ts';
import { apiKey, openStage } from '../stage.ts';
import { button, dialog, expectAccessible, page, signIn } from '../startConsole.ts';

const stage = await opened(openStage());
const DAY = 86_400_000;
/** The Monday of the next week, so that nothing of it is on air. */
const monday = (() => {
  const today = Math.floor(Date.now() / DAY);
  return (today - ((today + 3) % 7) + 7) * DAY;
})();
const at = (day: number, time: string) => `${new Date(monday + day * DAY).toISOString().slice(0, 10)}T${time}:00.000Z`;
const PATH = '/channels/harbour/schedule';

async function send(method: string, path: string, body?: object) {
  const response = await stage.api(method, path, body);
  const text = await response.text();
  expect([method, path, response.status, response.ok ? '' : text]).toEqual([method, path, response.status, '']);
  return text === '' ? undefined : JSON.parse(text);
}
/** Of the demo's video of 48 seconds. */
const playlist = (id: string, count: number) => {
  const item = { sourceType: 'url', url: `${stage.origin.url}/tide/master.m3u8` };
  return send('POST', '/playlists', { id, name: id, contents: new Array(count).fill(item) });
};

const week = () => ({
  entries: [
    { id: 'morning', title: 'Morning matters', start: at(0, '08:00'), source: { playlistId: 'hour' } },
    { id: 'weather', title: 'Weather', source: { playlistId: 'half' } },
    { id: 'film', title: 'The Harbour', start: at(0, '20:00'), source: { playlistId: 'hour' } },
    { id: 'news', title: 'News at nine', start: at(1, '21:30'), source: { playlistId: 'half' } },
  ],
  rules: [
    {
      id: 'noon',
      at: '12:00',
      days: ['tue', 'thu'],
      entries: [{ id: 'q', title: 'Quiz', source: { playlistId: 'half' } }],
    },
  ],
});

beforeAll(async () => {
  await playlist('promos', 1);
  await playlist('half', 37);
  await playlist('hour', 75);
  await send('POST', '/channels', {
    ...{ id: 'harbour', name: 'Harbour TV', type: 'vod2live', state: 'enabled', apiKey: 'key', playlistId: 'promos' },
  });
  await page.goto(stage.midroll.adminUrl);
  await signIn(apiKey);
  await page.getByRole('navigation', { name: 'Main' }).waitFor();
});
beforeEach(() => page.setViewportSize({ width: 1280, height: 900 }));

const open = async (path: string) => {
  await page.evaluate(`location.hash = '${path}'`);
  await page.reload();
};
const openWeek = async () => {
  await send('PUT', PATH, week());
  await open(`/channels/harbour/programme?week=${at(0, '00:00').slice(0, 10)}`);
  await block('The Harbour').first().waitFor();
};
const block = (title: string) => page.locator('.week-piece', { hasText: title });
const label = (title: string, nth = 0) => block(title).nth(nth).getAttribute('aria-label');
const startOf = async (id: string): Promise<string> =>
  (await send('GET', PATH)).entries.find((entry: { id: string }) => entry.id === id)?.start;
const warnings = () => page.getByRole('region', { name: 'Warnings' });
const toast = (name: string) => page.getByRole('region', { name: 'Notifications' }).getByRole('button', { name });

/** @param hours down @param days to the right */
async function drag(title: string, days: number, hours: number, modifier?: 'Control' | 'Alt') {
  await block(title).first().scrollIntoViewIfNeeded();
  const box = (await block(title).first().boundingBox())!;
  const canvas = (await page.locator('.week-canvas').boundingBox())!;
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 3];
  await page.mouse.move(x, y);
  await page.mouse.down();
  if (modifier) await page.keyboard.down(modifier);
  await page.mouse.move(x + (days * canvas.width) / 7, y + (hours * canvas.height) / 24, { steps: 5 });
  await page.locator('.week-ghost').waitFor();
  await page.mouse.up();
  if (modifier) await page.keyboard.up(modifier);
}

test('a channel without a schedule explains what it plays; a button starts one', async () => {
  await open('/channels/harbour');
  await page.getByRole('navigation', { name: 'Channel' }).getByRole('link', { name: 'Programme' }).click();
  await button('Start schedule').waitFor();
  await expectAccessible('no schedule');
  await button('Start schedule').click();
  await page.getByRole('region', { name: 'Schedule settings' }).waitFor();
  expect((await send('GET', PATH)).entries).toEqual([]);
});

test('a programme that is dragged and moved by keys is cut in a check, saved, and undone', async () => {
  await openWeek();
  await expectAccessible('week');
  expect(await label('The Harbour')).toMatch(/20:00.*20:40/);
  await drag('The Harbour', 1, 1);
  await expect.poll(() => label('The Harbour')).toMatch(/21:00.*until 21:30.*cut/);
  await block('The Harbour').focus();
  await page.keyboard.press('Shift+ArrowDown');
  await expect.poll(() => label('The Harbour')).toContain('21:05');
  await expect.poll(() => page.evaluate('document.activeElement.dataset.key')).toBe('film');
  await button('Check').click();
  await warnings()
    .getByRole('button', { name: /The Harbour.*film/ })
    .waitFor();
  expect(await startOf('film')).toBe(at(0, '20:00'));
  await warnings()
    .getByRole('button', { name: /The Harbour/ })
    .click();
  await page.getByRole('region', { name: 'Programme' }).locator('.notice.warn').waitFor();
  await expectAccessible('programme');
  await button('Save').click();
  await toast('Undo').waitFor();
  expect(await startOf('film')).toBe(at(1, '21:05'));
  await toast('Undo').click();
  await expect.poll(() => startOf('film')).toBe(at(0, '20:00'));
  await expect.poll(() => label('The Harbour')).toContain('20:00');
});

test('programmes are copied, stretched, removed and added; each step can be undone before it is saved', async () => {
  await openWeek();
  await drag('News at nine', 1, -2, 'Control');
  await expect.poll(() => block('News at nine').count()).toBe(2);
  await button('Close programme').click();
  await block('Morning matters').focus();
  await page.keyboard.press('Control+c');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Control+v');
  await expect.poll(() => label('Morning matters', 1)).toMatch(/00:00.*Tue/);
  await block('Weather').focus();
  await page.keyboard.press('Delete');
  await expect.poll(() => block('Weather').count()).toBe(0);
  await page.getByRole('status').filter({ hasText: '3' }).waitFor();
  await page.keyboard.press('Control+z');
  await expect.poll(() => block('Weather').count()).toBe(1);
  await block('The Harbour').scrollIntoViewIfNeeded();
  const edge = (await block('The Harbour').boundingBox())!;
  await page.mouse.move(edge.x + 20, edge.y + edge.height - 2);
  await page.mouse.down();
  const { height } = (await page.locator('.week-canvas').boundingBox())!;
  await page.mouse.move(edge.x + 20, edge.y + edge.height - 2 + (height * 80) / 1440, { steps: 4 });
  await page.mouse.up();
  await expect.poll(() => label('The Harbour')).toMatch(/20:00.*until 22:00/);
  await button('Save').click();
  await toast('Undo').waitFor();
  const { entries } = await send('GET', PATH);
  expect(entries).toHaveLength(6);
  expect(entries.find(({ id }: { id: string }) => id === 'film').duration).toBe(7200);
  // A new one in a gap, with the fields of the panel.
  await page.locator('.week-piece.filler').first().click();
  await page.getByLabel('Title', { exact: true }).fill('Concert');
  await page.getByRole('radio', { name: 'Playlist' }).click();
  await page.getByRole('combobox', { name: 'Playlist' }).fill('half');
  await page.getByRole('option', { name: 'half' }).click();
  await button('Save').click();
  await expect.poll(async () => (await send('GET', PATH)).entries.length).toBe(7);
});

test('a change of someone else is named, and does not lose the draft', async () => {
  await openWeek();
  await block('The Harbour').focus();
  await page.keyboard.press('Shift+ArrowRight');
  await send('PATCH', PATH, { entries: [{ id: 'film', title: 'The Harbour, restored' }] });
  await button('Save').click();
  await dialog().getByText('admin@localhost').waitFor();
  await expectAccessible('conflict');
  await button('Apply my changes').click();
  await dialog().waitFor({ state: 'detached' });
  await block('The Harbour, restored').waitFor();
  await button('Save').click();
  await expect.poll(() => startOf('film')).toBe(at(1, '20:00'));
  const { entries } = await send('GET', PATH);
  expect(entries.find(({ id }: { id: string }) => id === 'film').title).toBe('The Harbour, restored');
});

test('a programme has its own bumpers or none, and a UPID whose form is checked', async () => {
  await openWeek();
  await block('The Harbour').click();
  const form = page.getByRole('region', { name: 'Programme' });
  await form.getByLabel('Bumpers').selectOption('Own bumpers');
  await form.getByLabel('Outro bumper URL').fill('not a URL');
  await button('Check').click();
  const isInvalid = () => form.getByLabel('Outro bumper URL').getAttribute('aria-invalid');
  await expect.poll(isInvalid).toBe('true');
  await form.getByLabel('Bumpers').selectOption('No bumpers');
  await form.getByText('Distribution').click();
  await form.getByLabel('UPID type').selectOption('EIDR');
  await form.getByLabel('UPID', { exact: true }).fill('10.5240');
  await button('Check').click();
  await form.getByText(/Must be an EIDR/).waitFor();
  await expectAccessible('bumpers and UPID');
  await form.getByLabel('UPID', { exact: true }).fill('10.5240/7791-8534-2C23-9030-8610-5');
  await button('Save').click();
  await toast('Undo').waitFor();
  const { entries } = await send('GET', PATH);
  expect(entries.find(({ id }: { id: string }) => id === 'film')).toMatchObject({
    bumpers: {},
    upid: { type: 'eidr', value: '10.5240/7791-8534-2C23-9030-8610-5' },
  });
});

test('a programme is repeated by a rule, whose exceptions are edited', async () => {
  await openWeek();
  await block('The Harbour').click();
  await button('Repeat…').click();
  await dialog().getByRole('checkbox', { name: 'Sun' }).uncheck();
  await dialog().getByLabel('Last day').fill(at(13, '00:00').slice(0, 10));
  await expectAccessible('repeat');
  await dialog().getByRole('button', { name: 'Repeat', exact: true }).click();
  const rule = page.getByRole('region', { name: 'Rule' });
  await rule.getByRole('button', { name: 'Add day' }).click();
  await rule.getByRole('textbox', { name: 'Day 1' }).fill(at(2, '00:00').slice(0, 10));
  await button('Check').click();
  await expect.poll(() => block('The Harbour').count()).toBe(5);
  await expectAccessible('rule');
  await button('Save').click();
  await toast('Undo').waitFor();
  const { rules, entries } = await send('GET', PATH);
  expect(entries.map(({ id }: { id: string }) => id)).not.toContain('film');
  expect(rules.at(-1)).toMatchObject({ at: '20:00:00', except: [at(2, '00:00').slice(0, 10)] });
  await button('Close rule').click();
  await page.getByLabel('Filler', { exact: true }).fill('half');
  await page.getByRole('option', { name: 'half' }).click();
  await button('Save').click();
  await expect.poll(async () => (await send('GET', PATH)).fillerPlaylistId).toBe('half');
});

test('unsaved changes stay while the week changes, and are asked about before the page is left', async () => {
  await openWeek();
  await block('The Harbour').focus();
  await page.keyboard.press('Shift+ArrowDown');
  await button('Next week').click();
  await page.getByRole('status').filter({ hasText: '1' }).first().waitFor();
  await button('Previous week').click();
  await expect.poll(() => label('The Harbour')).toContain('20:05');
  const asked = page.waitForEvent('dialog').then((question) => question.dismiss());
  await Promise.all([asked, page.getByRole('link', { name: 'On air' }).click()]);
  await block('The Harbour').waitFor();
  await button('Discard changes').click();
  await expect.poll(() => label('The Harbour')).toContain('20:00');
});

test('a phone shows what is on air and next against the plan, and inserts a break', async () => {
  const now = Date.now();
  const start = new Date(Math.floor(now / 60_000) * 60_000 - 600_000).toISOString();
  await send('PUT', PATH, {
    entries: [
      { id: 'live', title: 'Open studio', start, source: { playlistId: 'half' } },
      { id: 'next', title: 'Coming home', source: { playlistId: 'half' } },
    ],
  });
  await page.setViewportSize({ width: 390, height: 844 });
  await open('/channels/harbour/programme/on-air');
  await page.getByRole('region', { name: 'Next' }).getByText('Coming home').waitFor();
  await expectAccessible('on air');
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
  await button('Insert break').click();
  await dialog().getByRole('button', { name: 'Insert break' }).click();
  await page.locator('.breaks tbody tr').first().waitFor();
  await page.getByRole('link', { name: 'As run' }).click();
  await page.locator('tbody tr', { has: page.locator('.badge.good') }).waitFor();
  await expectAccessible('as run');
});
