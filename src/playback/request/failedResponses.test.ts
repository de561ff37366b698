// SPDX-License-Identifier: Apache-2.0
// What a trace keeps of a response that could not be used, and of the request that led to it.
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { inLine, useTestAdServer, vast } from '../../../test/testAdServer.ts';

const { request, serve, server, wrapper } = useTestAdServer();

const fail = (path: string, body: string | Buffer, headers: Record<string, string> = {}, status = 503) =>
  server().on(path, (response) => void response.writeHead(status, headers).end(body));

describe('a response without success', () => {
  it('is kept with its content type', async () => {
    fail('/vast', '<html><title>Quota exceeded</title></html>', { 'content-type': 'text/html' });
    expect(await request('/vast')).toMatchObject({
      reason: { code: 'AD_SERVER_FAILED' },
      request: { status: 503 },
      response: { version: '', bytes: 42, contentType: 'text/html', raw: '<html><title>Quota exceeded</title></html>' },
    });
  });

  it('is decoded, limited to 16 KB, and does not repeat secrets', async () => {
    const body = gzipSync(`token abcdef123 is unknown ${'z'.repeat(40_000)}`);
    fail('/vast', body, { 'content-type': 'text/plain', 'content-encoding': 'gzip' }, 401);
    const { response } = await request('/vast?token=abcdef123');
    expect(response?.raw.startsWith('token *** is unknown zz')).toBe(true);
    expect(response?.bytes).toBe(16 * 1024);
  });

  it('contains no control characters', async () => {
    fail('/vast', 'a\0b\u001b[31m');
    expect((await request('/vast')).response?.raw).toBe('a\ufffdb\ufffd[31m');
  });

  it('is absent if the response has no body', async () => {
    fail('/vast', '');
    expect(await request('/vast')).not.toHaveProperty('response');
  });
});

describe('a response that is not an ad response', () => {
  it('is kept with its content type', async () => {
    fail('/vast', '{"error":"no such placement"}', { 'content-type': 'application/json' }, 200);
    const { reason, response } = await request('/vast');
    expect(reason?.code).toBe('VAST_UNREADABLE');
    expect(response).toMatchObject({ contentType: 'application/json', raw: '{"error":"no such placement"}' });
  });

  it('of a wrapper is kept, 4 KB of each and 16 KB of all', async () => {
    const names = Array.from({ length: 6 }, (_, index) => `w${index}`);
    serve('/vast', vast(inLine('a'), ...names.map((name) => wrapper(name, `/${name}`))));
    for (const name of names) fail(`/${name}`, 'x'.repeat(10_000), { 'content-type': 'text/plain' }, 500);
    const { wrappers = [] } = await request('/vast');
    expect(wrappers.map(({ response }) => response?.raw.length)).toEqual([
      4096,
      4096,
      4096,
      4096,
      undefined,
      undefined,
    ]);
    expect(wrappers[0]).toMatchObject({ status: 500, response: { contentType: 'text/plain' } });
  });

  it('of a wrapper is kept if it is not VAST', async () => {
    serve('/vast', vast(wrapper('w', '/inner')));
    fail('/inner', 'not found', { 'content-type': 'text/plain' }, 200);
    expect((await request('/vast')).wrappers).toMatchObject([{ status: 200, response: { raw: 'not found' } }]);
  });
});

describe('a request that can be used', () => {
  it('keeps nothing more than its URL', async () => {
    serve('/vast', vast(inLine('a'), wrapper('w', '/inner')));
    serve('/inner', vast(inLine('b')));
    const { request: traced, response, wrappers } = await request('/vast');
    expect(Object.keys(traced)).toEqual(['url', 'status', 'ms']);
    expect(response).not.toHaveProperty('contentType');
    expect(wrappers?.map((one) => Object.keys(one))).toEqual([['url', 'status', 'ms']]);
  });

  it('keeps the method, the headers of the source and the body, without secrets', async () => {
    serve('/vast', vast(inLine('a')));
    const { request: traced } = await request('/vast', {
      method: 'POST',
      headers: { Authorization: 'Bearer abc', 'x-page': '[PLAYER.genre]', 'content-type': 'application/json' },
      params: { token: 'abcdef', genre: '[PLAYER.genre]' },
    });
    expect(traced).toMatchObject({
      method: 'POST',
      headers: { authorization: '***', 'x-page': 'sport', 'content-type': 'application/json' },
      body: '{"token":"***","genre":"sport"}',
    });
  });
});
