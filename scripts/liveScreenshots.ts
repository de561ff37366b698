// SPDX-License-Identifier: Apache-2.0
// The part of `npm run screenshots` that writes the pages of live channels: breaks, the health of an origin that has failed and
// has been replaced by its backup and by slate, and the dialog that inserts a break.
import { setTimeout as sleep } from 'node:timers/promises';
import { callAdmin } from '../demo/callAdmin.ts';
import { startServer } from '../demo/listen.ts';
import { untilPlaying } from '../demo/untilPlaying.ts';
import { startViewers } from '../demo/viewers.ts';
import { startDemoServers } from '../test/servers/demoServers.ts';
import { captureConsole as capture, openConsole, signIn, sizes, stops, takeScreenshots } from './captureConsole.ts';

const id = 'news';
const key = 'watch-news';

/** The live stream of the demo at another place, which fails on demand. */
async function startFront(origin: string) {
  let isFailing = false;
  const { url, close } = await startServer(async (request, response) => {
    const found = isFailing ? undefined : await fetch(`${origin}/live${request.url}`);
    const text = (await found?.text())?.replaceAll('../', `${origin}/`) ?? 'Service Unavailable';
    response.writeHead(found?.status ?? 503, { 'content-type': 'application/vnd.apple.mpegurl' }).end(text);
  });
  stops.push(close);
  return {
    url: `${url}/master.m3u8`,
    fail(fails: boolean) {
      isFailing = fails;
    },
  };
}

async function run(): Promise<void> {
  const { midroll, api, origin, adServer, close } = await startDemoServers();
  stops.push(close);
  const { adminUrl, liveUrl } = midroll;
  const [main, backup, spare] = [await startFront(origin), await startFront(origin), await startFront(origin)];
  spare.fail(true);
  const adUrl = `${adServer}/vast?session=[SESSION_ID]&break=[BREAK_ID]&duration=[BREAK_DURATION]&max=[BREAK_MAX_ADS]`;
  await callAdmin(api, 'POST', '/channels', {
    id,
    name: 'News',
    type: 'live',
    state: 'enabled',
    apiKey: key,
    adSource: { url: adUrl },
    sourceManifestUrl: main.url,
    backupManifestUrls: [backup.url, spare.url],
  });
  await untilPlaying(`${liveUrl}/hls/${id}/master.m3u8?api-key=${key}`, 90);
  const view = `${liveUrl}/hls/view/${id}?api-key=${key}`;
  stops.push(
    startViewers(
      ['ann', 'bob', 'cem', 'dia', 'eli'].map((viewer) => `${view}&viewer=${viewer}`),
      2000,
    ),
  );
  const onAir = async (kind: string): Promise<void> => {
    type Channel = { live: { hls?: { health?: { onAir?: { kind: string } } } } };
    for (;;) {
      const { live } = await callAdmin<Channel>(api, 'GET', `/channels/${id}`);
      if (live.hls?.health?.onAir?.kind === kind) return;
      await sleep(500);
    }
  };
  console.log('An origin that fails for a while …');
  await sleep(35_000);
  main.fail(true);
  await onAir('backup');
  await sleep(15_000);
  backup.fail(true);
  await onAir('slate');
  await sleep(8_000);
  main.fail(false);
  backup.fail(false);
  await onAir('source');
  await sleep(25_000);
  main.fail(true);
  await onAir('backup');
  await sleep(5000);

  const { page } = await openConsole(adminUrl);
  const region = (name: string) => page.getByRole('region', { name, exact: true });
  const scrollTo = (selector: string) =>
    page.evaluate(`document.querySelector('${selector}').scrollIntoView(); scrollBy(0, -72)`);
  await signIn(page, api.apiKey);
  await page.setViewportSize(sizes.desktop);
  await page.goto(`${adminUrl}/#/channels/${id}`);
  await region('HLS origin').waitFor();
  await capture(page, 'live/live-origin', () => scrollTo('[aria-label=Origin]'));
  await capture(page, 'live/live-channel', async () => {
    await region('Break on air').waitFor();
    await scrollTo('[aria-label=Breaks]');
  });
  await region('Breaks').getByRole('button', { name: 'Insert break' }).click();
  await capture(page, 'live/insert-break', () => page.getByText('viewers will see').waitFor());
  await page.keyboard.press('Escape');
  main.fail(false);
  await page.setViewportSize(sizes.desktop);
  await page.goto(`${adminUrl}/#/channels/${id}?tab=settings`);
  await page.getByRole('button', { name: 'Analyse' }).click();
  await region('Backup origin 2').waitFor();
  await capture(page, 'live/live-settings', () => scrollTo('.field.list'));
}

await takeScreenshots(run);
