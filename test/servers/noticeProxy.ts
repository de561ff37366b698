// SPDX-License-Identifier: Apache-2.0
// A TCP proxy in front of PostgreSQL that harms only the connections that listen for notices: it holds back all of their data, or
// removes the notices from it, as a connection pooler in transaction mode does.
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { listenFrom } from '../../demo/listen.ts';

export type NoticeProxy = {
  /** The URL of the database through the proxy. */
  readonly url: string;
  /** `hold`: no data passes, and connections stay open. `drop`: notices are removed. */
  harm(how: 'none' | 'hold' | 'drop'): void;
  close(): Promise<void>;
};

const NOTICE = 'A'.charCodeAt(0);

/** Complete messages of the server: a type, and a length that includes itself (PostgreSQL documentation, 55.2). */
function splitMessages(bytes: Buffer): { readonly messages: Buffer[]; readonly rest: Buffer } {
  const messages: Buffer[] = [];
  let from = 0;
  while (from + 5 <= bytes.length && from + 1 + bytes.readInt32BE(from + 1) <= bytes.length) {
    const end = from + 1 + bytes.readInt32BE(from + 1);
    messages.push(bytes.subarray(from, end));
    from = end;
  }
  return { messages, rest: bytes.subarray(from) };
}

export async function startNoticeProxy(database: string): Promise<NoticeProxy> {
  const target = new URL(database);
  const sockets = new Set<Socket>();
  const listening = new Set<Socket>();
  let harm: 'none' | 'hold' | 'drop' = 'none';
  const track = (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => {
      sockets.delete(socket);
      listening.delete(socket);
    });
  };
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    track(client);
    track(upstream);
    let held: Buffer = Buffer.alloc(0);
    client.once('data', (startup) => {
      if (!startup.includes('midroll notices')) return;
      for (const socket of [client, upstream]) {
        listening.add(socket);
        if (harm === 'hold') socket.pause();
      }
    });
    client.on('data', (data) => void upstream.write(data));
    upstream.on('data', (data) => {
      if (!listening.has(client)) return void client.write(data);
      const { messages, rest } = splitMessages(Buffer.concat([held, data]));
      held = rest;
      for (const message of messages) if (harm !== 'drop' || message[0] !== NOTICE) client.write(message);
    });
    client.on('close', () => upstream.destroy());
    upstream.on('close', () => client.destroy());
  });
  const url = new URL(database);
  url.port = new URL(await listenFrom(server, 0)).port;
  return {
    url: url.href,
    harm(how) {
      harm = how;
      for (const socket of listening) how === 'hold' ? socket.pause() : socket.resume();
    },
    async close() {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, 'close');
    },
  };
}
