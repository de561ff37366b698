// A channel while it is being prepared, and what its items came to: the steps, what failed at once, and the warnings.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ChannelStatus } from '../../src/http/admin/routes/ports.ts';
import type { ItemStatus } from '../../src/http/contract.ts';
import { offAir } from '../servers/adminServer.ts';
import { seriousFaults } from './axe.ts';
import { type ConsoleTest, startConsole } from './startConsole.ts';

const url = (name: string) => `https://media.example.com/${name}/master.m3u8`;
const warning = 'its text is left out';
const far = { spliceTime: 30, landsAt: 8, warning: 'the break falls 22 s before' };
const items: ItemStatus[] = [
  { index: 0, url: url('tide'), state: 'ready', duration: 60, warnings: [warning], cuePoints: [far] },
  { index: 1, url: url('gone'), state: 'failed', reason: 'the origin answered 404' },
  { index: 2, url: url('slow'), state: 'importing' },
];
let status: ChannelStatus = { state: 'disabled' };
let desk: ConsoleTest;
beforeAll(async () => {
  desk = await startConsole({ onAir: { ...offAir, channelStatus: async () => status } });
  await desk.api('POST', '/playlists', { id: 'films' });
  await desk.api('POST', '/channels', { id: 'one', state: 'disabled', playlistId: 'films' });
});
afterAll(() => desk?.close());

test('the steps and what each item came to are seen while they happen', async () => {
  const read = { step: 'assets', assets: 3, assetsRead: 2, isOnAir: false } as const;
  status = { state: 'enabled', stateReason: 'It is being prepared.', preparation: read, items };
  const page = await desk.newPage();
  await desk.open(page, '/channels/one');
  const bar = page.getByRole('progressbar', { name: 'Assets read' });
  await expect.poll(async () => [await bar.getAttribute('value'), await bar.getAttribute('max')]).toEqual(['2', '3']);
  const rows = page.locator('tbody tr');
  const tones = ['badge warn', 'badge bad', 'badge info'];
  for (const [at, tone] of tones.entries())
    expect(await rows.nth(at).locator('.badge').getAttribute('class')).toBe(tone);
  await rows.nth(0).getByText(far.warning).waitFor();
  await rows.nth(1).getByText('404').waitFor();
  await rows.nth(0).locator('summary', { hasText: '1' }).click();
  await rows.nth(0).getByText(warning).waitFor();
  expect(await seriousFaults(page)).toEqual([]);

  status = { ...status, preparation: { ...read, step: 'slate', assetsRead: 3, jobsAhead: 12 } };
  await page.locator('.preparing', { hasText: '12' }).waitFor();
  // What plays is not called prepared for a change that is.
  const badge = () => page.locator('h1 .badge').getAttribute('class');
  expect(await badge()).toBe('badge info');
  status = { state: 'enabled', preparation: { ...read, isOnAir: true }, items };
  await expect.poll(badge).toBe('badge good');
  status = { state: 'enabled', items };
  await expect.poll(() => page.locator('.preparing').count()).toBe(0);
  await page.close();
});
