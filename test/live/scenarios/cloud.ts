// A channel whose creatives lie in a blob container: viewers are sent there once all of an ad is there, and served from
// here again, without a fault, while the cloud is away.
import { expect } from 'vitest';
import { startAzurite } from '../../servers/startAzurite.ts';
import { adSource, item, type Stage } from '../stage.ts';
import type { Viewer } from '../viewer.ts';

/** The address of an ad's segment below a session. */
const TRACKED = /(^|\/)\d+-\d+-\d+\//;
const ID = '6f1ed002-ab5e-4c06-9a3e-2f1f5f0a9c11';

/** Where a player is sent for the ad segments that it was listed. */
async function sentTo(stage: Stage, { listed, session }: Viewer, container: string) {
  const base = `${stage.midroll.liveUrl}/hls/cloud/${session}/v0.m3u8`;
  const tracked = [...listed.values()].flatMap((segments) =>
    [...segments.values()].map(({ uri }) => uri).filter((uri) => TRACKED.test(uri)),
  );
  const answers = tracked.map(async (uri) => {
    const { status, headers } = await fetch(new URL(uri, base), { redirect: 'manual' });
    expect(status, uri).toBe(302);
    return headers.get('location')!;
  });
  const locations = await Promise.all(answers);
  const there = locations.filter((location) => location.startsWith(container));
  return { there, here: locations.length - there.length };
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
  // Who was sent there in the seconds before an outage is noticed asks again, as players do.
  let isAway = false;
  const viewer = await stage.watch('cloud', { mayBeMissing: (url) => isAway && TRACKED.test(url) });

  await viewer.until('ads in the container', async () => (await sentTo(stage, viewer, container)).there.length >= 6);
  const { there } = await sentTo(stage, viewer, container);
  for (const location of there) {
    const answer = await fetch(location, { headers: { origin: 'https://page.example' } });
    expect([answer.status, answer.headers.has('access-control-allow-origin')], location).toEqual([200, true]);
    expect((await answer.arrayBuffer()).byteLength).toBeGreaterThan(100);
  }
  const stateOf = async () => (await stage.midroll.api('GET', `/systems/${ID}`)).json;
  expect(await stateOf()).toMatchObject({ state: 'working', stateReason: expect.stringMatching(/[1-9]\d* published/) });

  const holds = async () => (await stage.midroll.api('GET', `/systems/${ID}/reports/storage`)).json.totals;
  await viewer.until('bytes in the report', async () => (await holds()).bytes > 1000);
  expect((await holds()).objects).toBeGreaterThan(6);

  isAway = true;
  await azurite.pause();
  await viewer.until('ads from here', async () => {
    const sent = await sentTo(stage, viewer, container);
    return sent.here >= 6 && sent.there.length === 0;
  });
  expect(await stateOf()).toMatchObject({ state: 'failing', stateReason: expect.stringContaining('served from here') });
  await azurite.resume();
  await viewer.until(
    'ads in the container again',
    async () => (await sentTo(stage, viewer, container)).there.length >= 6,
  );
  await viewer.leave();
  expect(viewer.faults).toEqual([]);
}
