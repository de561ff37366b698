// SPDX-License-Identifier: Apache-2.0
// The time between SIGTERM and closing the ports. Load balancers need it to notice that the process is not ready; until then
// they send requests, and the process serves them. In the second half, each response closes its connection, so that clients
// that keep connections open have moved before the ports close.
import type { Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/** From now on, the response to each new request closes its connection. */
export function closeAfterResponses(server: Server): void {
  server.prependListener('request', (_, response) => response.setHeader('connection', 'close'));
}

/** Resolves when the time is over. */
export async function drain(servers: readonly Server[], seconds: number): Promise<void> {
  await sleep(500 * seconds);
  for (const server of servers) closeAfterResponses(server);
  await sleep(500 * seconds);
}
