// SPDX-License-Identifier: Apache-2.0
// Lists of many records: found, sorted and selected in tables, with the pointer, with keys and on a phone.
import { expect, test } from 'vitest';
import { pick } from '../locators.ts';
import { expectAccessible, fileConsole, hash, page, saveChanges } from '../startConsole.ts';
import { CHANNELS, nameOf, startManyChannels } from './manyChannels.ts';

const desk = await fileConsole(startManyChannels());
const { open } = desk;

const rows = () => page.locator('.data-table tbody tr');
const names = () => page.locator('.data-table td.of-name a').allTextContents();
const selected = () => page.locator('.data-table tr.selected td.of-name a').allTextContents();
const chip = (name: string) => page.getByRole('combobox', { name, exact: true });
const status = () => page.locator('main > [role=status].visually-hidden').textContent();

test('the channels with problems are found at a glance, by one link and by a filter; the address keeps it', async () => {
  await open('/channels');
  await expect.poll(() => rows().count()).toBe(CHANNELS);
  // Problems are first.
  expect(await rows().locator('.of-problem .reason').count()).toBe(12);
  expect(await rows().nth(11).locator('.of-problem .reason').count()).toBe(1);
  await page.locator('.totals').getByRole('link', { name: '12' }).click();
  await expect.poll(() => rows().count()).toBe(12);
  expect(await hash()).toBe('#/channels?problem=any');
  await chip('Problem').selectOption('Ad server');
  await expect.poll(() => rows().count()).toBe(9);
  await chip('Problem').selectOption('Any problem');
  await chip('State').selectOption('Failed');
  await expect.poll(names).toEqual([150, 100, 50].map(nameOf));
  await page.reload();
  await expect.poll(() => rows().count()).toBe(3);
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect.poll(() => rows().count()).toBe(CHANNELS);
});

test('labels, a playlist and a text filter together; each can be removed', async () => {
  await open('/channels');
  await pick(chip('Label'), 'sport', 'Sport');
  await expect.poll(() => rows().count()).toBe(51);
  await pick(chip('Label'), 'kids', 'Kids');
  await expect.poll(() => rows().count()).toBe(102);
  await page.getByRole('button', { name: 'Remove Kids' }).click();
  await pick(chip('Playlist'), 'Loop 4', 'loop-4');
  await expect.poll(() => rows().count()).toBe(11);
  await page.getByLabel('Find channel').fill('sport 4');
  await expect.poll(names).toEqual([nameOf(44), nameOf(4)]);
  expect(await hash()).toBe('#/channels?label=Sport&playlist=loop-4&q=sport+4');
  await page.getByRole('button', { name: 'Clear playlist' }).click();
  await expect.poll(hash).toBe('#/channels?label=Sport&q=sport+4');
});

test('headers sort in both orders, and columns are chosen; the browser keeps them', async () => {
  await open('/channels?label=News');
  const header = page.getByRole('columnheader', { name: 'Viewers' });
  const viewers = async () => (await page.locator('td.of-viewers').allTextContents()).map(Number);
  await header.getByRole('button').click();
  await expect.poll(() => header.getAttribute('aria-sort')).toBe('descending');
  const falling = await viewers();
  expect(falling).toEqual([...falling].sort((a, b) => b - a));
  await header.getByRole('button').click();
  await expect.poll(() => header.getAttribute('aria-sort')).toBe('ascending');
  expect(await viewers()).toEqual(falling.toReversed());
  await page.getByText('Columns', { exact: true }).click();
  for (const name of ['Now', 'Playlist']) await page.getByRole('checkbox', { name, exact: true }).check();
  await page.getByRole('checkbox', { name: 'Type', exact: true }).uncheck();
  await page.keyboard.press('Escape');
  await expect.poll(() => page.locator('.menu[open]').count()).toBe(0);
  await page.reload();
  await page.getByRole('columnheader', { name: 'Playlist' }).waitFor();
  expect(await page.getByRole('columnheader', { name: 'Type' }).count()).toBe(0);
  // With all columns, the page is still as wide as the window.
  await page.getByText('Columns', { exact: true }).click();
  await page.getByRole('checkbox', { name: 'Type', exact: true }).check();
  await page.keyboard.press('Escape');
  for (const width of [1280, 900, 390]) {
    await page.setViewportSize({ width, height: 900 });
    expect([width, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([width, width]);
  }
});

test('cards remain for few channels, and a switch remembers the choice', async () => {
  await open('/channels');
  await rows().first().waitFor();
  await page.getByRole('radio', { name: 'Cards' }).click();
  await expect.poll(() => page.locator('.channels > li').count()).toBe(CHANNELS);
  await page.reload();
  await page.locator('.channels > li').first().waitFor();
  await page.getByRole('radio', { name: 'Table' }).click();
  await rows().first().waitFor();
});

test('rows are selected with the keyboard alone', async () => {
  await open('/channels?label=Films');
  await rows().first().waitFor();
  const all = await names();
  await page.getByRole('checkbox', { name: `Select ${all[0]}`, exact: true }).focus();
  await page.keyboard.press('Space');
  await page.keyboard.press('Shift+ArrowDown');
  await page.keyboard.press('Shift+ArrowDown');
  expect(await selected()).toEqual(all.slice(0, 3));
  await page.keyboard.press('Shift+ArrowUp');
  expect(await selected()).toEqual(all.slice(0, 2));
  for (const _ of [1, 2]) await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Space');
  expect(await selected()).toEqual([all[0], all[1], all[3]]);
  expect(await status()).toContain('3');
  // The checkboxes are one stop of the Tab key.
  expect(await page.locator('.data-table tbody .pick input[tabindex="0"]').count()).toBe(1);
  await page.keyboard.press('Control+a');
  expect(await selected()).toEqual(all);
  await page.keyboard.press('Escape');
  expect(await selected()).toEqual([]);
  await page.keyboard.press('End');
  await page.keyboard.press('Space');
  expect(await selected()).toEqual(all.slice(-1));
  // Other filters select nothing: no row is changed that is not listed.
  await chip('State').selectOption('On air');
  await expect.poll(selected).toEqual([]);
});

test('rows are selected with the pointer, and a range with Shift', async () => {
  await open('/channels?label=Kids');
  await rows().first().waitFor();
  const all = await names();
  const box = (at: number) => page.locator('.data-table tbody .pick input').nth(at);
  await box(4).click();
  await box(7).click({ modifiers: ['Shift'] });
  expect(await selected()).toEqual(all.slice(4, 8));
  await box(5).click();
  expect(await selected()).toEqual([all[4], all[6], all[7]]);
  await page.getByRole('checkbox', { name: 'Select all' }).click();
  expect(await selected()).toEqual(all);
  await page.getByRole('button', { name: 'Clear selection' }).click();
  expect(await page.locator('.selection-bar').count()).toBe(0);
});

test('the header stays in view, and 205 rows cost little: a selection changes one row', async () => {
  await open('/channels');
  await expect.poll(() => rows().count()).toBe(CHANNELS);
  expect(await page.locator('.data-table *').count()).toBeLessThan(CHANNELS * 32);
  await page.evaluate('scrollTo(0, 4000)');
  const top = await page
    .locator('.data-table th')
    .first()
    .evaluate((cell) => cell.getBoundingClientRect().top);
  expect(Math.abs(top)).toBeLessThan(1);
  await page.evaluate(`
    window.touched = new Set();
    new MutationObserver((changes) => {
      for (const { target } of changes) {
        const row = (target.nodeType === 1 ? target : target.parentElement).closest('tbody tr');
        if (row) window.touched.add(row.dataset.id);
      }
    }).observe(document.querySelector('.data-table'), { subtree: true, childList: true, attributes: true, characterData: true });
  `);
  await page.locator('.data-table tbody .pick input').nth(60).click();
  await page.locator('.selection-bar').waitFor();
  // The row itself, and the one that was in the order of the Tab key before.
  expect(await page.evaluate('window.touched.size')).toBeLessThanOrEqual(2);
});

test('a playlist among 510 is found by typing, with the keyboard', async () => {
  await open('/channels/~new');
  const field = chip('Playlist');
  await field.focus();
  await page.keyboard.press('ArrowDown');
  await expect.poll(() => page.locator('[role=option]').count()).toBe(20);
  await field.fill('loop 37');
  await expect.poll(() => page.locator('[role=option]').allTextContents()).toContain('Loop 377loop-377');
  await expectAccessible();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  const active = await field.getAttribute('aria-activedescendant');
  const wanted = await page.locator(`[id="${active}"] span`).textContent();
  await page.keyboard.press('Enter');
  expect(await field.inputValue()).toBe(wanted);
  // Enter right after typing takes the best match of what was typed.
  await field.fill('loop-412');
  await page.keyboard.press('Enter');
  await expect.poll(() => field.inputValue()).toBe('Loop 412');
  // Escape keeps what was chosen.
  await field.fill('nothing like it');
  await page.getByText('No match').waitFor();
  await page.keyboard.press('Escape');
  expect(await field.inputValue()).toBe('Loop 412');
  await page.getByRole('button', { name: 'Clear playlist' }).click();
  expect(await field.inputValue()).toBe('');
});

test('a key is restricted to channels that are found by typing', async () => {
  await open('/keys');
  await page.getByRole('button', { name: 'Create key' }).click();
  const channels = page.getByRole('dialog').getByRole('combobox', { name: 'Channels' });
  await pick(channels, 'Sport 44');
  await pick(channels, 'Kids 42');
  await page.getByRole('button', { name: 'Remove Sport 44' }).click();
  await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('Kids desk');
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await page.getByRole('button', { name: 'Done' }).click();
  const keys = await desk.api<{ name?: string; channels?: string[] }[]>('GET', '/keys');
  expect(keys.find(({ name }) => name === 'Kids desk')?.channels).toEqual(['ch-42']);
});

test('labels are edited on a channel, its ad source and a playlist', async () => {
  await open('/channels/ch-8?tab=settings');
  const labels = page.getByRole('combobox', { name: 'Labels', exact: true });
  await labels.fill('Late night');
  await page.keyboard.press('Enter');
  await labels.fill('sport');
  await page.keyboard.press('Enter');
  await page.getByText('Request options').click();
  await page.getByRole('combobox', { name: 'Ad source labels' }).fill('Agency A');
  await page.keyboard.press('Enter');
  await saveChanges();
  const stored = await desk.api<{ labels: string[]; adSource: { labels: string[] } }>('GET', '/channels/ch-8');
  expect([stored.labels, stored.adSource.labels]).toEqual([['Sport', 'Late night'], ['Agency A']]);

  await open('/playlists/loop-20');
  const ofPlaylist = page.getByRole('combobox', { name: 'Labels', exact: true });
  await ofPlaylist.fill('Archive');
  await page.keyboard.press('Enter');
  await page.locator('.changes li', { hasText: 'Archive' }).waitFor();
  await saveChanges();
  await open('/playlists?label=archive');
  await expect.poll(names).toEqual(['Loop 20']);
});

test.each([
  ['desktop', 1280],
  ['phone', 390],
])('tables, filters and dialogs are accessible on a %s, in both themes', async (_, width) => {
  await page.setViewportSize({ width, height: 844 });
  for (const path of ['/channels?problem=any', '/playlists?q=37', '/creatives', '/sessions', '/audit', '/deleted']) {
    await open(path);
    await expect.poll(() => page.locator('main .loading').count()).toBe(0);
    await expectAccessible(path);
    expect([path, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([path, width]);
  }
  await open('/channels?problem=any&label=Sport,News');
  await page.locator('.data-table tbody .pick input').first().click();
  await expectAccessible();
  await page.getByRole('button', { name: 'Labels…' }).click();
  await page.getByRole('dialog').getByRole('combobox').first().click();
  await page.locator('dialog [role=option]').first().waitFor();
  await expectAccessible();
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
});
