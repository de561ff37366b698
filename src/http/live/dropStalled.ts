// Players that stop reading. Answers stay in memory until they are taken, so who takes no byte of one for long is not
// waited for. A timer for those few alone: one for everybody would have to be wound up again at every request.
import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** Milliseconds without a byte taken after which a connection with an answer waiting is dropped. */
const PATIENCE = 90_000;

/** Drops connections that have an answer waiting and take nothing of it for `patience`, or up to a third longer. */
export function dropStalled(server: Server, patience = PATIENCE): void {
  const open = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  const look = () => {
    for (const socket of open) {
      // The socket's own timer sees each byte that is taken; the server takes it off with the next request.
      if (socket.writableLength > 0 && !socket.timeout) socket.setTimeout(patience);
    }
  };
  const timer = setInterval(look, patience / 3).unref();
  server.once('close', () => clearInterval(timer));
}
