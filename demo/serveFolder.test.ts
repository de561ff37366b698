// SPDX-License-Identifier: Apache-2.0
import { writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { opened, scratchFolder } from '../test/opened.ts';
import { startOrigin } from './origin.ts';

const folder = scratchFolder();
writeFileSync(join(folder, 'segment one.m4s'), '0123456789');
writeFileSync(join(folder, 'empty.m3u8'), '');
const origin = await opened(startOrigin(0, folder));
const get = (path: string, range?: string, method = 'GET') =>
  fetch(origin.url + path, { method, headers: range ? { range } : {} });

test('sends a file with its content type and CORS headers', async () => {
  const response = await get('/segment%20one.m4s?token=1');
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('video/iso.segment');
  expect(response.headers.get('access-control-allow-origin')).toBe('*');
  expect(await response.text()).toBe('0123456789');
  expect(await (await get('/empty.m3u8')).text()).toBe('');
});

test.each([
  ['bytes=2-4', 206, '234', 'bytes 2-4/10'],
  ['bytes=7-', 206, '789', 'bytes 7-9/10'],
  ['bytes=-2', 206, '89', 'bytes 8-9/10'],
  ['bytes=8-99', 206, '89', 'bytes 8-9/10'],
  ['bytes=10-', 416, '', 'bytes */10'],
  ['lines=1-2', 200, '0123456789', null],
])('range %s returns %i', async (range, status, body, contentRange) => {
  const response = await get('/segment%20one.m4s', range);
  expect([response.status, await response.text(), response.headers.get('content-range')]).toEqual([
    status,
    body,
    contentRange,
  ]);
});

test('HEAD returns the length without a body', async () => {
  const response = await get('/segment%20one.m4s', undefined, 'HEAD');
  expect(response.headers.get('content-length')).toBe('10');
  expect(await response.text()).toBe('');
});

const rawStatus = (path: string): Promise<number | undefined> =>
  new Promise((resolve) => {
    const { port } = new URL(origin.url);
    request({ port, path, host: '127.0.0.1' }, (response) => resolve(response.resume().statusCode)).end();
  });

test.each(['/missing', '/', '/..%2f..%2fetc/passwd', '/../../../../etc/passwd', '/%', '//', '/%00'])(
  '%s returns 404',
  async (path) => {
    expect(await rawStatus(path)).toBe(404);
  },
);
