// The servers that Midroll sends requests to: an origin that has every segment, and an ad server.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Neighbours = {
  /** `http://127.0.0.1:port` */
  readonly url: string;
  /** The ad responses at `/ads/<name>`; `after` is a delay in milliseconds of the test's clock. */
  readonly ads: Map<string, { readonly vast: string; readonly after?: number }>;
  close(): Promise<void>;
};

/** Midroll checks that a segment exists by requesting one byte of it. */
function sendSegment({ headers }: IncomingMessage, response: ServerResponse): void {
  const start = /^bytes=(\d+)-/.exec(headers.range ?? '')?.[1];
  if (start === undefined) response.end('.');
  else response.writeHead(206, { 'content-range': `bytes ${start}-${start}/100000000` }).end('.');
}

/** @param after runs a function after a delay of the test's clock */
export async function startNeighbours(after: (ms: number, work: () => void) => void): Promise<Neighbours> {
  const ads: Neighbours['ads'] = new Map();
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url!, 'http://localhost');
    if (!pathname.startsWith('/ads/')) {
      sendSegment(request, response);
      return;
    }
    const { vast, after: ms = 0 } = ads.get(pathname.slice('/ads/'.length)) ?? { vast: '' };
    const send = () => void response.writeHead(200, { 'content-type': 'application/xml' }).end(vast);
    if (ms === 0) send();
    else after(ms, send);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ads,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
