// SPDX-License-Identifier: Apache-2.0
// Opens and closes ports, and determines their URLs.
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Config } from '../config.ts';

export const portOf = (server: Server, port: number): number => (server.address() as AddressInfo | null)?.port ?? port;

/** The URL of a server that listens or is going to. */
export const addressOf = (server: Server, { HOST }: Config, port: number): string =>
  `http://${HOST.includes(':') ? `[${HOST}]` : HOST}:${portOf(server, port)}`;

export const listen = (server: Server, { LIVE_PORT, HOST }: Config): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(LIVE_PORT, HOST, resolve);
  });

const CLOSE_TIMEOUT_MS = 5000;

/** Waits for requests in progress; idle connections are closed at once. */
export const closeServer = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    if (!server.listening) return resolve();
    server.close(() => resolve());
    server.closeIdleConnections();
    setTimeout(() => server.closeAllConnections(), CLOSE_TIMEOUT_MS).unref();
  });
