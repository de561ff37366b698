// SPDX-License-Identifier: Apache-2.0
// A channel whose creatives are published to a blob container. Requests for ad segments are redirected to the container once
// the whole ad is there, and to Midroll during an outage of the cloud.
import { expect } from 'vitest';
import { startAzurite } from '../../servers/startAzurite.ts';
import { adSource, item, type Stage } from '../stage.ts';
import type { Viewer } from '../viewer.ts';

/** The path of an ad segment, relative to a session. */
export const TRACKED = /(^|\/)\d+-\d+-\d+\//;
const ID = '6f1ed002-ab5e-4c06-9a3e-2f1f5f0a9c11';

/** Where the listed ad segments redirect to. */
export async function locationsOf(stage: Stage, { listed, session }: Viewer, channel: string): Promise<string[]> {
  const base = `${stage.midroll.liveUrl}/hls/${channel}/${session}/v0.m3u8`;
  const tracked = [...listed.values()].flatMap((segments) =>
    [...segments.values()].map(({ uri }) => uri).filter((uri) => TRACKED.test(uri)),
  );
  return Promise.all(
    tracked.map(async (uri) => {
      const { status, headers } = await fetch(new URL(uri, base), { redirect: 'manual' });
      expect(status, uri).toBe(302);
      return headers.get('location')!;
    }),
  );
}

/** A page of another origin can read them. */
export async function expectReadable(locations: readonly string[]): Promise<void> {
  for (const location of locations) {
    const response = await fetch(location, { headers: { origin: 'https://page.example' } });
    expect([response.status, response.headers.has('access-control-allow-origin')], location).toEqual([200, true]);
    expect((await response.arrayBuffer()).byteLength).toBeGreaterThan(100);
  }
}

async function redirectsOf(stage: Stage, viewer: Viewer, container: string) {
  const locations = await locationsOf(stage, viewer, 'cloud');
  const inContainer = locations.filter((location) => location.startsWith(container));
  return { inContainer, local: locations.length - inContainer.length };
}

export async function cloudServesAds(stage: Stage): Promise<void> {
  const azurite = await startAzurite();
  stage.onClose(() => azurite.stop());
  const { settings } = azurite;
  const container = `${settings.storageAccount}/${settings.container}/`;
  const system = { id: ID, name: 'Cloud', type: 'cloud-media-services', settings };
  expect((await stage.midroll.api('POST', '/systems', system)).status).toBe(201);
  const spot = await stage.spot(5);
  stage.adHost.offer('/cloud', () => [{ id: 'cloud', seconds: 5, url: spot }]);
  const video = await stage.video({ seconds: 8 });
  const cue = { spliceTime: 4, maxDuration: 6 };
  await stage.air('cloud', [item(video, cue)], { adSource: adSource(stage.adHost, '/cloud'), systemId: ID });
  // Until Midroll notices an outage, redirects still lead to the container. Players retry those requests.
  let isOutage = false;
  const viewer = await stage.watch('cloud', { mayBeMissing: (url) => isOutage && TRACKED.test(url) });

  await viewer.until(
    'ads are redirected to the container',
    async () => (await redirectsOf(stage, viewer, container)).inContainer.length >= 6,
  );
  const { inContainer } = await redirectsOf(stage, viewer, container);
  await expectReadable(inContainer);
  const stateOf = async () => (await stage.midroll.api('GET', `/systems/${ID}`)).json;
  expect(await stateOf()).toMatchObject({ state: 'working', stateReason: expect.stringMatching(/[1-9]\d* published/) });

  const stored = async () => (await stage.midroll.api('GET', `/systems/${ID}/reports/storage`)).json.totals;
  await viewer.until('the report counts stored bytes', async () => (await stored()).bytes > 1000);
  expect((await stored()).objects).toBeGreaterThan(6);

  isOutage = true;
  await azurite.pause();
  await viewer.until('ads are served locally', async () => {
    const sent = await redirectsOf(stage, viewer, container);
    return sent.local >= 6 && sent.inContainer.length === 0;
  });
  expect(await stateOf()).toMatchObject({ state: 'failing', stateReason: expect.stringContaining('storage account') });
  await azurite.resume();
  await viewer.until(
    'ads are redirected to the container again',
    async () => (await redirectsOf(stage, viewer, container)).inContainer.length >= 6,
  );
  await viewer.leave();
  expect(viewer.faults).toEqual([]);
}
