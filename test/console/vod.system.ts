// SPDX-License-Identifier: Apache-2.0
// VoD channels in the console: their settings, their page and their sessions. Nothing is on air.
import { expect, test } from 'vitest';
import type { TracedBreak } from '../../src/http/contract/airContract.ts';
import { offAir } from '../servers/adminServer.ts';
import { fieldError, pick } from './locators.ts';
import { sessionId, traceOf } from './sessionTrace.ts';
import { expectAccessible, fileConsole, page, saveChanges, startConsole } from './startConsole.ts';

const at = (seconds: number) => new Date(Date.UTC(2026, 2, 1, 20, 0, seconds)).toISOString();
const position = {
  kind: 'mid',
  requested: 598.5,
  contentTime: 600,
  movedBy: 1.5,
  origin: 'marker',
  replaced: 30,
} as const;
const traced = (id: string, more: Partial<TracedBreak>): TracedBreak => ({
  id,
  startsAt: at(0),
  duration: 0,
  status: 'empty',
  warnings: [],
  ads: [],
  slate: 0,
  ...more,
});
const because = (text: string) => ({ reason: { code: 'X', text } });
const breaks: TracedBreak[] = [
  traced('0-0', { request: { url: 'https://ads.example.com/vmap', status: 200, ms: 12 } }),
  traced('0-1', {
    ...because('The ad server returned no ads.'),
    position: { kind: 'pre', requested: 0, contentTime: 0, movedBy: 0, origin: 'vmap' },
  }),
  traced('0-2', {
    startsAt: at(600),
    duration: 20,
    status: 'filled',
    position,
    ads: [{ adId: 'a', duration: 20, outcome: 'stitched', startsAt: at(600), delivered: { seconds: 0, events: [] } }],
  }),
  traced('0-3', because('Its position is after the end of the content.')),
];
const sessionTrace = async () => traceOf({ channel: 'cinema', breaks });
/** Every enabled channel has imports of two titles. */
const channelStatus: typeof offAir.channelStatus = async (channel, withItems) => ({
  ...(await offAir.channelStatus(channel, withItems)),
  titles: [
    { url: 'https://media.example.com/late/master.m3u8', state: 'importing', startedAt: at(0), updatedAt: at(9) },
    {
      url: 'https://media.example.com/broken/master.m3u8',
      state: 'failed',
      reason: 'The origin returned status 404.',
      startedAt: at(0),
      updatedAt: at(1),
    },
  ],
});

const { api, open } = await fileConsole(startConsole({ onAir: { ...offAir, sessionTrace, channelStatus } }));
const advanced = () => page.locator('details', { hasText: 'Advanced settings' }).locator('summary').last();

test('creates a VoD channel with hosts; errors are shown at their fields', async () => {
  await api('POST', '/playlists', { id: 'films', name: 'Films', type: 'vod' });
  await api('POST', '/playlists', { id: 'loop', name: 'Loop', type: 'vod2live' });
  await open('/channels/~new');
  await page.getByLabel('Type').selectOption('VoD channel');
  await page.getByLabel('Name').fill('Cinema');
  await page.getByLabel('ID').fill('cinema');
  // Playlists of linear channels are not offered.
  const playlist = page.getByRole('combobox', { name: 'Playlist' });
  await playlist.click();
  await expect.poll(() => page.locator('[role=option]', { hasText: 'Films' }).count()).toBe(1);
  expect(await page.locator('[role=option]', { hasText: 'Loop' }).count()).toBe(0);
  await pick(playlist, 'films', 'Films');
  for (const host of ['', 'https://media.example.com/', '*.example.com']) {
    await page.getByRole('button', { name: 'Add host' }).click();
    await expect.poll(() => page.evaluate('document.activeElement.tagName')).toBe('INPUT');
    await page.keyboard.type(host);
  }
  await page.getByLabel('Break source').selectOption('Manifest markers');
  await advanced().click();
  for (const label of ['Slate URL', 'Playlist window (s)', 'Time-shift window (s)', 'Delta updates'])
    expect([label, await page.getByLabel(label).count()]).toEqual([label, 0]);
  await page.getByLabel('Decision budget (ms)').fill('soon');
  await page.getByLabel('Resume policy').selectOption('Skip ads');
  await page.getByLabel('Default break (s)').fill('45');
  await expectAccessible('new VoD channel');
  await page.getByRole('button', { name: 'Create channel' }).click();
  await fieldError(page, 'Host 2', 'https://media.example.com/').waitFor();
  await fieldError(page, 'Decision budget (ms)').waitFor();
  await expectAccessible('new VoD channel with errors');
  await page.getByLabel('Decision budget (ms)').fill('1500');
  await page.getByRole('textbox', { name: 'Host 2' }).fill('media.example.com');
  await page.getByRole('button', { name: 'Remove host 1' }).click();
  await expect.poll(() => page.evaluate('document.activeElement.value')).toBe('media.example.com');
  await page.getByRole('button', { name: 'Create channel' }).click();
  await page.getByRole('heading', { level: 1, name: 'Cinema' }).waitFor();
  expect(await api('GET', '/channels/cinema')).toMatchObject({
    type: 'vod',
    playlistId: 'films',
    contentHosts: ['media.example.com', '*.example.com'],
    breakSource: 'manifest',
    vodBudgetMs: 1500,
    resumePolicy: 'skip',
    breakDuration: 45,
    state: 'enabled',
  });
});

test('changes the type of a channel and keeps the settings of the previous type', async () => {
  await api('POST', '/channels', { id: 'turn', name: 'Turn', playlistSize: 90 });
  await open('/channels/turn?tab=settings');
  await page.getByLabel('Type').selectOption('VoD channel');
  await saveChanges();
  expect(await api('GET', '/channels/turn')).toMatchObject({ type: 'vod', playlistSize: 90 });
  await page.getByLabel('Enabled').waitFor();
});

test('a playlist of a VoD channel has a type, a post-roll and cue points without a duration', async () => {
  const contents = [{ url: 'http://127.0.0.1:9/a/master.m3u8', duration: 60, cuePoints: [{ spliceTime: 10 }] }, {}];
  await api('POST', '/playlists', { id: 'mixed', name: 'Mixed', contents });
  await open('/playlists/mixed');
  await page.getByLabel('Type').selectOption('VoD channel');
  const first = page.locator('li.item').first();
  await first.getByRole('button', { name: 'Add post-roll' }).click();
  await first.getByLabel('Duration (s)').last().fill('');
  await expectAccessible('playlist of a VoD channel');
  await saveChanges();
  const stored = await api<{ contents: { cuePoints?: object[] }[] }>('GET', '/playlists/mixed');
  expect(stored).toMatchObject({ type: 'vod', contents: [{ sourceType: 'url' }, { sourceType: 'placeholder' }] });
  expect(stored.contents[0]!.cuePoints).toEqual([{ spliceTime: 10 }, { spliceTime: -1, maxAds: 2 }]);
});

test('a list of channels shows VoD channels without a schedule', async () => {
  await api('POST', '/channels', { id: 'library', name: 'Library', type: 'vod', state: 'enabled' });
  await open('/channels');
  const card = page.locator('.channels > li', { hasText: 'Library' });
  await card.getByText('VoD').waitFor();
  expect(await card.getByText(/on air|not playing|next/i).count()).toBe(0);
  await expectAccessible('channels');
});

test('a channel page has URLs for any content, and the imports of titles', async () => {
  await api('POST', '/channels', {
    id: 'archive',
    name: 'Archive',
    type: 'vod',
    state: 'enabled',
    contentHosts: ['a.example'],
  });
  await page.setViewportSize({ width: 390, height: 800 });
  await open('/channels/archive');
  expect(await page.getByText(/schedule|slate|on air/i).count()).toBe(0);
  const content = `https://a.example/${'film'.repeat(60)}.m3u8?a=1&b=2`;
  await page.getByLabel('Content URL').fill(content);
  await page.getByLabel('Start (s)').fill('90,5');
  const urls = () => page.locator('.copy-line code').allTextContents();
  const parameters = async () =>
    (await urls()).slice(0, 3).map((url) => Object.fromEntries(new URL(url).searchParams)) as Record<string, string>[];
  await expect.poll(parameters).toEqual(Array(3).fill(expect.objectContaining({ content, start: '90.5' })));
  const rows = page.locator('tbody tr');
  await rows.filter({ hasText: 'late' }).locator('.badge.info').waitFor();
  await rows.filter({ hasText: 'broken' }).getByText('404').waitFor();
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
  await expectAccessible('VoD channel without a playlist');
});

test('a session shows its breaks by content time, how they were moved, and why others are missing', async () => {
  await open(`/sessions/${sessionId}`);
  const cards = page.locator('.break-card');
  await expect
    .poll(() => cards.locator('summary > strong').allTextContents())
    .toEqual(['VMAP', 'Pre-roll', 'At 10:00', 'Dropped']);
  await cards.nth(1).getByText('The ad server returned no ads.').waitFor();
  await cards.nth(3).getByText('after the end').waitFor();
  await cards.nth(2).locator('summary').first().click();
  await cards
    .nth(2)
    .getByText(/1\.5 s later.*30 s/)
    .waitFor();
  await cards.nth(2).getByText('Scheduled').waitFor();
  expect(await page.locator('.break-bar').count()).toBe(1);
  expect(await page.locator('.break-card time').count()).toBe(0);
  expect(await cards.getByText(/\d\d:\d\d:\d\d/).count()).toBe(0);
  await expectAccessible('VoD session');
});
