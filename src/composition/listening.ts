// Ports: opened, told of, closed.
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Config } from '../config.ts';

export const portOf = (server: Server, port: number): number => (server.address() as AddressInfo | null)?.port ?? port;

/** Where a server listens, or will. */
export const addressOf = (server: Server, { HOST }: Config, port: number): string =>
  `http://${HOST.includes(':') ? `[${HOST}]` : HOST}:${portOf(server, port)}`;

/** The live port of the host that a request to the administrative port named. @param host e.g. `midroll.local:8080` */
export function liveBeside(host: string | undefined, port: number): string {
  const named = `http://${host ?? 'localhost'}`;
  const url = new URL(URL.canParse(named) ? named : 'http://localhost');
  url.port = String(port);
  return url.origin;
}

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
