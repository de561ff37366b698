// SPDX-License-Identifier: Apache-2.0
// What all routes share: rate limit, request ids, logs, health, internal errors.
import { expect, test, vi } from 'vitest';
import { type Millis, millis } from '../../src/time/units.ts';
import { offAir } from '../servers/adminServer.ts';
import { clientOf } from './client.ts';
import { startInTest } from './startInTest.ts';

test('the rate limit counts all requests of a tenant and no others', async () => {
  let time: Millis = millis(Date.parse('2026-01-01T00:00:00Z'));
  const { call, other, admin } = await startInTest({ rateLimit: 3, now: () => time });
  const limits = ({ headers }: { headers: Readonly<Record<string, string>> }) =>
    ['limit', 'remaining', 'reset'].map((name) => Number(headers[`x-rate-limit-${name}`]));
  const reset = time + 60_000;
  expect(limits(await call('GET', '/api/v2/systems'))).toEqual([3, 2, reset]);
  time = millis(time + 20_500);
  expect(limits(await call('GET', '/api/v2/playlists/none'))).toEqual([3, 1, reset]);
  expect(limits(await call('POST', '/api/v2/playlists', 'not JSON'))).toEqual([3, 0, reset]);
  const rejected = await call('GET', '/api/v2/systems');
  expect(limits(rejected)).toEqual([3, 0, reset]);
  expect(rejected).toMatchObject({
    status: 429,
    headers: { 'retry-after': '40' },
    json: { type: 'TOO_MANY_REQUESTS', code: 429, name: 'TooManyRequestsError' },
  });
  expect((await call('POST', '/api/v2/playlists', { id: 'never' })).status).toBe(429);
  expect((await other('GET', '/api/v2/systems')).status).toBe(200);
  expect((await clientOf(admin.app)('GET', '/api/unsecured-v2/playlists/generate?content=http://x/a.mpd')).status).toBe(
    200,
  );
  time = millis(reset);
  expect(limits(await call('GET', '/api/v2/playlists'))).toEqual([3, 2, reset + 60_000]);
});

test('without a rate limit there are no rate limit headers', async () => {
  const { call } = await startInTest();
  expect(Object.keys((await call('GET', '/api/v2/systems')).headers).join()).not.toContain('rate-limit');
});

test('a request keeps its x-request-id if it is safe to log', async () => {
  const { call } = await startInTest();
  const idOf = async (given: string) =>
    (await call('GET', '/api/v2/none', undefined, { 'x-request-id': given })).headers['x-request-id'];
  expect(await idOf('from-the-proxy:42')).toBe('from-the-proxy:42');
  for (const odd of ['a b', 'x'.repeat(129), '{"level":50}']) expect(await idOf(odd)).toMatch(/^[0-9a-f-]{36}$/);
});

test('a log line contains the route and the status, and no secrets', async () => {
  const { admin, call } = await startInTest();
  await call('GET', '/api/v2/playlists/secret-id?content=https://user:hunter2@x/', undefined, { 'x-request-id': 'r1' });
  await call('POST', '/api/v2/playlists', { name: 'hunter2', nmae: 'hunter2' });
  const lines = admin.logged.map((line) => JSON.parse(line));
  expect(lines.find(({ reqId }) => reqId === 'r1')).toMatchObject({
    msg: 'request',
    method: 'GET',
    route: '/api/v2/playlists/:id',
    status: 404,
    tenant: 'acme',
    ms: expect.any(Number),
  });
  expect(admin.logged.join('')).not.toMatch(/hunter2/);
  expect(admin.logged.join('')).not.toContain(admin.key);
});

test('an internal error is a 500 with a request id and no details', async () => {
  const channelTimeline = () => Promise.reject(new Error('inner detail'));
  const { admin, call } = await startInTest({ onAir: { ...offAir, channelTimeline } });
  await call('POST', '/api/v2/channels', { id: 'c' });
  const reply = await call('GET', '/api/v2/channels/c/timeline', undefined, { 'x-request-id': 'look-here' });
  expect(reply.status).toBe(500);
  expect(reply.text).not.toContain('inner detail');
  expect(reply.json).toMatchObject({
    type: 'INTERNAL_ERROR',
    code: 500,
    name: 'InternalError',
    requestId: 'look-here',
  });
  expect(admin.logged.find((line) => line.includes('inner detail'))).toContain('look-here');
});

test('a failure of the planner does not undo a write', async () => {
  const changes: string[] = [];
  const { admin, call } = await startInTest({
    onAir: {
      ...offAir,
      onPlaylistChanged: (id, tenant) => void changes.push(`${tenant}/${id}`),
      onChannelChanged: () => Promise.reject(new Error('planner failure')),
    },
  });
  expect((await call('POST', '/api/v2/playlists', { id: 'p' })).status).toBe(201);
  await call('PATCH', '/api/v2/playlists/p', { name: 'x' });
  await call('PUT', '/api/v2/playlists/p', { nmae: 'x' });
  await call('DELETE', '/api/v2/playlists/p');
  expect(changes).toEqual(['acme/p', 'acme/p', 'acme/p']);
  expect((await call('POST', '/api/v2/channels', { id: 'c' })).status).toBe(201);
  expect((await call('GET', '/api/v2/channels/c')).status).toBe(200);
  expect(admin.logged.join('')).toContain('planner failure');
});

test('a channel that cannot play has state failed and a reason', async () => {
  const channelStatus = async () => ({ state: 'failed', stateReason: 'no item can be played', items: [] }) as const;
  const { call } = await startInTest({ onAir: { ...offAir, channelStatus } });
  const { json } = await call('POST', '/api/v2/channels', { id: 'c', state: 'enabled' });
  expect(json).toMatchObject({ state: 'failed', stateReason: 'no item can be played', items: [] });
  expect((await call('GET', '/api/v2/channels')).json).toMatchObject([{ state: 'failed' }]);
  expect((await call('PUT', '/api/v2/channels/c', json)).status).toBe(200);
});

test('health, readiness and metrics require no key', async () => {
  let reason: string | undefined;
  const { admin, call } = await startInTest({ notReady: async () => reason });
  const open = clientOf(admin.app);
  expect(await open('GET', '/health')).toMatchObject({ status: 200, json: { status: 'ok' } });
  expect((await open('GET', '/ready')).status).toBe(200);
  reason = 'the process is shutting down';
  expect(await open('GET', '/ready')).toMatchObject({ status: 503, json: { status: 'unavailable', reason } });
  await call('GET', '/api/v2/playlists/p');
  const { text } = await open('GET', '/metrics');
  expect(text).toMatch(
    /midroll_admin_request_seconds_count\{method="GET",route="\/api\/v2\/playlists\/:id",status="404"\} 1/,
  );
});

test('the server finishes requests in progress before it closes', async () => {
  let release = () => {};
  let isRequested = false;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const channelTimeline: typeof offAir.channelTimeline = async (...given) => {
    isRequested = true;
    await held;
    return offAir.channelTimeline(...given);
  };
  const { admin, call } = await startInTest({ onAir: { ...offAir, channelTimeline } });
  await call('POST', '/api/v2/channels', { id: 'c' });
  const { port } = new URL(await admin.app.listen({ port: 0, host: '127.0.0.1' }));
  const pending = fetch(`http://127.0.0.1:${port}/api/v2/channels/c/timeline`, {
    headers: { 'x-api-key': admin.key },
  });
  await expect.poll(() => isRequested).toBe(true);
  const cutOff = vi.spyOn(admin.app.server, 'closeAllConnections');
  const closed = admin.app.close();
  await expect(fetch(`http://127.0.0.1:${port}/health`)).rejects.toThrow();
  release();
  // The connection ends with the response, so the server need not wait for idle connections or destroy them.
  const response = await pending;
  expect([response.status, response.headers.get('connection')]).toEqual([200, 'close']);
  await closed;
  expect(cutOff).not.toHaveBeenCalled();
});
