// SPDX-License-Identifier: Apache-2.0
// Viewers are served while thousands of connections are idle and requests with endless headers are open.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect } from 'vitest';
import { mediaPlaylists, openSession } from '../openSession.ts';
import { item, type Stage } from '../stage.ts';

const IDLE = 5000;
/** Connections opened at a time; the backlog of a listening socket is limited. */
const BATCH = 250;

async function openIdle(url: URL): Promise<Socket> {
  const socket = connect(Number(url.port), url.hostname);
  socket.on('error', () => {});
  await once(socket, 'connect');
  socket.write(`GET /health HTTP/1.1\r\nhost: ${url.host}\r\n\r\n`);
  await once(socket, 'data');
  return socket;
}

async function openAll(url: URL): Promise<Socket[]> {
  const sockets: Socket[] = [];
  while (sockets.length < IDLE) {
    sockets.push(...(await Promise.all(Array.from({ length: BATCH }, () => openIdle(url)))));
  }
  return sockets;
}

/** Sends a request with endless headers. Resolves when the server closes the connection. */
const sendEndlessHeaders = (url: URL): Promise<unknown> => {
  const socket = connect(Number(url.port), url.hostname).on('error', () => {});
  socket.resume();
  socket.write(`GET /time HTTP/1.1\r\nhost: ${url.host}\r\n`);
  const timer = setInterval(() => socket.write('x-more: 1\r\n'), 500);
  return once(socket, 'close').finally(() => clearInterval(timer));
};

export async function servesDespiteIdleConnections({ clock, midroll, video, air }: Stage): Promise<void> {
  await air('idle', [item(await video({ seconds: 20 }))]);
  const { liveUrl, adminUrl } = midroll;
  const master = await openSession({ clock, liveUrl, channel: 'idle', apiKey: 'key' });
  const [playlist] = mediaPlaylists(master);
  const read = () => fetch(`${liveUrl}/hls/idle/${playlist}`).then(({ status }) => status);
  const endless = [new URL(liveUrl), new URL(adminUrl)].map(sendEndlessHeaders);
  const idle = await openAll(new URL(liveUrl));
  for (let count = 0; count < 20; count += 1) expect(await read()).toBe(200);
  await Promise.all(endless);
  expect(await read()).toBe(200);
  for (const socket of idle) socket.destroy();
}
