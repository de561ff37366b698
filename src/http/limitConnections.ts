// SPDX-License-Identifier: Apache-2.0
// Limits connections per client address and the time in which headers must arrive (against Slowloris attacks).
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { networkOf } from './proxies.ts';

export type ConnectionLimits = {
  /** Milliseconds, from the connection or the first byte of the request until the headers are complete. */
  readonly headerTimeout: number;
  /** Milliseconds from a response until a connection without a request is closed. */
  readonly idleTimeout: number;
  /** Open connections; 0 disables the limit. */
  readonly perAddress: number;
  /** For proxies, which connect on behalf of many clients. */
  readonly isExempt: (address: string) => boolean;
  readonly onRefused: (address: string) => void;
};

/** Interval at which node:http looks for late headers; `connectionsCheckingInterval` of createServer. */
export const CONNECTION_CHECK_MS = 1000;

/** Connections over the limit are closed before anything is read from them. Call this before the server listens. */
export function limitConnections(server: Server, limits: ConnectionLimits): void {
  server.headersTimeout = limits.headerTimeout;
  server.keepAliveTimeout = limits.idleTimeout;
  if (limits.perAddress === 0) return;
  const counts = new Map<string, number>();
  const release = (client: string): void => {
    const count = (counts.get(client) ?? 1) - 1;
    if (count === 0) counts.delete(client);
    else counts.set(client, count);
  };
  server.on('connection', (socket: Socket) => {
    const { remoteAddress } = socket;
    if (remoteAddress === undefined || limits.isExempt(remoteAddress)) return;
    const client = networkOf(remoteAddress);
    const count = counts.get(client) ?? 0;
    if (count >= limits.perAddress) {
      socket.destroy();
      limits.onRefused(client);
      return;
    }
    counts.set(client, count + 1);
    socket.once('close', () => release(client));
  });
}
