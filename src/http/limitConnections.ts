// What one address may hold of a port: so many connections, and headers that arrive in time (Slowloris). It sees
// connections only, and knows nothing of what is requested on them.
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { networkOf } from './networkOf.ts';

export type ConnectionLimits = {
  /** Milliseconds for the headers of a request, counted from the connection or from the request's first byte. */
  readonly headerTimeout: number;
  /** 0 is off. */
  readonly perAddress: number;
  /** Addresses that speak for many clients. */
  readonly isExempt: (address: string) => boolean;
  readonly onRefused: (address: string) => void;
};

/** Milliseconds between two looks for requests that are late; for the options of createServer. */
export const CHECK_EVERY = 1000;

/** Connections beyond the limit are closed before anything is read from them. Call it before the server listens. */
export function limitConnections(server: Server, limits: ConnectionLimits): void {
  server.headersTimeout = limits.headerTimeout;
  if (limits.perAddress === 0) return;
  const counts = new Map<string, number>();
  const leave = (holder: string): void => {
    const count = counts.get(holder)! - 1;
    if (count === 0) counts.delete(holder);
    else counts.set(holder, count);
  };
  server.on('connection', (socket: Socket) => {
    const { remoteAddress } = socket;
    if (remoteAddress === undefined || limits.isExempt(remoteAddress)) return;
    const holder = networkOf(remoteAddress);
    const count = counts.get(holder) ?? 0;
    if (count >= limits.perAddress) {
      socket.destroy();
      limits.onRefused(holder);
      return;
    }
    counts.set(holder, count + 1);
    socket.once('close', () => leave(holder));
  });
}
