// SPDX-License-Identifier: Apache-2.0
// The second part of `npm run screenshots`: writes docs/demo.jpg, the page of the demo while its players show different ads.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startPageServer } from '../demo/pageServer.ts';
import { prepareAds, untilOnAir } from '../demo/prepare.ts';
import { seed } from '../demo/seed.ts';
import { launchChromium } from '../test/browser/launchChromium.ts';
import { startDemoServers } from '../test/servers/demoServers.ts';

const file = join(import.meta.dirname, '../docs/demo.jpg');
const stops: (() => unknown)[] = [];

/** Both players have a picture of an ad; the breaks that they listed have different ads. */
const showsAds = `['hls', 'dash'].every((id) =>
  document.querySelector('#' + id + ' video').readyState > 2 &&
  document.querySelectorAll('#' + id + ' .breaks li').length > 1 &&
  / · ([4-7]) s$/.test(document.querySelector('#' + id + ' .badge:not([hidden])')?.textContent ?? ''))`;

async function run(): Promise<void> {
  const { midroll, api, origin, adServer, close } = await startDemoServers();
  stops.push(close);
  await seed(api, { origin, adServer });
  await untilOnAir(api, 90);
  await prepareAds(api, origin, 90);
  const pageServer = await startPageServer(0, { ...api, liveUrl: midroll.liveUrl, adServerUrl: adServer });
  const browser = await launchChromium();
  stops.push(pageServer.close, () => browser.close());
  const page = await browser.newPage({ viewport: { width: 1200, height: 800 } });
  await page.goto(pageServer.url);
  await page.waitForFunction(showsAds, undefined, { timeout: 300_000, polling: 200 });
  writeFileSync(file, await page.screenshot({ type: 'jpeg', quality: 82 }));
  console.log(file);
}

try {
  await run();
} finally {
  for (const stop of stops.reverse()) await stop();
}
