// SPDX-License-Identifier: Apache-2.0
import { createServer, request as httpRequest, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MPEGURL } from '../reply.ts';
import type { Body } from './replyManifest.ts';
import { replyManifest } from './replyManifest.ts';

const text = `#EXTM3U\n${'#EXTINF:2,\nsegment.m4s\n'.repeat(100)}`;
const long = text.repeat(10);
const bodies: Readonly<Record<string, Body>> = {
  '/': text,
  '/bytes': Buffer.from(text),
  '/parts': [text.slice(0, 10), { text: text.slice(10, 2000) }, { text: text.slice(2000, 2020) }, text.slice(2020)],
  '/short': text.slice(0, 500),
  '/long': long,
};
let server: Server;

beforeAll(async () => {
  server = createServer((request, response) => replyManifest(request, response, MPEGURL, bodies[request.url!]!));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => {
  server.close();
});

type Received = { readonly headers: IncomingHttpHeaders; readonly body: Buffer };

const get = (path: string, accepted: string | undefined, method = 'GET'): Promise<Received> =>
  new Promise((resolve, reject) => {
    const { port } = server.address() as AddressInfo;
    const headers = accepted === undefined ? {} : { 'accept-encoding': accepted };
    httpRequest({ host: '127.0.0.1', port, path, method, headers }, async (response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk as Buffer);
      resolve({ headers: response.headers, body: Buffer.concat(chunks) });
    })
      .on('error', reject)
      .end();
  });

test.each([
  ...['/', '/bytes', '/parts'].flatMap((path) => [
    [path, 'gzip', 'gzip', gunzipSync] as const,
    [path, 'gzip, br', 'gzip', gunzipSync] as const,
    [path, 'br', 'br', brotliDecompressSync] as const,
  ]),
  ['/long', 'gzip', 'gzip', gunzipSync] as const,
  ['/long', 'gzip, br', 'br', brotliDecompressSync] as const,
])('%s with %s has the same body in %s, and its length', async (path, accepted, coding, decode) => {
  const { headers, body } = await get(path, accepted);
  expect(headers).toMatchObject({ 'content-encoding': coding, 'content-length': String(body.length) });
  expect(body.length).toBeLessThan(500);
  expect(decode(body).toString()).toBe(path === '/long' ? long : text);
});

test.each([
  ['/', undefined],
  ['/', 'identity'],
  ['/bytes', undefined],
  ['/parts', undefined],
  ['/', `gzip${', x'.repeat(1000)}`],
  ['/short', 'gzip'],
])('%s with Accept-Encoding %s is sent as it is; caches see that it can differ', async (path, accepted) => {
  const { headers, body } = await get(path, accepted);
  expect(headers['content-encoding']).toBeUndefined();
  expect(headers.vary).toBe('Accept-Encoding');
  expect(body.toString()).toBe(path === '/short' ? text.slice(0, 500) : text);
  expect(headers['content-length']).toBe(String(body.length));
});

test('HEAD returns the headers of GET', async () => {
  const { date: _, ...own } = (await get('/', 'gzip')).headers;
  const { headers, body } = await get('/', 'gzip', 'HEAD');
  expect(headers).toMatchObject(own);
  expect(body.length).toBe(0);
});
