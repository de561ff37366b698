// SPDX-License-Identifier: Apache-2.0
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { naming } from '../../../test/naming.ts';
import { type MisbehavingServer, PLAIN_BODY, startMisbehavingServer } from '../../../test/servers/misbehavingServer.ts';
import type { AdRequest } from '../../ads/request/ports.ts';
import { systemTimers } from '../systemClock.ts';
import { createEgressGuard } from './egressGuard.ts';
import { createFireAndForget, createHttpAdServer } from './httpAdServer.ts';

let server: MisbehavingServer;
beforeEach(async () => {
  server = await startMisbehavingServer();
});
afterEach(() => server.close());

const guard = createEgressGuard({ allow: ['127.0.0.1'] });
const get = (path: string, more: Partial<AdRequest> = {}): AdRequest => ({
  url: `${server.url}${path}`,
  method: 'GET',
  headers: {},
  ...more,
});
/** Longer than any machine needs, so what ends earlier did not time out. */
const limits = { timeoutMs: 600_000 };
const soon = (condition: () => boolean) => expect.poll(condition, { interval: 5 }).toBe(true);

/** Timers whose deadlines, in the order in which they were set, the test fires itself. */
function manualDeadlines() {
  const deadlines: (() => void)[] = [];
  const after = (_: number, work: () => void) => {
    deadlines.push(work);
    return { cancel: () => {} };
  };
  return { deadlines, timers: { ...systemTimers, after } };
}

describe('ad requests', () => {
  it('return the response and its duration', async () => {
    server.on('/vast', (response) => {
      setTimeout(() => response.writeHead(200, { 'content-type': 'application/xml' }).end('<VAST/>'), 100);
    });
    const startedAt = performance.now();
    const vast = await createHttpAdServer(guard).send(get('/redirect?to=/vast'), limits);
    expect(vast).toMatchObject({ ok: true, url: `${server.url}/vast`, status: 200, contentType: 'application/xml' });
    expect(vast.ok && Buffer.from(vast.bytes).toString()).toBe('<VAST/>');
    expect(vast.ms).toBeGreaterThanOrEqual(99);
    expect(vast.ms).toBeLessThanOrEqual(Math.ceil(performance.now() - startedAt));
  });

  it('have the given method, headers and body', async () => {
    const headers = { 'content-type': 'application/json', 'user-agent': 'Viewer/1', 'x-forwarded-for': '203.0.113.7' };
    await createHttpAdServer(guard).send(get('/gzip', { method: 'POST', headers, body: '{"a":1}' }), limits);
    expect(server.seen[0]).toMatchObject({ method: 'POST', body: '{"a":1}', headers });
  });

  it('stay a POST after status 307 and become a GET after 302', async () => {
    const adServer = createHttpAdServer(guard);
    const post = { method: 'POST', headers: { 'content-type': 'text/plain' }, body: 'ads, please' } as const;
    await adServer.send(get('/redirect?code=307&to=/ok', post), limits);
    expect(server.seen.at(-1)).toMatchObject({ method: 'POST', body: 'ads, please' });
    await adServer.send(get('/redirect?code=302&to=/ok', post), limits);
    expect(server.seen.at(-1)).toMatchObject({ method: 'GET', body: '' });
    expect(server.seen.at(-1)?.headers).not.toHaveProperty('content-type');
  });

  it('are not retried if a POST is reset', async () => {
    const reset = await createHttpAdServer(guard).send(get('/reset', { method: 'POST', body: 'x' }), limits);
    expect(reset).toMatchObject({ ok: false, error: 'reset' });
    expect(server.seen.length).toBe(1);
  });

  // The other failures are those of httpOrigin.test.ts.
  it.each([
    ['/never', 'timeout'],
    ['/bomb', 'tooLarge'],
    ['/redirect?to=http://10.0.0.1/', 'egress'],
    ['/status?code=404', 'httpStatus'],
  ])('%s fails with %s, in time', async (path, error) => {
    const { timeoutMs } = error === 'timeout' ? { timeoutMs: 300 } : limits;
    const failed = await createHttpAdServer(guard).send(get(path), { timeoutMs });
    expect(failed).toMatchObject({ ok: false, error });
  });

  it('return HTML and other bodies unread', async () => {
    expect(await createHttpAdServer(guard).send(get('/html'), limits)).toMatchObject({ ok: true });
    expect(await createHttpAdServer(guard).send(get('/ok'), limits)).toMatchObject({
      bytes: new TextEncoder().encode(PLAIN_BODY),
    });
  });
});

describe('limits of ad requests', () => {
  it('a request waits for a place within its deadline, then reports that the server is busy', async () => {
    const { timers, deadlines } = manualDeadlines();
    const adServer = createHttpAdServer(guard, { perHost: 1, queue: 1, timers });
    const [first, second, third] = [0, 1, 2].map(() => adServer.send(get('/never'), { timeoutMs: 200 }));
    expect(await third).toMatchObject({ error: 'busy', reason: expect.not.stringContaining('200') });
    await soon(() => server.seen.length === 1);
    deadlines[0]!();
    expect(await first).toMatchObject({ error: 'timeout' });
    await soon(() => server.seen.length === 2);
    deadlines[1]!();
    expect(await second).toMatchObject({ error: 'timeout' });
  });

  it('a server that keeps failing gets no requests for a while, then a single probe', async () => {
    let at = 0;
    const timers = { ...systemTimers, elapsed: () => at };
    const adServer = createHttpAdServer(guard, { failures: 3, restMs: 200, timers });
    const fail = () => adServer.send(get('/status?code=500'), limits);
    for (let time = 0; time < 3; time += 1) expect(await fail()).toMatchObject({ error: 'httpStatus', status: 500 });
    at += 199;
    expect(await fail()).toMatchObject({ error: 'resting', ms: 0, reason: naming(3, 500) });
    expect(server.seen.length).toBe(3);
    at += 1;
    const succeed = () => adServer.send(get('/status?code=200'), limits);
    expect(await Promise.all([succeed(), succeed()])).toMatchObject([{ ok: true }, { error: 'resting' }]);
    expect(await succeed()).toMatchObject({ ok: true });
  });

  it('requests for other tags of a server are sent while one tag fails', async () => {
    const adServer = createHttpAdServer(guard, { failures: 2, restMs: 60_000 });
    for (const path of ['/status?code=500', '/status?code=503', '/reset', '/reset', '/half', '/half']) {
      expect(await adServer.send(get(path), limits)).toMatchObject({ ok: false });
    }
    expect(await adServer.send(get('/reset'), limits)).toMatchObject({ error: 'resting' });
    expect(await adServer.send(get('/ok'), limits)).toMatchObject({ ok: true });
  });

  it.each([
    ['two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 5\r\n\r\nabcde'],
    [
      'a length of chunks',
      'HTTP/1.1 200 OK\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n',
    ],
    ['an upgrade', 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n'],
    ['half a head', 'HTTP/1.1 200 OK\r\nConten'],
    ['no colon', 'HTTP/1.1 200 OK\r\nBad Header\r\n\r\n'],
  ])('a request is not retried after malformed headers: %s', async (_, head) => {
    server.on('/malformed', (_response, { socket }) => void socket.end(head));
    const adServer = createHttpAdServer(guard, { failures: 2 });
    // With a new connection and with one that was kept alive.
    for (const before of [0, 1]) {
      if (before > 0) await adServer.send(get('/ok'), limits);
      expect(await adServer.send(get('/malformed'), limits)).toMatchObject({ ok: false });
    }
    expect(server.seen.filter(({ path }) => path === '/malformed')).toHaveLength(2);
    expect(await adServer.send(get('/malformed'), limits)).toMatchObject({ error: 'resting' });
  });

  it('an unreachable server gets no requests for any tag', async () => {
    const adServer = createHttpAdServer(guard, { failures: 2, restMs: 60_000 });
    const unreachable = (path: string) => adServer.send({ ...get(''), url: `http://127.0.0.1:9${path}` }, limits);
    expect(await unreachable('/one')).toMatchObject({ error: 'refused' });
    expect(await unreachable('/two')).toMatchObject({ error: 'refused' });
    expect(await unreachable('/three')).toMatchObject({ error: 'resting' });
  });

  it('status 404 and a very short timeout do not count as failures of the server', async () => {
    const adServer = createHttpAdServer(guard, { failures: 1 });
    await adServer.send(get('/status?code=404'), limits);
    await adServer.send(get('/never'), { timeoutMs: 20 });
    expect(await adServer.send(get('/ok'), limits)).toMatchObject({ ok: true });
  });
});

describe('fire and forget', () => {
  it('sends requests and ignores failures', async () => {
    const fire = createFireAndForget(guard);
    fire(`${server.url}/reset`);
    fire('no URL at all');
    fire('http://10.0.0.1/');
    fire(`${server.url}/ok?code=303`, { 'user-agent': 'Viewer/1' });
    await soon(() => server.seen.some(({ path }) => path === '/ok?code=303'));
    expect(server.seen.find(({ path }) => path === '/ok?code=303')?.headers['user-agent']).toBe('Viewer/1');
  });

  it('drops requests beyond the limits', async () => {
    const { timers, deadlines } = manualDeadlines();
    const fire = createFireAndForget(guard, { concurrency: 2, queue: 3, timers });
    for (let shot = 0; shot < 50; shot += 1) fire(`${server.url}/never?shot=${shot}`);
    await soon(() => server.seen.length === 2);
    for (let shot = 0; shot < 3; shot += 1) {
      deadlines[shot]!();
      await soon(() => server.seen.length === shot + 3);
    }
    fire(`${server.url}/ok`);
    deadlines[3]!();
    await soon(() => server.seen.some(({ path }) => path === '/ok'));
    expect(server.seen).toHaveLength(6);
  });
});
