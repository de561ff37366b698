import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { naming } from '../../../test/naming.ts';
import { type MisbehavingServer, PLAIN_BODY, startMisbehavingServer } from '../../../test/servers/misbehavingServer.ts';
import type { AdRequest } from '../../ads/request/ports.ts';
import { systemTimers } from '../systemClock.ts';
import { createEgressGuard } from './egressGuard.ts';
import { createFireAndForget } from './fireAndForget.ts';
import { createHttpAdServer } from './httpAdServer.ts';

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
/** Longer than any machine takes: what ends before it has ended by itself. */
const limits = { timeoutMs: 600_000 };
const soon = (condition: () => boolean) => expect.poll(condition, { interval: 5 }).toBe(true);

/** Timers whose deadlines, in the order in which they were set, pass when the test says so. */
function heldDeadlines() {
  const deadlines: (() => void)[] = [];
  const after = (_: number, work: () => void) => {
    deadlines.push(work);
    return { cancel: () => {} };
  };
  return { deadlines, timers: { ...systemTimers, after } };
}

describe('asking an ad server', () => {
  it('returns what came and how long it took', async () => {
    server.on('/vast', (response) => {
      setTimeout(() => response.writeHead(200, { 'content-type': 'application/xml' }).end('<VAST/>'), 100);
    });
    const asked = performance.now();
    const answer = await createHttpAdServer(guard).send(get('/redirect?to=/vast'), limits);
    expect(answer).toMatchObject({ ok: true, url: `${server.url}/vast`, status: 200, contentType: 'application/xml' });
    expect(answer.ok && Buffer.from(answer.bytes).toString()).toBe('<VAST/>');
    expect(answer.ms).toBeGreaterThanOrEqual(99);
    expect(answer.ms).toBeLessThanOrEqual(Math.ceil(performance.now() - asked));
  });

  it('sends method, headers and body', async () => {
    const headers = { 'content-type': 'application/json', 'user-agent': 'Viewer/1', 'x-forwarded-for': '203.0.113.7' };
    await createHttpAdServer(guard).send(get('/gzip', { method: 'POST', headers, body: '{"a":1}' }), limits);
    expect(server.seen[0]).toMatchObject({ method: 'POST', body: '{"a":1}', headers });
  });

  it('keeps a POST over 307 and makes a GET of it over 302', async () => {
    const adServer = createHttpAdServer(guard);
    const post = { method: 'POST', headers: { 'content-type': 'text/plain' }, body: 'ads, please' } as const;
    await adServer.send(get('/redirect?code=307&to=/ok', post), limits);
    expect(server.seen.at(-1)).toMatchObject({ method: 'POST', body: 'ads, please' });
    await adServer.send(get('/redirect?code=302&to=/ok', post), limits);
    expect(server.seen.at(-1)).toMatchObject({ method: 'GET', body: '' });
    expect(server.seen.at(-1)?.headers).not.toHaveProperty('content-type');
  });

  it('does not ask twice when a POST is reset', async () => {
    const answer = await createHttpAdServer(guard).send(get('/reset', { method: 'POST', body: 'x' }), limits);
    expect(answer).toMatchObject({ ok: false, error: 'reset' });
    expect(server.seen.length).toBe(1);
  });

  it.each([
    ['/never', 'timeout'],
    ['/drip', 'timeout'],
    ['/reset', 'reset'],
    ['/half', 'reset'],
    ['/endless', 'tooLarge'],
    ['/bomb', 'tooLarge'],
    ['/notGzip', 'garbage'],
    ['/notHttp', 'garbage'],
    ['/loop', 'redirects'],
    ['/redirect?to=http://10.0.0.1/', 'egress'],
    ['/redirect?to=gopher://x/', 'badUrl'],
    ['/status?code=404', 'httpStatus'],
  ])('%s ends in %s, in time', async (path, error) => {
    const { timeoutMs } = error === 'timeout' ? { timeoutMs: 300 } : limits;
    const answer = await createHttpAdServer(guard).send(get(path), { timeoutMs });
    expect(answer).toMatchObject({ ok: false, error });
  });

  it('takes HTML and other bodies as they are: what they say is for the reader', async () => {
    expect(await createHttpAdServer(guard).send(get('/html'), limits)).toMatchObject({ ok: true });
    expect(await createHttpAdServer(guard).send(get('/ok'), limits)).toMatchObject({
      bytes: new TextEncoder().encode(PLAIN_BODY),
    });
  });
});

describe('sparing an ad server', () => {
  it('waits for a place within the deadline and then says so', async () => {
    const { timers, deadlines } = heldDeadlines();
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

  it('leaves one alone that failed again and again, then tries once', async () => {
    let at = 0;
    const timers = { ...systemTimers, elapsed: () => at };
    const adServer = createHttpAdServer(guard, { failures: 3, restMs: 200, timers });
    const ask = () => adServer.send(get('/status?code=500'), limits);
    for (let time = 0; time < 3; time += 1) expect(await ask()).toMatchObject({ error: 'httpStatus', status: 500 });
    at += 199;
    expect(await ask()).toMatchObject({ error: 'resting', ms: 0, reason: naming(3, 500) });
    expect(server.seen.length).toBe(3);
    at += 1;
    const well = () => adServer.send(get('/status?code=200'), limits);
    expect(await Promise.all([well(), well()])).toMatchObject([{ ok: true }, { error: 'resting' }]);
    expect(await well()).toMatchObject({ ok: true });
  });

  it('asks the other tags of a server on which one fails', async () => {
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
  ])('asks once a server that answers with malformed headers: %s', async (_, head) => {
    server.on('/malformed', (_response, { socket }) => void socket.end(head));
    const adServer = createHttpAdServer(guard, { failures: 2 });
    // Whether the connection is new or was kept alive.
    for (const before of [0, 1]) {
      if (before > 0) await adServer.send(get('/ok'), limits);
      expect(await adServer.send(get('/malformed'), limits)).toMatchObject({ ok: false });
    }
    expect(server.seen.filter(({ path }) => path === '/malformed')).toHaveLength(2);
    expect(await adServer.send(get('/malformed'), limits)).toMatchObject({ error: 'resting' });
  });

  it('leaves a server alone, whatever the tag, that cannot be reached', async () => {
    const adServer = createHttpAdServer(guard, { failures: 2, restMs: 60_000 });
    const away = (path: string) => adServer.send({ ...get(''), url: `http://127.0.0.1:9${path}` }, limits);
    expect(await away('/one')).toMatchObject({ error: 'refused' });
    expect(await away('/two')).toMatchObject({ error: 'refused' });
    expect(await away('/three')).toMatchObject({ error: 'resting' });
  });

  it('blames no server for a 404, nor for a time that was too short', async () => {
    const adServer = createHttpAdServer(guard, { failures: 1 });
    await adServer.send(get('/status?code=404'), limits);
    await adServer.send(get('/never'), { timeoutMs: 20 });
    expect(await adServer.send(get('/ok'), limits)).toMatchObject({ ok: true });
  });
});

describe('firing and forgetting', () => {
  it('arrives, and trouble is nobody else’s', async () => {
    const fire = createFireAndForget(guard);
    fire(`${server.url}/reset`);
    fire('no URL at all');
    fire('http://10.0.0.1/');
    fire(`${server.url}/ok?code=303`, { 'user-agent': 'Viewer/1' });
    await soon(() => server.seen.some(({ path }) => path === '/ok?code=303'));
    expect(server.seen.find(({ path }) => path === '/ok?code=303')?.headers['user-agent']).toBe('Viewer/1');
  });

  it('drops what would pile up', async () => {
    const { timers, deadlines } = heldDeadlines();
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
