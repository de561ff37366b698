// Thousands of connections that only wait, and requests that never come to an end, beside viewers who are served.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect } from 'vitest';
import { mediaPlaylists, openSession } from '../openSession.ts';
import { item, type Stage } from '../stage.ts';

const IDLE = 5000;
/** Connections that are opened at a time: a listening socket has a queue. */
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

/** Resolves when the server has had enough of it. */
const neverEnding = (url: URL): Promise<unknown> => {
  const socket = connect(Number(url.port), url.hostname).on('error', () => {});
  socket.resume();
  socket.write(`GET /time HTTP/1.1\r\nhost: ${url.host}\r\n`);
  const drip = setInterval(() => socket.write('x-more: 1\r\n'), 500);
  return once(socket, 'close').finally(() => clearInterval(drip));
};

export async function servesDespiteIdleConnections({ clock, midroll, video, air }: Stage): Promise<void> {
  await air('idle', [item(await video({ seconds: 20 }))]);
  const { liveUrl, adminUrl } = midroll;
  const master = await openSession({ clock, liveUrl, channel: 'idle', apiKey: 'key' });
  const [playlist] = mediaPlaylists(master);
  const read = () => fetch(`${liveUrl}/hls/idle/${playlist}`).then(({ status }) => status);
  const drips = [new URL(liveUrl), new URL(adminUrl)].map(neverEnding);
  const idle = await openAll(new URL(liveUrl));
  for (let count = 0; count < 20; count += 1) expect(await read()).toBe(200);
  await Promise.all(drips);
  expect(await read()).toBe(200);
  for (const socket of idle) socket.destroy();
}
