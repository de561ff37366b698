// SPDX-License-Identifier: Apache-2.0
// Responses of the live port other than manifests: errors, headers, HEAD and CORS.
import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect } from 'vitest';
import type { OpenedSession } from '../../../src/http/contract/airContract.ts';
import { isOurs } from '../../laws/readBack.ts';
import { item, type Stage } from '../stage.ts';

const cue = { spliceTime: 4, maxDuration: 6 };

/** Requests of the live port. */
export const get = (stage: Stage, path: string, method = 'GET') => fetch(stage.midroll.liveUrl + path, { method });

export type Rejected = readonly (readonly [status: number, type: string, path: string, method?: string])[];

/** @param check of a response and its body, besides the status and CORS */
export async function expectRejected(
  stage: Stage,
  rejected: Rejected,
  check: (body: unknown, expected: { readonly type: string; readonly code: number }, response: Response) => void,
): Promise<void> {
  for (const [status, type, path, method] of rejected) {
    const response = await get(stage, path, method);
    expect([path, response.status]).toEqual([path, status]);
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    check(await response.json(), { type, code: status }, response);
  }
}

export type Served = readonly (readonly [path: string, type: RegExp, caching: RegExp])[];

/** Of GET and HEAD; a preflight request of `preflighted` is answered, too. */
export async function expectHeaders(stage: Stage, served: Served, preflighted: string): Promise<void> {
  for (const [path, type, caching] of served) {
    for (const method of ['GET', 'HEAD']) {
      const response = await get(stage, path, method);
      const size = (await response.arrayBuffer()).byteLength;
      expect([path, method, response.status]).toEqual([path, method, 200]);
      expect(response.headers.get('content-type')).toMatch(type);
      expect(response.headers.get('cache-control')).toMatch(caching);
      expect(response.headers.get('access-control-allow-origin')).toBe('*');
      expect(Number(response.headers.get('content-length'))).toBeGreaterThan(0);
      if (method === 'HEAD') expect(size).toBe(0);
    }
  }
  const preflight = await get(stage, preflighted, 'OPTIONS');
  expect(preflight.status).toBe(204);
  expect(preflight.headers.get('access-control-allow-methods')).toContain('GET');
}

export async function invalidRequestsAreRejected(stage: Stage): Promise<void> {
  const video = await stage.video({ seconds: 8 });
  await stage.air('door', [item(video, cue)]);
  await stage.air('next-door', [item(video)]);
  await stage.air('shut', [item(video)], { state: 'disabled' });
  const { session } = await stage.watch('door');
  await stage.watch('next-door');
  const unknownSession = randomUUID();
  const rejected: Rejected = [
    [401, 'KEY_MISSING', '/hls/door/master.m3u8'],
    [401, 'KEY_MISSING', '/dash/view/door'],
    [401, 'KEY_MISSING', '/hls/nowhere/master.m3u8'],
    [401, 'KEY_MISSING', '/dash/view/shut'],
    [403, 'Forbidden', '/hls/door/master.m3u8?api-key=wrong'],
    [403, 'Forbidden', '/dash/view/door?api-key=wrong'],
    [403, 'Forbidden', '/hls/view/door?api-key='],
    [404, 'NOT_FOUND', '/hls/nowhere/master.m3u8?api-key=key'],
    [404, 'NOT_FOUND', '/dash/view/nowhere?api-key=key'],
    [404, 'NOT_FOUND', '/hls/shut/master.m3u8?api-key=key'],
    [404, 'NOT_FOUND', `/hls/door/${unknownSession}/v0.m3u8`],
    [404, 'NOT_FOUND', `/hls/door/master.m3u8?sid=${unknownSession}`],
    [404, 'NOT_FOUND', `/dash/door/${unknownSession}.mpd`],
    [404, 'NOT_FOUND', `/tracking/${unknownSession}`],
    [404, 'NOT_FOUND', `/hls/door/${unknownSession}/vast.xml`],
    [404, 'NOT_FOUND', `/hls/next-door/${session}/v0.m3u8`],
    [404, 'NOT_FOUND', `/dash/next-door/${session}.mpd`],
    [404, 'NOT_FOUND', `/hls/door/${session}/v9.m3u8`],
    [404, 'NOT_FOUND', '/m/00000000/25/v0/0.m4s'],
    [404, 'NOT_FOUND', '/m/..%2F..%2Fmidroll.db/25/v0/0.m4s'],
    [400, 'MALFORMED', '/hls/%zz/master.m3u8'],
    [422, 'VALIDATION_ERROR', '/hls/door/master.m3u8?api-key=key&start=-30'],
    [405, 'METHOD_NOT_ALLOWED', '/hls/door/master.m3u8?api-key=key', 'POST'],
  ];
  await expectRejected(stage, rejected, (body, expected) => {
    expect(body).toEqual({ ...expected, message: expect.any(String), name: expect.stringMatching(/Error$/) });
    if (expected.code === 403) expect(body).toMatchObject({ message: 'Invalid API key.', name: 'ForbiddenError' });
  });
  const { hostname, port } = new URL(stage.midroll.liveUrl);
  const socket = connect(Number(port), hostname).end('NONSENSE\r\n\r\n');
  const [head, json] = (await text(socket)).split('\r\n\r\n');
  expect(head).toMatch(/^HTTP\/1\.1 400 /);
  expect(JSON.parse(json!)).toMatchObject({ type: 'MALFORMED', code: 400, name: 'BadRequestError' });
}

export async function headersAreSent(stage: Stage): Promise<void> {
  await stage.air('heads', [item(await stage.video({ seconds: 8 }), cue)]);
  const viewer = await stage.watch('heads');
  await viewer.until('slate is downloaded', () => [...viewer.media.keys()].some(isOurs));
  const slate = [...viewer.media.keys()].find((path) => isOurs(path) && path.includes('/v0/'))!;
  const segment = slate.replace(/^(\.\.\/)+/, '/');
  const kinds: Served = [
    ['/hls/heads/master.m3u8?api-key=key', /^application\/vnd\.apple\.mpegurl/, /no-cache/],
    [`/hls/heads/${viewer.session}/v0.m3u8`, /^application\/vnd\.apple\.mpegurl/, /no-cache/],
    [`/dash/heads/${viewer.session}.mpd`, /^application\/dash\+xml/, /no-cache/],
    ['/dash/view/heads?api-key=key', /^application\/json/, /no-cache/],
    ['/hls/view/heads?api-key=key', /^application\/json/, /no-cache/],
    [`/tracking/${viewer.session}`, /^application\/json/, /no-cache/],
    [segment, /^video\/mp4/, /immutable/],
    ['/time', /^text\/plain/, /no-cache/],
    ['/health', /^application\/json/, /no-cache/],
  ];
  await expectHeaders(stage, kinds, `/hls/heads/${viewer.session}/v0.m3u8`);
  const { hostname, port } = new URL(stage.midroll.liveUrl);
  const status = await new Promise((resolve, reject) => {
    const path = 'http://live.example/dash/view/heads?api-key=key'; // absolute-form, as proxies write it
    const sent = request({ hostname, port, path }, (response) => resolve(response.resume().statusCode));
    sent.on('error', reject).end();
  });
  expect(status).toBe(200);
  const opened = (await (await get(stage, '/dash/view/heads?api-key=key')).json()) as OpenedSession;
  const { mediaURL, vastURL, sessionId, trackingURL } = opened;
  expect((await fetch(mediaURL)).status).toBe(200);
  expect(mediaURL).toContain(`/${sessionId}.mpd`);
  expect(await (await fetch(trackingURL)).json()).toHaveProperty('avails');
  expect((await fetch(vastURL)).status).toBe(204);
}
