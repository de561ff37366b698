// SPDX-License-Identifier: Apache-2.0
// What clients send through nginx is answered alike by a server that answers plain GETs on their sockets and by node:http. Viewers
// share the connections of nginx, so a request that two servers understood differently would reach another viewer.

import type { Socket } from 'node:net';
import { connect } from 'node:tls';
import { expect, test } from 'vitest';
import { closeServer, listenFrom } from '../../demo/listen.ts';
import { get, otherRequests, plainRequests } from '../fastPath/corpus.ts';
import { echoServer } from '../fastPath/echoServer.ts';
import { normalized } from '../fastPath/twins.ts';
import { opened } from '../opened.ts';
import { type NginxSample, startNginx } from './startNginx.ts';

type Side = {
  readonly nginx: NginxSample;
  /** Connections of nginx to the server. */
  readonly sockets: (Socket & { parser?: unknown })[];
};

async function startSide(isFast: boolean): Promise<Side> {
  const { server } = echoServer(isFast);
  const sockets: Socket[] = [];
  server.on('connection', (socket: Socket) => sockets.push(socket));
  const url = await opened(listenFrom(server, 0), () => closeServer(server));
  return { nginx: await opened(startNginx([{ liveUrl: url, adminUrl: url }])), sockets };
}

const sides = await Promise.all([startSide(true), startSide(false)]);

/** The last request of a client. Its response ends the connection, unless what was sent before did. */
const LAST = get('/last', 'Connection: close');

/** @returns what nginx sends until it closes the connection */
function answerOf({ nginx }: Side, bytes: Buffer): Promise<string> {
  return new Promise((resolve) => {
    const parts: Buffer[] = [];
    const options = { port: nginx.httpsPort, servername: 'live.example.com', ca: nginx.certificate };
    const socket = connect({ ...options, ALPNProtocols: ['http/1.1'] }, () => socket.write(bytes));
    socket.on('data', (part) => parts.push(part));
    socket.on('error', () => {});
    socket.once('close', () => resolve(normalized(Buffer.concat(parts).toString('latin1'))));
  });
}

async function expectAlike(chunks: readonly string[]): Promise<void> {
  const bytes = Buffer.from(chunks.join(''), 'latin1');
  const [fast, node] = await Promise.all(sides.map((side) => answerOf(side, bytes)));
  expect(fast).toBe(node);
}

// First, because a connection on which something else was requested stays with node:http.
test('plain requests of nginx are answered on the socket', async () => {
  const [fast, node] = sides as [Side, Side];
  await expectAlike([get('/one'), get('/two'), LAST]);
  const isFast = ({ parser, destroyed }: Side['sockets'][number]) => !parser && !destroyed;
  expect(fast.sockets.filter(isFast).length).toBeGreaterThan(0);
  expect(node.sockets.filter(isFast).length).toBe(0);
});

test.each(Object.entries({ ...plainRequests, ...otherRequests }))('%s', async (_, chunks) => {
  await expectAlike([...chunks, LAST]);
});
