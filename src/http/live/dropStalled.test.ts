import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect, test } from 'vitest';
import { dropStalled } from './dropStalled.ts';

/** More than the buffers of a loopback connection hold. */
const LONG = Buffer.alloc(32 * 2 ** 20);

test('who stops reading an answer is dropped, who only waits for the next is not', async () => {
  const server = createServer((request, response) => response.end(request.url === '/long' ? LONG : 'short'));
  dropStalled(server, 300);
  // Whoever drops the idle one would not be whom the test is about.
  server.keepAliveTimeout = 600_000;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const ask = (path: string) => {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => {});
    socket.write(`GET ${path} HTTP/1.1\r\nhost: a\r\n\r\n`);
    return socket;
  };
  const idle = ask('/short');
  idle.resume();
  const closed: string[] = [];
  idle.once('close', () => closed.push('idle'));
  await new Promise((resolve) => idle.once('data', resolve));
  const dropped = new Promise((resolve) => {
    server.once('connection', (socket) => socket.once('close', resolve));
  });
  ask('/long').pause();
  await dropped;
  expect(closed).toEqual([]);
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});
