// SPDX-License-Identifier: Apache-2.0
// Listens on a loopback port: the preferred one or the next free one.
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo, Server as TcpServer } from 'node:net';

const HOST = '127.0.0.1';

export type Started = { readonly url: string; close(): Promise<void> };

async function tryListen(server: TcpServer, port: number): Promise<boolean> {
  server.listen(port, HOST);
  try {
    await once(server, 'listening');
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return false;
    throw error;
  }
}

/** @param port 0 selects any free port @returns the base URL, such as `http://127.0.0.1:8090` */
export async function listenFrom(server: TcpServer, port: number): Promise<string> {
  for (let next = port; next < port + 100; next += 1) {
    if (await tryListen(server, next)) return `http://${HOST}:${(server.address() as AddressInfo).port}`;
  }
  throw new Error(`no free port from ${port} to ${port + 99}`);
}

export async function closeServer(server: Server): Promise<void> {
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
}

/** @param port as of `listenFrom`; by default, any free one */
export async function startServer(respond: RequestListener, port = 0): Promise<Started> {
  const server = createServer(respond);
  return { url: await listenFrom(server, port), close: () => closeServer(server) };
}

/** A port that is free now, for a process that needs a port number. */
export async function findFreePort(from: number): Promise<number> {
  const server = createServer();
  const port = Number(new URL(await listenFrom(server, from)).port);
  await closeServer(server);
  return port;
}
