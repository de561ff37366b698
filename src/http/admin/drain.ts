// SPDX-License-Identifier: Apache-2.0
// Graceful shutdown with keep-alive connections: requests in progress get a response with `connection: close`.
import type { FastifyInstance } from 'fastify';

/** Connections that are still open after this are closed. */
const DRAIN_TIMEOUT_MS = 10_000;

export function drainOnClose(app: FastifyInstance): void {
  let isClosing = false;
  app.addHook('preClose', async () => {
    isClosing = true;
    setTimeout(() => app.server.closeAllConnections(), DRAIN_TIMEOUT_MS).unref();
  });
  app.addHook('onSend', async (_request, reply) => {
    if (isClosing) reply.header('connection', 'close');
  });
}
