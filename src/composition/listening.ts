// SPDX-License-Identifier: Apache-2.0
// Opens and closes ports, and determines their URLs.
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Config } from '../config.ts';

const portOf = (server: Server, port: number): number => (server.address() as AddressInfo | null)?.port ?? port;

/** The URL of a server that listens or is going to. */
export const addressOf = (server: Server, { HOST }: Config, port: number): string =>
  `http://${HOST.includes(':') ? `[${HOST}]` : HOST}:${portOf(server, port)}`;

export const listen = (server: Server, { LIVE_PORT, HOST }: Config): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(LIVE_PORT, HOST, resolve);
  });

const CLOSE_TIMEOUT_MS = 5000;
const IDLE_CHECK_MS = 50;

/** Waits for requests in progress. Connections are closed when they are idle, at the latest after CLOSE_TIMEOUT_MS. */
export const closeServer = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    if (!server.listening) return resolve();
    const idle = setInterval(() => server.closeIdleConnections(), IDLE_CHECK_MS);
    setTimeout(() => server.closeAllConnections(), CLOSE_TIMEOUT_MS).unref();
    server.close(() => {
      clearInterval(idle);
      resolve();
    });
    server.closeIdleConnections();
  });
