// SPDX-License-Identifier: Apache-2.0
// A tracking server with reproducible random faults. It records every request.

import { createServer, type ServerResponse } from 'node:http';
import { closeServer, listenFrom } from '../../demo/listen.ts';
import { seededRandom } from '../seededRandom.ts';

export type Arrival = {
  readonly url: string;
  readonly address: string;
  readonly userAgent: string;
  /** `well` and `late` returned 204, `error` returned 500; `stalled` and `reset` returned no response. */
  readonly fate: 'well' | 'late' | 'error' | 'stalled' | 'reset';
};

export type Receiver = {
  readonly url: string;
  readonly arrivals: readonly Arrival[];
  /** Responds to the next requests with 503. */
  fail(requests: number): void;
  close(): Promise<void>;
};

function fateOf(share: number): Arrival['fate'] {
  if (share < 0.08) return 'error';
  if (share < 0.12) return 'reset';
  if (share < 0.125) return 'stalled';
  return share < 0.15 ? 'late' : 'well';
}

export async function startReceiver(seed: number): Promise<Receiver> {
  const random = seededRandom(seed);
  const arrivals: Arrival[] = [];
  let failing = 0;
  const respond = (response: ServerResponse, status: number) =>
    response.writeHead(status, { 'content-length': '0' }).end();
  const server = createServer((request, response) => {
    const fate = failing > 0 ? 'error' : fateOf(random());
    const { 'x-device-ip': address = '', 'user-agent': userAgent = '' } = request.headers;
    arrivals.push({ url: request.url!, address: String(address), userAgent, fate });
    if (fate === 'reset') request.socket.destroy();
    else if (fate === 'late') setTimeout(() => respond(response, 204), 40);
    else if (fate === 'well') respond(response, 204);
    else if (fate === 'error') {
      failing -= 1;
      respond(response, failing >= 0 ? 503 : 500);
      failing = Math.max(0, failing);
    }
  });
  server.keepAliveTimeout = 60_000;
  const url = await listenFrom(server, 0);
  return {
    url,
    arrivals,
    fail: (requests) => {
      failing = requests;
    },
    close: () => closeServer(server),
  };
}
