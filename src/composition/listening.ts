// Ports: opened, told of, closed.
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Config } from '../config.ts';

export const portOf = (server: Server, port: number): number => (server.address() as AddressInfo | null)?.port ?? port;

/** Where a server listens, or will. */
export const addressOf = (server: Server, { HOST }: Config, port: number): string =>
  `http://${HOST.includes(':') ? `[${HOST}]` : HOST}:${portOf(server, port)}`;

export const listen = (server: Server, { LIVE_PORT, HOST }: Config): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(LIVE_PORT, HOST, resolve);
  });

/** Requests under way are answered; connections that only wait are closed. */
export const closeServer = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    if (!server.listening) return resolve();
    server.close(() => resolve());
    server.closeIdleConnections();
    setTimeout(() => server.closeAllConnections(), 5000).unref();
  });
