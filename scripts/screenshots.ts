// SPDX-License-Identifier: Apache-2.0
// `npm run screenshots` writes every page of the console into docs/console (captureConsole.ts). It starts the servers of the
// demo and lets a few simulated viewers watch for some minutes first. WATCHED_SECONDS changes how long.
import { setTimeout as sleep } from 'node:timers/promises';
import { callAdmin } from '../demo/callAdmin.ts';
import { findFreePort } from '../demo/listen.ts';
import { channelId, channelKey, seed, seedDemand } from '../demo/seed.ts';
import { untilPlaying } from '../demo/untilPlaying.ts';
import { startViewers } from '../demo/viewers.ts';
import { startDemoServers } from '../test/servers/demoServers.ts';
import { captureConsole as capture, openConsole, signIn, stops, takeScreenshots } from './captureConsole.ts';

const WATCHED_MS = Number(process.env.WATCHED_SECONDS ?? 200) * 1000;

async function run(): Promise<void> {
  const [adminPort, livePort] = [await findFreePort(8080), await findFreePort(8180)];
  const { midroll, api, origin, adServer, close } = await startDemoServers({ adminPort, livePort });
  stops.push(close);
  const { adminUrl, liveUrl } = midroll;
  const { page, open } = await openConsole(adminUrl);
  await capture(page, 'sign-in', async () => page.getByLabel('API key').waitFor());
  await signIn(page, api.apiKey);
  await capture(page, 'first-run', async () => page.getByText('Create your first channel').waitFor());

  await seed(api, { origin, adServer });
  await seedDemand(api, { origin, adServer });
  const create = (collection: string, record: object) => callAdmin(api, 'POST', `/${collection}`, record);
  const missing = { sourceType: 'url', url: `${origin}/archive/missing/master.m3u8` };
  await create('playlists', { id: 'archive', name: 'From the archive', status: 'enabled', contents: [missing] });
  await create('channels', { id: 'archive', name: 'Archive', state: 'enabled', playlistId: 'archive' });
  await create('channels', { id: 'spring', name: 'Spring special', playlistId: 'demo-films' });
  const cues = [0, 50, -1].map((spliceTime) => ({ spliceTime, maxDuration: 30, maxAds: 2 }));
  const film = { url: `${origin}/tide/master.m3u8`, spliceType: 'percent', cuePoints: cues };
  const adSource = { url: `${adServer}/vast?session=[SESSION_ID]&duration=[BREAK_DURATION]&max=[BREAK_MAX_ADS]` };
  await create('playlists', { id: 'cinema', name: 'Cinema', type: 'vod', status: 'enabled', contents: [film] });
  await create('channels', {
    id: 'cinema',
    name: 'Cinema',
    type: 'vod',
    state: 'enabled',
    playlistId: 'cinema',
    adSource,
  });
  await create('systems', {
    name: 'Search backend',
    type: 'ssai',
    settings: { searchDomain: 'https://search.example.com', searchUser: 'midroll', searchPassword: 'not shown' },
  });
  const view = `${liveUrl}/hls/view/${channelId}?api-key=${channelKey}`;
  await untilPlaying(`${liveUrl}/hls/${channelId}/master.m3u8?api-key=${channelKey}`, 90);
  const stopViewers = startViewers(
    ['ann', 'bob', 'cem', 'dia'].map((viewer) => `${view}&viewer=${viewer}`),
    WATCHED_MS / 8,
  );
  stops.push(stopViewers);
  console.log(`Watching for ${WATCHED_MS / 1000} s …`);
  await sleep(WATCHED_MS);

  await open('/channels', 'Spring special');
  await capture(page, 'channels', async () => page.getByText('Viewers now').waitFor());
  await open(`/channels/${channelId}`, 'Schedule');
  await page.getByRole('button', { name: 'Start preview' }).click();
  await page.locator('[data-playing=true]').waitFor({ timeout: 60_000 });
  // Content, not the slate of a viewer who joined during a break. Players are ten seconds behind the live edge.
  await page.locator('.upcoming li:first-child .badge.ad').waitFor({ timeout: 90_000 });
  await page.locator('.upcoming li:first-child .badge.info').waitFor({ timeout: 90_000 });
  await sleep(10_500);
  await capture(page, 'channel', async () => page.locator('[data-playing=true]').waitFor());
  await open('/channels/cinema', 'View response');
  await page.getByRole('button', { name: 'Start preview' }).click();
  await page.locator('[data-playing=true]').waitFor({ timeout: 60_000 });
  await capture(page, 'vod-channel', async () => page.getByRole('slider').waitFor());
  await open(`/channels/${channelId}?tab=settings`, 'Ad server');
  await capture(page, 'channel-settings', async () => page.getByLabel('Ad server URL').waitFor());
  await open('/channels/demand?tab=settings', 'Step 1');
  await capture(page, 'channel-steps', async () => page.getByRole('link', { name: 'Exchange' }).waitFor());
  await open('/ad-sources', 'Used by');
  await capture(page, 'ad-sources', async () =>
    page.getByRole('link', { name: 'Several ad sources' }).first().waitFor(),
  );
  await open('/playlists', 'From the archive');
  await capture(page, 'playlists', async () => page.getByText('From the archive').waitFor());
  await open('/playlists/demo-films', 'Playable');
  await page.locator('li.item').nth(1).getByRole('button', { name: 'Add break' }).click();
  await page.locator('li.item').nth(0).getByRole('slider').first().press('ArrowRight');
  await capture(page, 'playlist', async () => page.getByText('break added at').first().waitFor());
  await page.getByRole('button', { name: 'Discard' }).click();
  await open(`/sessions?channel=${channelId}`, 'Find session');
  await capture(page, 'sessions', async () => page.locator('tbody tr').first().waitFor());
  await page.locator('tbody tr', { hasText: 'filled' }).nth(1).getByRole('link').first().click();
  await page.locator('.break-card .break-summary').first().waitFor();
  await page.locator('.break-card').nth(1).locator('summary').first().click();
  await capture(page, 'session', async () => page.locator('.break-card').first().waitFor());
  await open('/reports?report=breaks', 'Fill rate');
  await page.getByLabel('Range').selectOption('Last 15 minutes');
  await capture(page, 'reports', async () => page.locator('.plot svg').first().waitFor());
  await open('/creatives', 'Add creative');
  await page.getByRole('radio', { name: 'Cards' }).click();
  await capture(page, 'creatives', async () => page.locator('.creative img').nth(3).waitFor());
  await open('/systems', 'Search backend');
  await capture(page, 'systems', async () => page.getByText('Search backend').waitFor());
  await open('/keys', 'Create key');
  await capture(page, 'keys', async () => page.getByText('Last used').waitFor());
}

await takeScreenshots(run);
