// SPDX-License-Identifier: Apache-2.0
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { naming } from '../../../test/naming.ts';
import { opened, openedInTest, scratchFolder } from '../../../test/opened.ts';
import { PLAIN_BODY, startMisbehavingServer } from '../../../test/servers/misbehavingServer.ts';
import { systemTimers } from '../systemClock.ts';
import { createEgressGuard } from './egressGuard.ts';
import { createHttpOrigin, createReadingsOrigin, READINGS_PER_HOST } from './httpOrigin.ts';

const folder = scratchFolder();
const server = await opened(startMisbehavingServer());

const guard = createEgressGuard({ allow: ['127.0.0.1/32'] });
/** Longer than any machine needs, so what ends earlier did not time out. */
const LONG_TIMEOUT_MS = 600_000;
const origin = createHttpOrigin(guard, { timeoutMs: LONG_TIMEOUT_MS, maxBytes: 1_000_000 });

const at = (path: string) => `${server.url}${path}`;
const textOf = (bytes: Uint8Array) => Buffer.from(bytes).toString();

async function readText(path: string, options = {}) {
  const result = await origin.read(at(path), options);
  return result.ok ? textOf(result.bytes) : result;
}

describe('reading', () => {
  it('returns bytes, type, status and the URL after redirects', async () => {
    const result = await origin.read(at('/redirect?to=%2Fredirect%3Fto%3Dok%23part'));
    expect(result).toMatchObject({ ok: true, status: 200, contentType: 'text/plain', url: at('/ok') });
  });

  it.each(['/gzip', '/brotli', '/deflate', '/rawDeflate', '/noCoding'])('decodes %s', async (path) => {
    expect(await readText(path)).toBe(PLAIN_BODY);
  });

  it('reads empty bodies', async () => {
    expect(await readText('/empty')).toBe('');
    expect(await readText('/nothing')).toBe('');
  });

  it('reuses connections, also after redirects, decoded bodies and small error bodies', async () => {
    const before = server.seen.length;
    const own = createHttpOrigin(createEgressGuard({ allow: ['127.0.0.1'] }));
    for (const path of ['/ok', '/gzip', '/redirect?to=/brotli', '/status?code=404', '/deflate', '/nothing', '/ok']) {
      await own.read(at(path));
    }
    const sockets = new Set(server.seen.slice(before).map((seen) => seen.socket));
    // The next request may be sent just before the previous connection is free: at most two, not one for each request.
    expect(sockets.size).toBeLessThanOrEqual(2);
  });

  it('sends the user name and password of the URL to its server only', async () => {
    const url = `${at('/redirect?to=/ok').replace('//', '//us%20er:p%3Aw%C3%A9%@')}`;
    expect(await origin.read(url)).toMatchObject({ ok: true, url: at('/ok') });
    const authorization = `Basic ${Buffer.from('us er:p%3Aw%C3%A9%').toString('base64')}`;
    expect(server.seen.slice(-2).map(({ headers }) => headers.authorization)).toEqual([authorization, authorization]);
    await origin.read(at('/ok').replace('//', '//us%20er:p%3Aw%C3%A9@'), { headers: { authorization: 'own' } });
    expect(server.seen.at(-1)?.headers.authorization).toBe('own');
    await origin.read(at('/ok').replace('//', '//us%20er:p%3Aw%C3%A9@'));
    expect(server.seen.at(-1)?.headers.authorization).toBe(`Basic ${Buffer.from('us er:p:wé').toString('base64')}`);
  });

  it('sends back a cookie that was set with a redirect', async () => {
    server.on('/wantsCookie', (response, { headers }) => {
      if (headers.cookie === 'own=0; seen=1') response.end('let in');
      else response.writeHead(302, { 'set-cookie': 'seen=1; Path=/', location: '/wantsCookie' }).end();
    });
    expect(await readText('/wantsCookie', { headers: { cookie: 'own=0' } })).toBe('let in');
    expect(await readText('/wantsCookie')).toEqual({ ok: false, error: 'redirects', reason: naming(5) });
  });

  it('retries once if a kept-alive connection was closed', async () => {
    let times = 0;
    server.on('/resetOnce', (response, { socket }) => {
      times += 1;
      if (times === 1) socket.resetAndDestroy();
      else response.end('second time');
    });
    expect(await readText('/resetOnce')).toBe('second time');
  });

  /** A path that responds once so many requests for it wait. @returns the most that have waited at once */
  function respondAt(path: string, count: number) {
    const held: (() => void)[] = [];
    const seen = { most: 0 };
    server.on(path, (response) => {
      held.push(() => response.end('done'));
      seen.most = Math.max(seen.most, held.length);
      // Leaves time for a request too many to arrive.
      if (held.length === count) setTimeout(() => held.splice(0).map((respond) => respond()), 20);
    });
    return seen;
  }

  it('limits the requests to one host at once', async () => {
    const seen = respondAt('/counted', 3);
    const narrow = createHttpOrigin(guard, { perHost: 3 });
    const results = await Promise.all(Array.from({ length: 12 }, () => narrow.read(at('/counted'))));
    expect(results.every((result) => result.ok)).toBe(true);
    expect(seen.most).toBe(3);
  });

  it('reads the manifests of many channels of one host at once', async () => {
    const seen = respondAt('/live.m3u8', READINGS_PER_HOST);
    const readings = createReadingsOrigin(guard, systemTimers);
    const read = () => readings.read(at('/live.m3u8'), { timeoutMs: LONG_TIMEOUT_MS });
    const results = await Promise.all(Array.from({ length: READINGS_PER_HOST }, read));
    expect(results.every(({ ok }) => ok)).toBe(true);
    expect(seen.most).toBe(READINGS_PER_HOST);
  });
});

describe('ranges', () => {
  const range = { start: 3, length: 4 };
  it('are read from a server that supports them', async () => {
    expect(await readText('/range', { range })).toBe('3456');
    expect(server.seen.at(-1)?.headers).toMatchObject({ range: 'bytes=3-6', 'accept-encoding': 'identity' });
  });
  it('include the size of the whole resource if the server states it', async () => {
    expect(await origin.read(at('/range'), { range })).toMatchObject({ size: 10 });
    expect(await origin.read(at('/ignoresRange'), { range })).not.toHaveProperty('size');
  });
  it('are cut from the whole resource if the server ignores them', async () => {
    expect(await readText('/ignoresRange', { range })).toBe('3456');
    expect(await readText('/endless', { range: { start: 1_000_000, length: 5 } })).toBe('xxxxx');
  });
  it('may extend beyond the end, but not begin there', async () => {
    expect(await readText('/range', { range: { start: 8, length: 100 } })).toBe('89');
    expect(await readText('/ignoresRange', { range: { start: 8, length: 100 } })).toBe('89');
    const beyond = { range: { start: 10, length: 1 } };
    expect(await readText('/range', beyond)).toMatchObject({ error: 'httpStatus', status: 416 });
    expect(await readText('/ignoresRange', beyond)).toMatchObject({ error: 'noByte' });
  });
  it('fail if the server returns another range', async () => {
    expect(await readText('/otherRange', { range })).toMatchObject({ error: 'garbage', reason: naming(3) });
  });
  it('over the limit are not requested', async () => {
    const before = server.seen.length;
    expect(await readText('/range', { range: { start: 0, length: 11 }, maxBytes: 10 })).toMatchObject({
      error: 'tooLarge',
      reason: naming(11, 10),
    });
    expect(server.seen).toHaveLength(before);
  });
});

describe('failures are values', () => {
  it.each([
    ['/never', 'timeout', [150]],
    ['/drip', 'timeout', [150]],
    ['/reset', 'reset', []],
    ['/half', 'reset', []],
    ['/endless', 'tooLarge', [100_000]],
    ['/declaresTooMuch', 'tooLarge', [100_000]],
    ['/bomb', 'tooLarge', [100_000]],
    ['/notGzip', 'garbage', ['content-encoding']],
    ['/notBrotli', 'garbage', ['content-encoding']],
    ['/cutGzip', 'garbage', ['content-encoding']],
    ['/unknownCoding', 'garbage', ['content-encoding']],
    ['/notHttp', 'garbage', ['HTTP']],
    ['/status?code=404', 'httpStatus', [404]],
    ['/status?code=503', 'httpStatus', [503]],
    ['/loop', 'redirects', [5]],
    ['/hops?left=6', 'redirects', [5]],
    ['/redirect?to=ftp://example.com/x', 'badUrl', ['ftp']],
    ['/redirect?to=http://', 'badUrl', []],
    ['/redirect?to=http://127.0.0.2/', 'egress', ['loopback', 'EGRESS_ALLOW']],
    ['/redirect?to=http://169.254.169.254/latest', 'egress', ['link local', 'EGRESS_ALLOW']],
    ['/redirect?to=http://[::1]/', 'egress', ['loopback', 'EGRESS_ALLOW']],
  ])('%s %s', async (path, error, names) => {
    const timeoutMs = error === 'timeout' ? 150 : LONG_TIMEOUT_MS;
    expect(await origin.read(at(path), { timeoutMs, maxBytes: 100_000 })).toMatchObject({
      ok: false,
      error,
      reason: naming(...names),
    });
  });

  it('not for five redirects, which are followed', async () => {
    expect(await readText('/hops?left=5')).toBe('arrived');
  });

  it('for a missing server, an unknown host name and an invalid URL', async () => {
    const gone = await startMisbehavingServer();
    await gone.close();
    const failed = (error: string) => ({ ok: false, error, reason: expect.not.stringContaining('secret') });
    expect(await origin.read(`${gone.url}/?key=secret`)).toEqual(failed('refused'));
    expect(await origin.read('http://no-such-host.invalid/?key=secret')).toEqual(failed('noSuchHost'));
    expect(await origin.read('media/video.mp4')).toEqual(failed('badUrl'));
    expect(await origin.read('file:///etc/passwd')).toMatchObject({ ok: false });
  });

  it('for a server without TLS', async () => {
    const read = await origin.read(`https://127.0.0.1:${server.port}/ok`);
    expect(read).toEqual({ ok: false, error: 'tls', reason: naming('TLS') });
  });

  it('for a request that the caller cancels', async () => {
    const caller = new AbortController();
    const reading = origin.read(at('/drip'), { signal: caller.signal });
    setTimeout(() => caller.abort(), 50);
    expect(await reading).toMatchObject({ ok: false, error: 'cancelled' });
    expect(await origin.read(at('/ok'), { signal: caller.signal })).toMatchObject({ ok: false });
  });

  it('and close the connection of a response that is too large', async () => {
    await origin.read(at('/endless'), { maxBytes: 1_000 });
    const { socket } = server.seen.findLast(({ path }) => path === '/endless')!;
    if (!socket.destroyed) await new Promise((resolve) => socket.once('close', resolve));
    expect(socket.destroyed).toBe(true);
  });

  it('headers that may be credentials are not sent to another origin', async () => {
    const other = await openedInTest(startMisbehavingServer());
    const headers = { 'X-Api-Key': 'secret', 'X-Forwarded-For': '203.0.113.9' };
    await origin.read(at(`/redirect?to=${other.url}/ok`), { headers });
    await origin.read(at('/redirect?to=/ok'), { headers });
    expect(other.seen[0]?.headers).toMatchObject({ 'x-forwarded-for': '203.0.113.9' });
    expect(other.seen[0]?.headers).not.toHaveProperty('x-api-key');
    expect(server.seen.at(-1)?.headers).toMatchObject({ 'x-api-key': 'secret' });
  });
});

describe('saving', () => {
  it('streams into a file, decoded', async () => {
    const path = join(folder, 'gzip.txt');
    expect(await origin.save(at('/gzip'), path)).toEqual({ ok: true, size: PLAIN_BODY.length });
    expect(await readFile(path, 'utf8')).toBe(PLAIN_BODY);
  });
  it('keeps a large body complete and in order', async () => {
    const body = Buffer.alloc(3_000_000);
    for (let index = 0; index < body.length; index += 1) body[index] = (index * 7) % 251;
    server.on('/big', (response) => void response.end(body));
    const path = join(folder, 'big.bin');
    expect(await origin.save(at('/big'), path, { maxBytes: 3_000_000 })).toEqual({ ok: true, size: 3_000_000 });
    expect((await readFile(path)).equals(body)).toBe(true);
  });
  it('leaves no file after a failure', async () => {
    const before = await readdir(folder);
    expect(await origin.save(at('/half'), join(folder, 'half.bin'))).toMatchObject({ ok: false });
    expect(await origin.save(at('/endless'), join(folder, 'endless.bin'))).toMatchObject({ ok: false });
    expect(await readdir(folder)).toEqual(before);
  });

  it('times out without a byte, however long the total timeout is', async () => {
    server.on('/silent', (response) => void response.writeHead(200).write('a beginning'));
    const impatient = createHttpOrigin(guard, { timeoutMs: LONG_TIMEOUT_MS, idleMs: 100 });
    for (const path of ['/never', '/silent']) {
      const saved = await impatient.save(at(path), join(folder, 'silent.bin'));
      expect(saved, path).toMatchObject({ ok: false, error: 'timeout' });
      expect(saved, path).not.toMatchObject({ reason: naming(LONG_TIMEOUT_MS) });
    }
  });
});
