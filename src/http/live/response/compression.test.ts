// SPDX-License-Identifier: Apache-2.0
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { lawRuns } from '../../../../test/lawRuns.ts';
import { serveInTests } from '../../../../test/serve.ts';
import { bytesOf } from '../../../cache/sharedText.ts';
import { MPEGURL } from '../reply.ts';
import { gzipText } from './gzipText.ts';
import { type Body, replyManifest } from './replyManifest.ts';

const text = `#EXTM3U\n${'#EXTINF:2,\nsegment.m4s\n'.repeat(100)}`;
const long = text.repeat(10);
const bodies: Readonly<Record<string, Body>> = {
  '/': text,
  '/bytes': Buffer.from(text),
  '/parts': [text.slice(0, 10), bytesOf(text.slice(10, 2000)), bytesOf(text.slice(2000, 2020)), text.slice(2020)],
  '/short': text.slice(0, 500),
  '/long': long,
};
const url = await serveInTests((request, response) => replyManifest(request, response, MPEGURL, bodies[request.url!]!));

type Received = { readonly headers: IncomingHttpHeaders; readonly body: Buffer };

const get = (path: string, accepted: string | undefined, method = 'GET'): Promise<Received> =>
  new Promise((resolve, reject) => {
    const headers = accepted === undefined ? {} : { 'accept-encoding': accepted };
    httpRequest(url + path, { method, headers }, async (response) => {
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

const roundTrip = (bytes: Buffer): Buffer => gunzipSync(Buffer.from(gzipText(bytes.toString('latin1')), 'latin1'));

test('zlib reads what was compressed: any bytes, also those that repeat at any distance', () => {
  const piece = fc.uint8Array({ maxLength: 300 });
  const texts = fc.record({
    pieces: fc.array(piece, { minLength: 1, maxLength: 6 }),
    order: fc.array(fc.nat(5), { maxLength: 40 }),
    gap: fc.constantFrom(0, 1, 250, 256, 257, 33_000),
  });
  fc.assert(
    fc.property(texts, ({ pieces, order, gap }) => {
      const noise = Buffer.from(Array.from({ length: gap }, (_, index) => (index * index) >> 3));
      const bytes = Buffer.concat(order.flatMap((index) => [pieces[index % pieces.length]!, noise]));
      expect(roundTrip(bytes).equals(bytes)).toBe(true);
    }),
    lawRuns(300),
  );
});

test.each([0, 1, 2, 3, 4, 5, 257, 258, 259, 260, 516, 517, 70_000])('%d equal bytes', (length) => {
  const bytes = Buffer.alloc(length, 0xff);
  expect(roundTrip(bytes).equals(bytes)).toBe(true);
});

test.each([1, 2, 3, 4, 5, 8, 9, 24, 25, 192, 256, 257, 384, 385, 1025, 16_384, 24_576, 24_577, 32_768, 32_769])(
  'bytes that repeat after %d',
  (distance) => {
    const once = Buffer.from(Array.from({ length: distance }, (_, index) => (index * 7919 + (index >> 5)) & 0xff));
    const bytes = Buffer.concat([once, once]).subarray(0, distance + 600);
    expect(roundTrip(bytes).equals(bytes)).toBe(true);
  },
);

test('a text does not refer to one before it', () => {
  const text = Buffer.from('#EXTINF:2.000000,\nsegment.m4s\n'.repeat(20));
  const sizes = [1, 2, 3].map(() => gzipText(text.toString()).length);
  expect(new Set(sizes).size).toBe(1);
  expect(roundTrip(text).equals(text)).toBe(true);
});

test('a media playlist becomes several times as short', () => {
  const lines = Array.from(
    { length: 30 },
    (_, index) =>
      `#EXTINF:2.000000,\n#EXT-X-PROGRAM-DATE-TIME:2026-03-01T12:00:${10 + index}.040Z\nv0/${100 + index}.m4s\n`,
  );
  const text = lines.join('');
  expect(gzipText(text).length).toBeLessThan(text.length / 5);
});
