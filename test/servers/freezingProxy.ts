// SPDX-License-Identifier: Apache-2.0
// A TCP proxy that can be frozen: connections stay open and no data passes, as if the peer were suspended or all
// packets were lost.
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { listenFrom } from '../../demo/listen.ts';

export type FreezingProxy = {
  readonly port: number;
  /** Stops all data in both directions. New connections are accepted but not served. */
  freeze(): void;
  /** Delivers the data that was held back. */
  thaw(): void;
  /** Closes all connections, and refuses new ones until `accept`. */
  refuse(): Promise<void>;
  accept(): Promise<void>;
  close(): Promise<void>;
};

/** In front of the server of a URL. @returns it with the URL that leads through it */
export async function startFreezingProxyOf(url: string): Promise<FreezingProxy & { readonly url: string }> {
  const through = new URL(url);
  const proxy = await startFreezingProxy({ host: through.hostname, port: Number(through.port) });
  through.host = `127.0.0.1:${proxy.port}`;
  return { ...proxy, url: through.href };
}

/** @param target connections are forwarded to it */
export async function startFreezingProxy(target: { host: string; port: number }): Promise<FreezingProxy> {
  const sockets = new Set<Socket>();
  let isFrozen = false;
  const track = (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
  };
  const server = createServer((inner) => {
    const outer = connect(target);
    for (const [from, to] of [
      [inner, outer],
      [outer, inner],
    ] as const) {
      track(from);
      from.on('data', (data) => void to.write(data));
      from.on('end', () => void to.end());
      from.on('close', () => void to.destroy());
      if (isFrozen) from.pause();
    }
  });
  const port = Number(new URL(await listenFrom(server, 0)).port);
  return {
    port,
    async refuse() {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
    async accept() {
      server.listen(port, '127.0.0.1');
      await once(server, 'listening');
    },
    freeze() {
      isFrozen = true;
      for (const socket of sockets) socket.pause();
    },
    thaw() {
      isFrozen = false;
      for (const socket of sockets) socket.resume();
    },
    async close() {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, 'close');
    },
  };
}
