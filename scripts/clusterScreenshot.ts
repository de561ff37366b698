// SPDX-License-Identifier: Apache-2.0
// The part of `npm run screenshots` that writes docs/pictures/demo-cluster.webp: the nodes on the page of the demo, after the one that
// served a viewer was killed.
import { join } from 'node:path';
import { createClusterControl } from '../demo/cluster/clusterStatus.ts';
import { startPageServer } from '../demo/pageServer.ts';
import { prepareAds, untilOnAir } from '../demo/prepare.ts';
import { seed } from '../demo/seed.ts';
import { startViewers } from '../demo/viewers.ts';
import { launchChromium } from '../test/browser/launchChromium.ts';
import { startDemoCluster } from '../test/servers/demoServers.ts';
import { stops, takeScreenshots, writeWebp } from './captureConsole.ts';

const file = join(import.meta.dirname, '../docs/pictures/demo-cluster.webp');
const WIDTH = 1200;

async function run(): Promise<void> {
  const { cluster, api, origin, adServer, close } = await startDemoCluster();
  stops.push(close);
  await seed(api, { origin, adServer });
  await untilOnAir(api, 90);
  await prepareAds(api, origin, 90);
  const view = `${cluster.liveUrl}/hls/view/demo?api-key=watch-demo`;
  stops.push(startViewers(Array(8).fill(view), 300));
  const control = createClusterControl(cluster);
  const targets = { ...api, liveUrl: cluster.liveUrl, adServerUrl: adServer, originUrl: origin, cluster: control };
  const server = await startPageServer(0, targets);
  const browser = await launchChromium();
  stops.push(server.close, () => browser.close());
  const page = await browser.newPage({ viewport: { width: WIDTH, height: 900 } });
  await page.goto(server.url);
  const isShown = (condition: string) => page.waitForFunction(condition, undefined, { timeout: 300_000, polling: 200 });
  // Both viewers watch, so that the killed node has served for a while.
  await isShown(`document.querySelectorAll('#linear .from').length === 2`);
  await page.waitForTimeout(22_000);
  const killed = await page.locator('#hls .from').getAttribute('data-node');
  await page.click(`#${killed} button[name="kill"]`);
  await isShown(`document.querySelector('#hls .from').dataset.node !== '${killed}'`);
  await isShown(`['hls', 'dash'].every((id) => document.querySelector('#' + id + ' video').readyState > 2)`);
  await page.waitForTimeout(3000);
  const { y, height } = (await page.locator('#linear main').boundingBox())!;
  const clip = { x: 0, y: 0, width: WIDTH, height: y + height * 0.72 };
  await writeWebp(page, file, clip);
  console.log(file);
}

await takeScreenshots(run);
