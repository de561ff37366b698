// SPDX-License-Identifier: Apache-2.0
// What requires a socket: responses before a request is complete, and invalid HTTP.
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { opened } from '../../opened.ts';
import { startAdmin } from '../../servers/adminServer.ts';
import { clientOf } from '../client.ts';

const admin = await opened(startAdmin());
await admin.app.listen({ port: 0, host: '127.0.0.1' });
const port = (admin.app.server.address() as { port: number }).port;

const exchange = (text: string) =>
  new Promise<string>((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.end(text));
    let received = '';
    socket.on('data', (data) => {
      received += data;
    });
    socket.on('close', () => resolve(received));
    socket.on('error', reject);
  });

test('a client that sends 10 MB receives the 413, and its connection stays open', async () => {
  const url = `http://127.0.0.1:${port}/api/v2/playlists`;
  const headers = { 'x-api-key': admin.key, 'content-type': 'application/json' };
  for (let n = 0; n < 3; n += 1) {
    const response = await fetch(url, { method: 'POST', headers, body: 'x'.repeat(10_000_000) });
    expect([response.status, ((await response.json()) as { type: string }).type]).toEqual([413, 'TOO_LARGE']);
  }
  const stream = new ReadableStream({
    start: (controller) => {
      for (let n = 0; n < 40; n += 1) controller.enqueue(new Uint8Array(65_536));
      controller.close();
    },
  });
  const chunked = await fetch(url, { method: 'POST', headers, body: stream, duplex: 'half' } as RequestInit);
  expect(chunked.status).toBe(413);
});

test('invalid HTTP gets an error response, and the connection is closed', async () => {
  for (const text of ['NONSENSE\r\n\r\n', 'GET / HTTP/9.9\r\n\r\n', 'GET /health HTTP/1.1\r\n\r\n'])
    expect(await exchange(text)).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
  const huge = await exchange(`GET /health HTTP/1.1\r\nhost: x\r\nx: ${'y'.repeat(40_000)}\r\n\r\n`);
  expect(huge).toMatch(/^HTTP\/1\.1 431 /);
  expect(JSON.parse(huge.split('\r\n\r\n')[1]!)).toMatchObject({ type: 'HEADERS_TOO_LARGE', code: 431 });
  expect(await exchange('GET /health HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n')).toMatch(/^HTTP\/1\.1 200 OK/);
});

test('an incomplete body writes nothing', async () => {
  const head = `POST /api/v2/playlists HTTP/1.1\r\nhost: x\r\nx-api-key: ${admin.key}\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n`;
  await exchange(`${head}{"id":"half"}`);
  expect((await clientOf(admin.app, admin.key)('GET', '/api/v2/playlists/half')).status).toBe(404);
});
