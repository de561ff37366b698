// A server of beacons that behaves as badly as such servers do, by chance that can be replayed; and remembers all of it.

import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { seededRandom } from '../seededRandom.ts';

export type Arrival = {
  readonly url: string;
  readonly address: string;
  readonly userAgent: string;
  /** `well` and `late` were answered 204; of `stalled` and `reset` nobody was told; `error` was answered 500. */
  readonly fate: 'well' | 'late' | 'error' | 'stalled' | 'reset';
};

export type Receiver = {
  readonly url: string;
  readonly arrivals: readonly Arrival[];
  /** Answers so many requests with 503, whatever chance says. */
  goDark(requests: number): void;
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
  let dark = 0;
  const answer = (response: ServerResponse, status: number) =>
    response.writeHead(status, { 'content-length': '0' }).end();
  const server = createServer((request, response) => {
    const fate = dark > 0 ? 'error' : fateOf(random());
    const { 'x-device-ip': address = '', 'user-agent': userAgent = '' } = request.headers;
    arrivals.push({ url: request.url!, address: String(address), userAgent, fate });
    if (fate === 'reset') request.socket.destroy();
    else if (fate === 'late') setTimeout(() => answer(response, 204), 40);
    else if (fate === 'well') answer(response, 204);
    else if (fate === 'error') {
      dark -= 1;
      answer(response, dark >= 0 ? 503 : 500);
      dark = Math.max(0, dark);
    }
  });
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    arrivals,
    goDark: (requests) => {
      dark = requests;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
