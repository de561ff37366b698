// `npm run screenshots`: every page of the console, light and dark, on a desktop and on a phone, into docs/console. It
// starts what the demo starts, lets a few viewers watch for some minutes, and looks.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { startAdServer } from '../demo/adServer.ts';
import { findFreePort } from '../demo/listen.ts';
import { startMidrollProcess } from '../demo/midrollProcess.ts';
import { startOrigin } from '../demo/origin.ts';
import { channelId, channelKey, seed } from '../demo/seed.ts';
import { untilPlaying } from '../demo/untilPlaying.ts';
import { launchChromium } from '../test/browser/launchChromium.ts';
import { startWatching } from './watching.ts';

const WATCHED_MS = Number(process.env.WATCHED_SECONDS ?? 200) * 1000;
const folder = join(import.meta.dirname, '../docs/console');
const apiKey = 'demo-key';
const stops: (() => unknown)[] = [];

const sizes = { desktop: { width: 1280, height: 900 }, phone: { width: 390, height: 844 } } as const;
type Size = keyof typeof sizes;

async function shoot(page: Page, name: string, settle: (size: Size) => Promise<unknown>): Promise<void> {
  const session = await page.context().newCDPSession(page);
  for (const size of ['desktop', 'phone'] as const) {
    await page.setViewportSize(sizes[size]);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await page.evaluate('scrollTo(0, 0)');
      await settle(size);
      // A chart is drawn anew in other colours.
      await sleep(400);
      const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 70 });
      writeFileSync(join(folder, `${name}-${size}-${colorScheme}.webp`), Buffer.from(data, 'base64'));
    }
  }
  await session.detach();
  console.log(name);
}

async function start() {
  const dataDir = mkdtempSync(join(tmpdir(), 'midroll-screenshots-'));
  stops.push(() => rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 }));
  const origin = await startOrigin(0);
  const adServer = await startAdServer(0, origin.url);
  const [adminPort, livePort] = [await findFreePort(8080), await findFreePort(8180)];
  const midroll = await startMidrollProcess({ adminPort, livePort, dataDir, apiKey });
  stops.push(origin.close, adServer.close, midroll.close);
  return { midroll, origin: origin.url, adServer: adServer.url };
}

async function run(): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const { midroll, origin, adServer } = await start();
  const { adminUrl, liveUrl } = midroll;
  const browser = await launchChromium();
  stops.push(() => browser.close());
  const page = await browser.newPage();
  const go = async (path: string, until: string) => {
    await page.goto(`${adminUrl}/#${path}`);
    await page.getByText(until).first().waitFor();
  };

  await page.goto(adminUrl);
  await shoot(page, 'sign-in', async () => page.getByLabel('API key').waitFor());
  await page.getByLabel('API key').fill(apiKey);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await shoot(page, 'first-run', async () => page.getByText('Three steps').waitFor());

  await seed({ adminUrl, apiKey }, { origin, adServer });
  const create = (collection: string, record: object) =>
    fetch(`${adminUrl}/api/v2/${collection}`, {
      method: 'POST',
      headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
      body: JSON.stringify(record),
    });
  const gone = { sourceType: 'url', url: `${origin}/archive/gone/master.m3u8` };
  await create('playlists', { id: 'archive', name: 'From the archive', status: 'enabled', contents: [gone] });
  await create('channels', { id: 'archive', name: 'Archive', state: 'enabled', playlistId: 'archive' });
  await create('channels', { id: 'spring', name: 'Spring special', playlistId: 'demo-films' });
  await create('systems', {
    name: 'Search backend',
    type: 'ssai',
    settings: { searchDomain: 'https://search.example.com', searchUser: 'midroll', searchPassword: 'not shown' },
  });
  const view = `${liveUrl}/hls/view/${channelId}?api-key=${channelKey}`;
  await untilPlaying(`${liveUrl}/hls/${channelId}/master.m3u8?api-key=${channelKey}`, 90);
  const stopWatching = startWatching(
    ['ann', 'bob', 'cem', 'dia'].map((viewer) => `${view}&viewer=${viewer}`),
    WATCHED_MS / 8,
  );
  stops.push(stopWatching);
  console.log(`Watching for ${WATCHED_MS / 1000} s …`);
  await sleep(WATCHED_MS);

  await go('/', 'Spring special');
  await shoot(page, 'channels', async () => page.getByText('Watching now').waitFor());
  await page.setViewportSize(sizes.desktop);
  await go(`/channels/${channelId}`, 'What plays when');
  await page.getByRole('button', { name: 'Watch the channel' }).click();
  await page.locator('[data-playing=true]').waitFor({ timeout: 60_000 });
  // A film, not the slate of a viewer who came in the middle of a break: players are ten seconds behind.
  await page.locator('.coming li:first-child .badge.ad').waitFor({ timeout: 90_000 });
  await page.locator('.coming li:first-child .badge.info').waitFor({ timeout: 90_000 });
  await sleep(10_500);
  await shoot(page, 'channel', async () => page.locator('[data-playing=true]').waitFor());
  await go(`/channels/${channelId}?tab=settings`, 'Ad server');
  await shoot(page, 'channel-settings', async () => page.getByLabel('Ad server').waitFor());
  await go('/playlists', 'From the archive');
  await shoot(page, 'playlists', async () => page.getByText('From the archive').waitFor());
  await page.setViewportSize(sizes.desktop);
  await go('/playlists/demo-films', 'Can be played');
  await page.locator('li.item').nth(1).getByRole('button', { name: 'Add a break' }).click();
  await page.locator('li.item').nth(0).getByRole('slider').first().press('ArrowRight');
  await shoot(page, 'playlist', async () => page.getByText('a break at').first().waitFor());
  await page.getByRole('button', { name: 'Discard' }).click();
  await go(`/sessions?channel=${channelId}`, 'Find a session');
  await shoot(page, 'sessions', async () => page.locator('tbody tr').first().waitFor());
  await page.locator('tbody a').nth(3).click();
  await page.locator('.break-card .sentence').first().waitFor();
  await page.locator('.break-card').nth(1).locator('summary').first().click();
  await shoot(page, 'session', async () => page.locator('.break-card').first().waitFor());
  await go('/reports?report=breaks', 'Fill rate');
  await page.getByLabel('Range').selectOption('Last 15 minutes');
  await shoot(page, 'reports', async () => page.locator('.uplot').first().waitFor());
  await go('/creatives', 'Prepare a creative');
  await shoot(page, 'creatives', async () => page.locator('.creative img').nth(3).waitFor());
  await go('/systems', 'Search backend');
  await shoot(page, 'systems', async () => page.getByText('Search backend').waitFor());
  await go('/keys', 'Create a key');
  await shoot(page, 'keys', async () => page.getByText('Last used').waitFor());
}

try {
  await run();
} finally {
  for (const stop of stops.reverse()) await stop();
}
