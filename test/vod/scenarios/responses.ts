// SPDX-License-Identifier: Apache-2.0
// VoD channels respond as linear channels do: keys, signatures, error codes, headers, HEAD and CORS.
import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { signOpening } from '../../../src/http/live/openingRequest.ts';
import { expectHeaders, expectRejected, get, type Rejected, type Served } from '../../live/scenarios/liveResponses.ts';
import { adSource, item, type Stage } from '../../live/stage.ts';
import { airVod, openVod, readVod } from '../watchVod.ts';

const secret = 'sixteen-or-more!';

export async function vodRequestsAreRejected(stage: Stage): Promise<void> {
  const video = await stage.video({ seconds: 8 });
  const contents = [item(video)];
  await airVod(stage, 'gate', contents);
  await airVod(stage, 'next-gate', contents);
  await airVod(stage, 'signed', contents, { signingSecret: secret });
  await airVod(stage, 'closed', contents, { state: 'disabled' });
  await stage.air('lost', contents, { type: 'vod' }, { type: 'vod', status: 'disabled' });
  const { sessionId } = await openVod(stage, 'gate');
  await openVod(stage, 'next-gate');
  const exp = String(Math.floor(stage.clock.now() / 1000) + 36_000);
  await openVod(stage, 'signed', { query: `exp=${exp}&sig=${signOpening(secret, 'signed', exp)}` });
  const unknown = randomUUID();
  const rejected: Rejected = [
    [401, 'KEY_MISSING', '/hls/gate/master.m3u8'],
    [401, 'KEY_MISSING', '/hls/view/gate'],
    [401, 'KEY_MISSING', '/dash/view/gate'],
    [403, 'Forbidden', '/hls/gate/master.m3u8?api-key=wrong'],
    [403, 'Forbidden', '/dash/view/gate?api-key=wrong'],
    [403, 'Forbidden', '/hls/view/signed?api-key=key'],
    [403, 'Forbidden', `/hls/view/signed?api-key=key&exp=${exp}&sig=${signOpening(secret, 'gate', exp)}`],
    [404, 'NOT_FOUND', '/hls/closed/master.m3u8?api-key=key'],
    [404, 'NOT_FOUND', `/hls/gate/${unknown}/v0.m3u8`],
    [404, 'NOT_FOUND', `/hls/gate/master.m3u8?sid=${unknown}`],
    [404, 'NOT_FOUND', `/dash/gate/${unknown}.mpd`],
    [404, 'NOT_FOUND', `/hls/next-gate/${sessionId}/v0.m3u8`],
    [404, 'NOT_FOUND', `/dash/next-gate/${sessionId}.mpd`],
    [404, 'NOT_FOUND', `/hls/gate/${sessionId}/v9.m3u8`],
    [422, 'VALIDATION_ERROR', '/hls/gate/master.m3u8?api-key=key&start=-30'],
    [422, 'VALIDATION_ERROR', '/dash/view/gate?api-key=key&start=soon'],
    [422, 'VALIDATION_ERROR', '/hls/view/gate?api-key=key&content=http://127.0.0.1/film.m3u8'],
    [503, 'UNAVAILABLE', '/hls/view/lost?api-key=key'],
    [405, 'METHOD_NOT_ALLOWED', '/hls/gate/master.m3u8?api-key=key', 'POST'],
  ];
  await expectRejected(stage, rejected, (body, expected, { headers }) => {
    expect(headers.has('retry-after')).toBe(expected.code === 503);
    expect(body).toMatchObject({ ...expected, message: expect.any(String) });
  });
}

export async function vodHeadersAreSent(stage: Stage): Promise<void> {
  const [video, spot] = await Promise.all([stage.video({ seconds: 8 }), stage.spot(4)]);
  stage.adHost.offer('/vod-heads', () => [{ id: 'four', seconds: 4, url: spot }]);
  await airVod(stage, 'vod-heads', [{ ...item(video), cuePoints: [{ spliceTime: 0 }] }], {
    adSource: adSource(stage.adHost, '/vod-heads'),
  });
  const { sessionId, mediaURL, trackingURL, vastURL } = await openVod(stage, 'vod-heads', { format: 'dash' });
  const { playlists } = await readVod(stage.midroll, 'vod-heads', sessionId);
  const ad = playlists.v0!.split('\n').find((line) => line.startsWith('0-1-0/'))!;
  const redirected = await fetch(`${stage.midroll.liveUrl}/hls/vod-heads/${sessionId}/${ad}`, { redirect: 'manual' });
  expect(redirected.status).toBe(302);
  expect(redirected.headers.get('cache-control')).toMatch(/no-cache|no-store/);
  const kinds: Served = [
    ['/hls/vod-heads/master.m3u8?api-key=key', /^application\/vnd\.apple\.mpegurl/, /no-cache/],
    [`/hls/vod-heads/${sessionId}/v0.m3u8`, /^application\/vnd\.apple\.mpegurl/, /no-cache/],
    [`/dash/vod-heads/${sessionId}.mpd`, /^application\/dash\+xml/, /no-cache/],
    ['/dash/view/vod-heads?api-key=key', /^application\/json/, /no-cache/],
    ['/hls/view/vod-heads?api-key=key', /^application\/json/, /no-cache/],
    [`/tracking/${sessionId}`, /^application\/json/, /no-cache/],
    [new URL(redirected.headers.get('location')!, stage.midroll.liveUrl).pathname, /^video\/mp4/, /immutable/],
  ];
  await expectHeaders(stage, kinds, `/hls/vod-heads/${sessionId}/v0.m3u8`);
  expect((await fetch(mediaURL)).status).toBe(200);
  const skipped = await get(stage, `/hls/vod-heads/${sessionId}/v0.m3u8?_HLS_skip=YES`);
  expect(await skipped.text()).toBe(playlists.v0);
  expect(await (await fetch(trackingURL)).json()).toMatchObject({ avails: [{ breakId: '0-1' }], nextToken: null });
  expect((await fetch(vastURL)).status).toBe(200);
}
