// SPDX-License-Identifier: Apache-2.0
// Previews: sessions of operators. They request and show real ads, and nothing of them is counted or tracked.
import { expect, test } from 'vitest';
import { fileStage } from '../live/fileStage.ts';
import { adSource, item } from '../live/stage.ts';
import type { Viewer } from '../live/viewer.ts';

const stage = await fileStage();

type Shown = { readonly delivered?: { readonly seconds: number } };

const seen = (path: string) => stage.adHost.seen.filter((one) => one.path.startsWith(path));
const ofViewer = (path: string, name: string) => seen(path).filter((one) => one.path.includes(`viewer=${name}`));

async function tokenOf(channel: string): Promise<string> {
  const { status, json } = await stage.midroll.api('POST', `/channels/${channel}/preview`);
  expect(status).toBe(200);
  expect(Date.parse(json.expiresAt)).toBeGreaterThan(stage.clock.now());
  return json.token;
}

/** The totals of a report, of one channel. */
async function totals(report: string, channel: string): Promise<Record<string, number>> {
  const [system] = (await stage.midroll.api('GET', '/systems')).json;
  const { json } = await stage.midroll.api(
    'GET',
    `/systems/${system.id}/reports/${report}?start=${stage.clock.now() - 3_600_000}&channel=${channel}&end=${stage.clock.now()}`,
  );
  return json.totals;
}

async function untilDelivered(viewer: Viewer, ads: number): Promise<void> {
  await viewer.until(`${ads} ads were delivered`, async () => {
    const { json } = await stage.midroll.api('GET', `/sessions/${viewer.session}`);
    const shown: Shown[] = json.breaks.flatMap((one: { ads: Shown[] }) => one.ads);
    return shown.filter(({ delivered }) => (delivered?.seconds ?? 0) > 2).length >= ads;
  });
}

const tracking = () => `${stage.adHost.url}/beacon?event=[EVENT]&viewer=[PLAYER.viewer]`;

test('a preview shows ads of a linear channel, and only viewers are counted and tracked', async () => {
  const [content, spot] = await Promise.all([stage.video({ seconds: 6 }), stage.spot(3)]);
  stage.adHost.offer('/linear', () => [{ id: 'spot', seconds: 3, url: spot, tracking: tracking() }]);
  await stage.air('linear', [item(content, { spliceTime: 4, maxDuration: 3 })], {
    adSource: adSource(stage.adHost, '/linear'),
  });
  const preview = await stage.watch('linear', {
    query: `viewer=operator&midroll-preview=${encodeURIComponent(await tokenOf('linear'))}`,
  });
  await untilDelivered(preview, 2);
  await preview.leave();
  const viewer = await stage.watch('linear', { query: 'viewer=anna' });
  await untilDelivered(viewer, 2);
  await viewer.leave();
  await stage.clock.sleep(60_000);

  expect(ofViewer('/linear', 'operator').length).toBeGreaterThan(1);
  for (const { headers } of ofViewer('/linear', 'operator')) expect(headers['x-midroll-preview']).toBe('1');
  for (const { headers } of ofViewer('/linear', 'anna')) expect(headers['x-midroll-preview']).toBeUndefined();
  expect(ofViewer('/beacon', 'anna').map(({ path }) => path)).toContainEqual(expect.stringContaining('impression'));
  expect(ofViewer('/beacon', 'operator')).toEqual([]);
  expect((await stage.midroll.api('GET', `/beacons?session=${preview.session}`)).json).toEqual([]);

  const { json: counted } = await stage.midroll.api('GET', `/sessions/${viewer.session}`);
  expect(await totals('ad-requests', 'linear')).toMatchObject({ sent: ofViewer('/linear', 'anna').length });
  expect(await totals('breaks', 'linear')).toMatchObject({ offered: counted.breaks.length });
  const started = counted.breaks
    .flatMap(({ ads }: { ads: Shown[] }) => ads)
    .filter(({ delivered }: Shown) => (delivered?.seconds ?? 0) > 0);
  expect(await totals('ads', 'linear')).toMatchObject({ started: started.length });

  const { json: trace } = await stage.midroll.api('GET', `/sessions/${preview.session}`);
  expect(trace.parameters).toEqual({ viewer: 'operator', 'midroll-preview': 'yes' });
  const { json: found } = await stage.midroll.api('GET', '/sessions?parameter=midroll-preview%3Dyes');
  expect(found.map(({ id }: { id: string }) => id)).toEqual([preview.session]);
});

test('only a token of the channel marks a session as a preview', async () => {
  await stage.air('other', [item(await stage.video({ seconds: 6 }))]);
  await (await stage.watch('other')).leave();
  const foreign = await tokenOf('linear');
  for (const path of ['/hls/other/master.m3u8', '/hls/view/other', '/dash/view/other'])
    for (const value of ['yes', '', foreign]) {
      const query = new URLSearchParams({ 'api-key': 'key', 'midroll-preview': value });
      const response = await fetch(`${stage.midroll.liveUrl}${path}?${query}`);
      expect([path, value, response.status]).toEqual([path, value, 403]);
    }
  expect((await stage.midroll.api('POST', '/channels/none/preview')).status).toBe(404);
});

test('the breaks of a VoD preview are decided and not counted, and no Error URL is called', async () => {
  const content = await stage.video({ seconds: 6 });
  const failing = `${stage.adHost.url}/failing.mp4`;
  stage.adHost.on('/title', (response) =>
    response.writeHead(200, { 'content-type': 'application/xml' }).end(`<VAST version="4.2"><Ad id="a"><InLine>
      <AdSystem>x</AdSystem><AdTitle>a</AdTitle><Impression/><Error><![CDATA[${stage.adHost.url}/error?viewer=[PLAYER.viewer]]]></Error>
      <Creatives><Creative><Linear><Duration>00:00:03</Duration><MediaFiles><MediaFile delivery="progressive"
      type="video/mp4" width="64" height="36"><![CDATA[${failing}]]></MediaFile></MediaFiles></Linear></Creative></Creatives>
      </InLine></Ad></VAST>`),
  );
  await stage.air(
    'title',
    [item(content, { spliceTime: 0, maxDuration: 3 })],
    { type: 'vod', adSource: adSource(stage.adHost, '/title') },
    { type: 'vod' },
  );
  const open = async (query: string): Promise<string> => {
    for (;;) {
      const response = await fetch(`${stage.midroll.liveUrl}/hls/view/title?api-key=key&${query}`);
      if (response.ok) return ((await response.json()) as { sessionId: string }).sessionId;
      expect(response.status).toBe(503);
      await stage.clock.sleep(500);
    }
  };
  const token = encodeURIComponent(await tokenOf('title'));
  const preview = await open(`viewer=operator&midroll-preview=${token}`);
  const called = () => ofViewer('/error', 'anna').length > 0;
  // The creative is known to fail once it was tried.
  while (!called()) {
    await open('viewer=anna');
    await stage.clock.sleep(5000);
  }
  const second = await open(`viewer=operator&midroll-preview=${encodeURIComponent(await tokenOf('title'))}`);
  await stage.clock.sleep(60_000);
  for (const id of [preview, second]) {
    const { json } = await stage.midroll.api('GET', `/sessions/${id}`);
    expect(json.breaks).toMatchObject([{ status: 'empty', ads: [{ outcome: 'skipped' }] }]);
  }
  expect(ofViewer('/error', 'operator')).toEqual([]);
  expect(await totals('ad-requests', 'title')).toMatchObject({ sent: ofViewer('/title', 'anna').length });
  expect(await totals('breaks', 'title')).toMatchObject({ offered: ofViewer('/title', 'anna').length });
});
