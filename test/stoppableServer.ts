// SPDX-License-Identifier: Apache-2.0
// An HTTP server on loopback that can be stopped, and started again on its port.
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { closeServer, listenFrom } from '../demo/listen.ts';

export async function startStoppableServer(respond: RequestListener) {
  const server = createServer(respond);
  const url = await listenFrom(server, 0);
  let isListening = true;
  return {
    url,
    async stop(): Promise<void> {
      if (isListening) await closeServer(server);
      isListening = false;
    },
    async restart(): Promise<void> {
      server.listen(Number(new URL(url).port), '127.0.0.1');
      await once(server, 'listening');
      isListening = true;
    },
  };
}
