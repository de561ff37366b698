// SPDX-License-Identifier: Apache-2.0
import { createServer } from 'node:http';
import { connect, type Socket } from 'node:net';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { closeServer, listenFrom } from '../../demo/listen.ts';
import { type ConnectionLimits, limitConnections } from './limitConnections.ts';

const refused: string[] = [];
beforeEach(() => {
  refused.length = 0;
});

async function start(limits: Partial<ConnectionLimits>): Promise<() => Socket> {
  const server = createServer({ connectionsCheckingInterval: 20 }, (_, response) => response.end('here'));
  limitConnections(server, {
    headerTimeout: 60_000,
    idleTimeout: 60_000,
    perAddress: 0,
    isExempt: () => false,
    onRefused: (address) => void refused.push(address),
    ...limits,
  });
  onTestFinished(() => closeServer(server));
  const port = Number(new URL(await listenFrom(server, 0)).port);
  return () => connect(port, '127.0.0.1').on('error', () => {});
}

/** @returns the status line, or undefined if the connection is closed without one */
const statusLineOf = (socket: Socket): Promise<string | undefined> =>
  new Promise((resolve) => {
    let text = '';
    socket.on('data', (part) => {
      text += part;
      if (text.includes('\r\n')) resolve(text.split('\r\n')[0]);
    });
    socket.once('close', () => resolve(undefined));
  });
const REQUEST = 'GET / HTTP/1.1\r\nhost: a\r\n\r\n';
const request = (socket: Socket) => {
  const statusLine = statusLineOf(socket);
  socket.write(REQUEST);
  return statusLine;
};

test('clients that send headers slowly or not at all get a 408', async () => {
  const open = await start({ headerTimeout: 300 });
  const slow = open();
  const slowStatus = statusLineOf(slow);
  const dripping = setInterval(() => slow.write('x-more: 1\r\n'), 20);
  slow.write('GET / HTTP/1.1\r\n');
  const silent = statusLineOf(open());
  expect(await slowStatus).toContain('408');
  expect(await silent).toContain('408');
  clearInterval(dripping);
});

test('connections over the limit of an address are closed until another one ends', async () => {
  const open = await start({ perAddress: 3 });
  const held = [open(), open(), open()];
  expect(await Promise.all(held.map(request))).toEqual(new Array(3).fill('HTTP/1.1 200 OK'));
  expect(await request(open())).toBeUndefined();
  expect(refused).toEqual(['127.0.0.1']);
  expect(await request(held[0]!)).toContain('200');
  const closed = new Promise((resolve) => held[1]!.once('close', resolve));
  held[1]!.end();
  await closed;
  await expect.poll(() => request(open())).toContain('200');
});

test('exempt addresses are not limited', async () => {
  const open = await start({ perAddress: 1, isExempt: (address) => address === '127.0.0.1' });
  for (let count = 0; count < 5; count += 1) expect(await request(open())).toContain('200');
});

test('a connection without a further request is closed', async () => {
  const open = await start({ idleTimeout: 50 });
  const socket = open();
  const closed = new Promise((resolve) => socket.once('close', resolve));
  expect(await request(socket)).toContain('200');
  await closed;
});
