// SPDX-License-Identifier: Apache-2.0
// Live channels in the console: their settings, the analysis of an origin, and their page. Nothing is on air.
import { expect, test } from 'vitest';
import { systemTimers } from '../../src/adapters/systemClock.ts';
import { createChannelAnalyser } from '../../src/planning/live/analyseChannel.ts';
import { flicks, millis, secondsToFlicks } from '../../src/time/units.ts';
import { syntheticAsset } from '../laws/syntheticMedia.ts';
import { offAir } from '../servers/adminServer.ts';
import { fieldError } from './locators.ts';
import { expectAccessible, fileConsole, page, saveChanges, startConsole } from './startConsole.ts';

const at = millis(Date.UTC(2026, 2, 1, 20));
const marker = { source: 'EXT-X-CUE-OUT', raw: '#EXT-X-CUE-OUT:30', line: 9 };
const asset = syntheticAsset({ name: 'live', segments: [50, 50], qualities: 2 });
const analyseSources = createChannelAnalyser(
  async (url) => ({
    url,
    format: 'hls',
    window: { seconds: 12, segments: 6 },
    hasDates: true,
    breaks: [{ ...marker, startsAt: at, duration: 30 }],
    warnings: [{ line: 7, text: 'the marker is malformed' }],
    problems: url.includes('broken') ? ['it returned 404'] : [],
    ...(url.includes('broken')
      ? {}
      : { playable: { format: 'hls', serves: 'hls', noDash: 'it is MPEG-TS', targetDuration: 2, asset } }),
  }),
  systemTimers,
);
const liveBreaksOf = async () => [
  {
    origin: 'hls' as const,
    breaks: [
      {
        ...marker,
        id: '1',
        start: 'marked' as const,
        announcedAt: at,
        duration: secondsToFlicks(30),
        startsAt: { millis: at, rest: flicks(0) },
      },
    ],
    warnings: [{ line: 7, text: 'the marker is malformed', at }],
  },
];
const channelStatus: typeof offAir.channelStatus = async (channel, withItems) => ({
  ...(await offAir.channelStatus(channel, withItems)),
  live: {
    hls: {
      url: 'https://origin.example/master.m3u8',
      serves: 'hls',
      targetDuration: 2,
      renditions: [],
      startedAt: new Date(at).toISOString(),
      health: { state: 'failing', reason: 'It returned 503.' },
    },
  },
});

const { api, open } = await fileConsole(
  startConsole({ onAir: { ...offAir, channelStatus }, analyseSources, liveBreaksOf }),
);
const advanced = () => page.locator('details', { hasText: 'Advanced settings' }).locator('summary').last();

test('creates a live channel; its origin is analysed first, and errors are shown at their fields', async () => {
  await open('/channels/~new');
  await page.getByLabel('Name').fill('News');
  await page.getByLabel('Type').selectOption('Live channel');
  expect(await page.getByLabel('Playlist', { exact: true }).count()).toBe(0);
  await page.getByLabel('Origin URL', { exact: true }).fill('https://origin.example/broken.m3u8');
  await page.getByRole('button', { name: 'Analyse' }).click();
  await page.getByText('it returned 404').waitFor();
  await page.getByLabel('Origin URL', { exact: true }).fill('https://origin.example/master.m3u8');
  await page.getByRole('button', { name: 'Analyse' }).click();
  const analysed = (name: string) => page.getByRole('region', { name, exact: true });
  await analysed('Origin').getByText('Playable').waitFor();
  for (const text of ['it is MPEG-TS', 'Line 7', '#EXT-X-CUE-OUT:30'])
    await analysed('Origin').getByText(text).waitFor();
  await page.getByLabel('Pre-roll (s)').fill('30');
  await page.getByLabel('Break fill').selectOption('Origin content');
  await advanced().click();
  await page.getByLabel('Longest break (s)').fill('90');
  await page.getByLabel('Delta updates').selectOption('On');
  await page.getByLabel('Segmentation types').fill('0x34, 300');
  await expectAccessible('new live channel');
  await page.getByRole('button', { name: 'Create channel' }).click();
  await fieldError(page, 'Segmentation types', '300').waitFor();
  await page.getByLabel('Segmentation types').fill('0x34, 0x36');
  await page.getByRole('button', { name: 'Create channel' }).click();
  await page.getByRole('heading', { level: 1, name: 'News' }).waitFor();
  const [stored] = await api<object[]>('GET', '/channels');
  expect(stored).toMatchObject({
    type: 'live',
    sourceManifestUrl: 'https://origin.example/master.m3u8',
    preroll: { maxDuration: 30 },
    breakFill: 'content',
    maxBreakDuration: 90,
    segmentationTypes: [0x34, 0x36],
    deltaUpdates: true,
  });
});

test.each(['vod2live', 'live'])(
  'delta updates of a %s channel survive another edit, and can be switched off',
  async (type) => {
    const path = `/channels/updates-${type}`;
    await api('POST', '/channels', { id: `updates-${type}`, type, name: 'One', deltaUpdates: true });
    await open(`${path}?tab=settings`);
    const save = async () => {
      await saveChanges();
      return api('GET', path);
    };
    await page.getByLabel('Name').fill('Two');
    expect(await save()).toMatchObject({ name: 'Two', deltaUpdates: true });
    await advanced().click();
    await page.getByLabel('Delta updates').selectOption('Off');
    expect(await save()).not.toHaveProperty('deltaUpdates');
  },
);

test('a page of a live channel has its origin and its breaks, and no schedule', async () => {
  await api('POST', '/channels', { id: 'sport', name: 'Sport', type: 'live', state: 'enabled' });
  await open('/channels/sport');
  await page.getByText('It returned 503.').waitFor();
  await page.getByText('line 7').waitFor();
  await page.getByRole('button', { name: /^Details of/ }).click();
  await page.getByText('#EXT-X-CUE-OUT:30').waitFor();
  expect(await page.getByText(/schedule|playlist items/i).count()).toBe(0);
  await expectAccessible('live channel');
  await open('/channels/sport?tab=settings');
  await page.getByLabel('DASH origin URL').fill('https://origin.example/live.mpd');
  await saveChanges();
  expect(await api('GET', '/channels/sport')).toMatchObject({ sourceDashUrl: 'https://origin.example/live.mpd' });
  await open('/channels');
  await page.locator('.channels > li', { hasText: 'Sport' }).getByText('Live', { exact: true }).waitFor();
});
