// SPDX-License-Identifier: Apache-2.0
// Disconnects players that stop reading, because a response stays in memory until it was sent. Only stalled connections get
// a timer: one for every connection would have to be reset with every request.
import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** A connection with unsent data is dropped if the client has read nothing for this long. */
const STALL_TIMEOUT_MS = 90_000;

/** Connections are dropped after `timeoutMs` without progress, or up to a third later. */
export function dropStalled(server: Server, timeoutMs = STALL_TIMEOUT_MS): void {
  const open = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  const watchStalled = () => {
    for (const socket of open) {
      // The socket resets its timer whenever data is read; the server removes it with the next request.
      if (socket.writableLength > 0 && !socket.timeout) socket.setTimeout(timeoutMs);
    }
  };
  const timer = setInterval(watchStalled, timeoutMs / 3).unref();
  server.once('close', () => clearInterval(timer));
}
