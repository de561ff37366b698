// SPDX-License-Identifier: Apache-2.0
// The second part of `npm run screenshots`: writes demo.webp and demo-live.webp of docs/pictures, both channels on the page of the demo
// while their players show different ads.
import { join } from 'node:path';
import { startEncoderOrigin } from '../demo/encoder/encoderOrigin.ts';
import { startLiveChannel } from '../demo/encoder/liveDemo.ts';
import { startPageServer } from '../demo/pageServer.ts';
import { prepareAds, untilOnAir } from '../demo/prepare.ts';
import { seed } from '../demo/seed.ts';
import { launchChromium } from '../test/browser/launchChromium.ts';
import { startDemoServers } from '../test/servers/demoServers.ts';
import { stops, takeScreenshots, writeWebp } from './captureConsole.ts';

const docs = join(import.meta.dirname, '../docs/pictures');

/** Both players have a picture of an ad; the breaks that they listed have different ads. */
const showsAds = (ids: readonly string[], breaks: number) => `${JSON.stringify(ids)}.every((id) =>
  document.querySelector('#' + id + ' video').readyState > 2 &&
  document.querySelectorAll('#' + id + ' .breaks li').length > ${breaks} &&
  / · ([4-7]) s$/.test(document.querySelector('#' + id + ' .badge:not([hidden])')?.textContent ?? ''))`;

async function run(): Promise<void> {
  const { midroll, api, origin, adServer, close } = await startDemoServers();
  stops.push(close);
  await seed(api, { origin, adServer });
  await untilOnAir(api, 90);
  await prepareAds(api, origin, 90);
  const encoder = await startEncoderOrigin(0);
  stops.push(encoder.close);
  await startLiveChannel(api, { origin: encoder, media: origin, adServer });
  const targets = { ...api, liveUrl: midroll.liveUrl, adServerUrl: adServer, originUrl: origin, encoder };
  const pageServer = await startPageServer(0, targets);
  const browser = await launchChromium();
  stops.push(pageServer.close, () => browser.close());
  const page = await browser.newPage({ viewport: { width: 1200, height: 840 } });
  await page.goto(pageServer.url);

  const shoot = async (name: string, selector: string, ids: readonly string[], breaks: number) => {
    await page.locator(selector).scrollIntoViewIfNeeded();
    await page.waitForFunction(showsAds(ids, breaks), undefined, { timeout: 300_000, polling: 200 });
    const file = join(docs, name);
    const box = (await page.locator(selector).boundingBox())!;
    const top = box.y + (await page.evaluate<number>('scrollY'));
    // With the heading of the page, if it is above.
    const y = top < 200 ? 0 : top - 16;
    const clip = { x: 0, y, width: 1200, height: top - y + box.height + 16 };
    await writeWebp(page, file, clip);
    console.log(file);
  };
  await page.click('button[name="send-break"]:enabled', { timeout: 0 });
  await shoot('demo-live.webp', '#live', ['live-hls', 'live-dash'], 0);
  await shoot('demo.webp', '#linear', ['hls', 'dash'], 1);
}

await takeScreenshots(run);
