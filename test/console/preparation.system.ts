// SPDX-License-Identifier: Apache-2.0
// The page of a channel in preparation: its progress, and the status and warnings of its items.
import { beforeAll, expect, test } from 'vitest';
import type { ChannelStatus, ItemStatus } from '../../src/http/contract/statusContract.ts';
import { offAir } from '../servers/adminServer.ts';
import { expectAccessible, fileConsole, page, startConsole } from './startConsole.ts';

const url = (name: string) => `https://media.example.com/${name}/master.m3u8`;
const warning = 'its subtitles are excluded';
const far = { spliceTime: 30, landsAt: 8, warning: 'the break falls 22 s earlier' };
const items: ItemStatus[] = [
  { index: 0, url: url('tide'), state: 'ready', duration: 60, warnings: [warning], cuePoints: [far] },
  { index: 1, url: url('gone'), state: 'failed', reason: 'the origin returned 404' },
  { index: 2, url: url('slow'), state: 'importing' },
];
let status: ChannelStatus = { state: 'disabled' };
const desk = await fileConsole(startConsole({ onAir: { ...offAir, channelStatus: async () => status } }));
beforeAll(async () => {
  await desk.api('POST', '/playlists', { id: 'assets' });
  await desk.api('POST', '/channels', { id: 'one', state: 'disabled', playlistId: 'assets' });
});

test('shows the progress of the preparation and the status of each item', async () => {
  const reading = { step: 'assets', assets: 3, assetsRead: 2, isOnAir: false } as const;
  status = { state: 'enabled', stateReason: 'The channel is being prepared.', preparation: reading, items };
  await desk.open('/channels/one');
  const bar = page.getByRole('progressbar', { name: 'Assets imported' });
  await expect.poll(async () => [await bar.getAttribute('value'), await bar.getAttribute('max')]).toEqual(['2', '3']);
  const rows = page.locator('tbody tr');
  const tones = ['badge warn', 'badge bad', 'badge info'];
  for (const [at, tone] of tones.entries())
    expect(await rows.nth(at).locator('.badge').getAttribute('class')).toBe(tone);
  await rows.nth(0).getByText(far.warning).waitFor();
  await rows.nth(1).getByText('404').waitFor();
  await rows.nth(0).locator('summary', { hasText: '1' }).click();
  await rows.nth(0).getByText(warning).waitFor();
  await expectAccessible();

  status = { ...status, preparation: { ...reading, step: 'slate', assetsRead: 3, jobsAhead: 12 } };
  await page.locator('.preparation', { hasText: '12' }).waitFor();
  // A channel that is on air is not shown as preparing while a change is prepared.
  const badge = () => page.locator('h1 .badge').getAttribute('class');
  expect(await badge()).toBe('badge info');
  status = { state: 'enabled', preparation: { ...reading, isOnAir: true }, items };
  await expect.poll(badge).toBe('badge good');
  status = { state: 'enabled', items };
  await expect.poll(() => page.locator('.preparation').count()).toBe(0);
});
