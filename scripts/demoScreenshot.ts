// SPDX-License-Identifier: Apache-2.0
// The second part of `npm run screenshots`: writes docs/demo.jpg, the page of the demo while its players show different ads.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startAdServer } from '../demo/adServer.ts';
import { startMidrollProcess } from '../demo/midrollProcess.ts';
import { startOrigin } from '../demo/origin.ts';
import { startPageServer } from '../demo/pageServer.ts';
import { prepareAds, untilOnAir } from '../demo/prepare.ts';
import { seed } from '../demo/seed.ts';
import { launchChromium } from '../test/browser/launchChromium.ts';

const file = join(import.meta.dirname, '../docs/demo.jpg');
const apiKey = 'demo-key';
const stops: (() => unknown)[] = [];

/** Both players have a picture of an ad; the breaks that they listed have different ads. */
const showsAds = `['hls', 'dash'].every((id) =>
  document.querySelector('#' + id + ' video').readyState > 2 &&
  document.querySelectorAll('#' + id + ' .breaks li').length > 1 &&
  / · ([4-7]) s$/.test(document.querySelector('#' + id + ' .badge:not([hidden])')?.textContent ?? ''))`;

async function run(): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'midroll-screenshot-'));
  stops.push(() => rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 }));
  const origin = await startOrigin(0);
  const adServer = await startAdServer(0, origin.url);
  const midroll = await startMidrollProcess({ dataDir, apiKey });
  stops.push(origin.close, adServer.close, midroll.close);
  const { adminUrl, liveUrl } = midroll;
  const api = { adminUrl, apiKey };
  await seed(api, { origin: origin.url, adServer: adServer.url });
  await untilOnAir(api, 90);
  await prepareAds(api, origin.url, 90);
  const pageServer = await startPageServer(0, { ...api, liveUrl, adServerUrl: adServer.url });
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
