// The end of a server that keeps its connections: those under way are answered once more and closed.
import type { FastifyInstance } from 'fastify';

/** Who is not answered by then is cut off. */
const GRACE_MS = 10_000;

export function drainOnClose(app: FastifyInstance): void {
  let isClosing = false;
  app.addHook('preClose', async () => {
    isClosing = true;
    setTimeout(() => app.server.closeAllConnections(), GRACE_MS).unref();
  });
  app.addHook('onSend', async (_request, reply) => {
    if (isClosing) reply.header('connection', 'close');
  });
}
