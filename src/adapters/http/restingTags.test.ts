// SPDX-License-Identifier: Apache-2.0
import { expect, onTestFinished, test } from 'vitest';
import { naming } from '../../../test/naming.ts';
import { startMisbehavingServer } from '../../../test/servers/misbehavingServer.ts';
import { systemTimers } from '../systemClock.ts';
import { createEgressGuard } from './egressGuard.ts';
import { createHttpAdServer } from './httpAdServer.ts';
import { readRetryAfter } from './restingTags.ts';

const now = Date.parse('2026-03-01T10:00:00Z');
const guard = createEgressGuard({ allow: ['127.0.0.1'] });

async function adServerOnClock() {
  const server = await startMisbehavingServer();
  onTestFinished(() => server.close());
  let at = 0;
  const timers = { ...systemTimers, elapsed: () => at };
  const adServer = createHttpAdServer(guard, { timers, now: () => now + at });
  return {
    server,
    send: (path: string) =>
      adServer.send({ url: `${server.url}${path}`, method: 'GET', headers: {} }, { timeoutMs: 600_000 }),
    pass: (ms: number) => {
      at += ms;
    },
  };
}

test.each([
  ['429 with a date', 429, { 'retry-after': 'Sun, 01 Mar 2026 10:01:00 GMT' }, 60_000],
  ['429 without a time', 429, {}, 1000],
  ['429 with another text', 429, { 'retry-after': 'later' }, 1000],
  ['503 with seconds', 503, { 'retry-after': '5' }, 5000],
])('after status %s, the tag gets no requests until then', async (_, status, headers, restsMs) => {
  const { server, send, pass } = await adServerOnClock();
  server.on('/vast', (response) => void response.writeHead(status, headers).end('slow down'));
  const reason = naming(status, `${restsMs / 1000} s`);
  const failed = await send('/vast?id=1');
  expect(failed).toMatchObject({ error: 'httpStatus', status, restsMs, reason, body: { contentType: '' } });
  expect(await send('/vast?id=2')).toEqual({ ok: false, error: 'resting', ms: 0, restsMs, reason });
  expect(await send('/ok')).toMatchObject({ ok: true });
  pass(restsMs - 1);
  expect(await send('/vast')).toMatchObject({ error: 'resting', reason: naming(status, '1 s') });
  pass(1);
  expect(await send('/vast')).toMatchObject({ error: 'httpStatus' });
  expect(server.seen.filter(({ path }) => path.startsWith('/vast'))).toHaveLength(2);
});

test('other statuses, and 503 without a time, cause no rest', async () => {
  const { server, send } = await adServerOnClock();
  server.on('/503', (response) => void response.writeHead(503).end());
  server.on('/404', (response) => void response.writeHead(404, { 'retry-after': '20' }).end());
  for (const path of ['/503', '/404']) {
    await send(path);
    const again = await send(path);
    expect(again).toMatchObject({ error: 'httpStatus' });
    expect(again).not.toHaveProperty('restsMs');
  }
});

test.each([
  ['120', 120_000],
  ['0', 0],
  ['1.5', 1500],
  ['Sun, 01 Mar 2026 10:00:30 GMT', 30_000],
  ['Sun, 01 Mar 2026 09:00:00 GMT', 0],
  ['Sun, 99 Foo 2026 10:00:30 GMT', undefined],
  ['999999999999', 300_000],
  ['-5', undefined],
  ['5 minutes', undefined],
  ['', undefined],
])('Retry-After "%s" means %s ms', (value, ms) => {
  expect(readRetryAfter(value, now)).toBe(ms);
});
