// SPDX-License-Identifier: Apache-2.0
// The cluster on the page of the demo: viewers continue when the node that serves them is killed, and the page shows by which
// node. Its buttons work for this page only.

import { beforeAll, expect, test } from 'vitest';
import { createClusterControl } from '../../demo/cluster/clusterStatus.ts';
import { startPageServer } from '../../demo/pageServer.ts';
import { untilOnAir } from '../../demo/prepare.ts';
import { seed } from '../../demo/seed.ts';
import { opened } from '../opened.ts';
import { startDemoCluster } from '../servers/demoServers.ts';
import { connectChromium } from './connectChromium.ts';

const demo = await opened(startDemoCluster());
const { cluster, api, origin, adServer } = demo;
const urls = { liveUrl: cluster.liveUrl, adServerUrl: adServer, originUrl: origin };
const targets = { ...api, ...urls, cluster: createClusterControl(cluster) };
const { url: pageUrl } = await opened(startPageServer(0, targets));
const browser = await opened(connectChromium());
const page = await browser.newPage();
beforeAll(async () => {
  await seed(api, { origin, adServer });
  await untilOnAir(api, 300);
  await page.goto(pageUrl);
});

const stateOf = (id: string) => page.locator(`#${id} .state`).textContent();
const nodeOf = (format: string) => page.locator(`#${format} .from`).getAttribute('data-node', { timeout: 300_000 });
/** The date of the picture in hls.js, in milliseconds since 1970. */
const dateOfPicture = async () => Number(await page.locator('#hls').getAttribute('data-at', { timeout: 300_000 }));
const press = (id: string, name: string) => page.click(`#${id} button[name="${name}"]:enabled`, { timeout: 0 });

/** The picture continues for some seconds of the channel. */
async function plays(seconds = 10): Promise<void> {
  const from = await dateOfPicture();
  await expect.poll(dateOfPicture).toBeGreaterThan(from + 1000 * seconds);
}

test('a viewer continues on another node when its node is killed, and returns when it is started', async () => {
  await plays(1);
  const killed = (await nodeOf('hls'))!;
  const session = /session (\S+)/.exec((await page.locator('#hls .about').textContent())!)![1];
  await press(killed, 'kill');
  await expect.poll(() => stateOf(killed)).toBe('Down');
  await expect.poll(() => nodeOf('hls')).not.toBe(killed);
  await plays();
  const other = (await nodeOf('hls'))!;
  expect(await page.locator(`#${other} .served`).textContent()).toContain('Linear HLS');
  expect(await page.locator(`#${killed} .served`).textContent()).toBe('');
  expect(await page.locator('.events').textContent()).toContain('Linear HLS viewer');
  await press(killed, 'start');
  await expect.poll(() => stateOf(killed)).toBe('Up');
  await expect.poll(() => nodeOf('hls')).toBe(killed);
  await plays();
  expect(await page.locator('#hls .about').textContent()).toContain(`session ${session}`);
});

test('viewers continue while the stores are down', async () => {
  for (const store of ['postgres', 'redis']) await press(store, 'kill');
  for (const store of ['postgres', 'redis']) await expect.poll(() => stateOf(store)).toBe('Down');
  await plays();
  for (const store of ['postgres', 'redis']) await press(store, 'start');
  for (const { member } of demo.cluster.nodes) await expect.poll(() => stateOf(member.id)).toBe('Up');
  await plays();
});

test('other sites can neither kill nor start a node', async () => {
  const id = demo.cluster.nodes[0]!.member.id;
  const post = async (headers: Record<string, string>) =>
    (await fetch(`${pageUrl}/cluster/kill/${id}`, { method: 'POST', headers })).status;
  expect(await post({})).toBe(403);
  expect(await post({ origin: 'http://example.com' })).toBe(403);
  expect(await post({ origin: 'null' })).toBe(403);
  expect((await fetch(`${pageUrl}/cluster/kill/${id}`)).status).toBe(405);
  expect(demo.cluster.nodes[0]!.member.state()).toBe('up');
});
