// SPDX-License-Identifier: Apache-2.0
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect, test } from 'vitest';
import { dropStalled } from './server.ts';

/** Larger than the buffers of a loopback connection. */
const LONG = Buffer.alloc(32 * 2 ** 20);

test('drops a connection that stops reading a response, and keeps an idle one', async () => {
  const server = createServer((incoming, response) => response.end(incoming.url === '/long' ? LONG : 'short'));
  dropStalled(server, 300);
  // The idle connection must not be closed by the keep-alive timeout.
  server.keepAliveTimeout = 600_000;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const request = (path: string) => {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => {});
    socket.write(`GET ${path} HTTP/1.1\r\nhost: a\r\n\r\n`);
    return socket;
  };
  const idle = request('/short');
  idle.resume();
  const closed: string[] = [];
  idle.once('close', () => closed.push('idle'));
  await new Promise((resolve) => idle.once('data', resolve));
  const dropped = new Promise((resolve) => {
    server.once('connection', (socket) => socket.once('close', resolve));
  });
  request('/long').pause();
  await dropped;
  expect(closed).toEqual([]);
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});
