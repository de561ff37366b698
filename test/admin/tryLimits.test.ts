// SPDX-License-Identifier: Apache-2.0
// How many tries and replays run at once, over HTTP: what the next caller gets, and that the limit is one of the process.
import { beforeAll, expect, test } from 'vitest';
import { createEgressGuard } from '../../src/adapters/http/egressGuard.ts';
import { createHttpAdServer } from '../../src/adapters/http/httpAdServer.ts';
import type { BreakRecord } from '../../src/ads/record/breakRecord.ts';
import { MAX_TRIES_PER_TENANT } from '../../src/platform/tries/rules/adTries.ts';
import { startAdHost, writeVast } from '../live/adHost.ts';
import { opened } from '../opened.ts';
import { startAdmin } from '../servers/adminServer.ts';

/** Releases a request that the ad server holds. */
const held: (() => void)[] = [];

const adHost = await opened(startAdHost());
const raw = `<VAST version="4.2"><Ad id="w"><Wrapper><AdSystem>x</AdSystem><Impression/><VASTAdTagURI><![CDATA[${adHost.url}/held]]></VASTAdTagURI></Wrapper></Ad></VAST>`;
const record: BreakRecord = {
  ...{
    id: '0-1',
    startsAt: '2026-03-01T20:00:00.000Z',
    duration: 30,
    status: 'empty',
    warnings: [],
    ads: [],
    slate: 30,
  },
  ...{ request: { url: `${adHost.url}/vast`, ms: 1, status: 200 }, response: { bytes: raw.length, raw } },
};
const viewer = { address: '203.0.113.7', userAgent: 'TV' };
const session = { id: 's', channelId: 'c', tenant: 'acme', format: 'hls', parameters: {}, viewer } as const;
const admin = await opened(
  startAdmin({
    adServer: createHttpAdServer(createEgressGuard({ allow: ['127.0.0.1'] })),
    findBreak: async () => ({ session, record }),
  }),
);
const base = `${await admin.app.listen({ port: 0, host: '127.0.0.1' })}/api/v2`;
beforeAll(async () => {
  adHost.on('/held', (response) => void held.push(() => response.writeHead(200).end(writeVast([]))));
  const adSource = { url: `${adHost.url}/held`, timeoutMs: 10_000 };
  for (const key of [admin.key, admin.otherKey])
    expect((await post('/channels', { id: 'c', adSource }, key)).status).toBe(201);
});

const post = (path: string, body: object, key = admin.key) =>
  fetch(base + path, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
const attempt = (key?: string) => post('/channels/c/try', {}, key);
const replay = () => post('/sessions/s/breaks/0-1/replay', { wrappers: 'request' });
const holds = (count: number) => expect.poll(() => held.length).toBe(count);
function release(): void {
  for (const respond of held.splice(0)) respond();
}

test('the fifth try or replay of a tenant gets a 429 with retry-after, and is accepted when one has ended', async () => {
  expect(MAX_TRIES_PER_TENANT).toBe(4);
  const four = [attempt(), attempt(), attempt(), replay()];
  await holds(4);
  for (const fifth of [await attempt(), await replay()]) {
    expect(fifth.status).toBe(429);
    expect(Number(fifth.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await fifth.json()).toMatchObject({ name: 'TooManyRequestsError' });
  }
  // Another tenant has a limit of its own.
  const other = attempt(admin.otherKey);
  await holds(5);
  release();
  for (const response of await Promise.all([...four, other])) expect(response.status).toBe(200);
  const again = attempt();
  await holds(1);
  release();
  expect((await again).status).toBe(200);
});
