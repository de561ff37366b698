// SPDX-License-Identifier: Apache-2.0
// The servers that Midroll sends requests to: an origin that has every segment, and an ad server.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { startServer } from '../../demo/listen.ts';

export type Neighbours = {
  /** `http://127.0.0.1:port` */
  readonly url: string;
  /** The ad responses at `/ads/<name>`; `after` is a delay in milliseconds of the test's clock. */
  readonly ads: Map<string, { readonly vast: string; readonly after?: number }>;
  /** Ids of assets that the origin responds to with 404. */
  readonly gone: Set<string>;
  close(): Promise<void>;
};

const WEBVTT = `WEBVTT

00:00:00.500 --> 00:00:03.000 line:90%
First <i>line</i> &amp; more

00:00:05.000 --> 00:00:09.250
Zweite Zeile: ÄÖÜ
`;

/** Midroll reads subtitles whole. It checks that any other segment exists by requesting one byte of it. */
function sendSegment({ headers, url = '' }: IncomingMessage, response: ServerResponse): void {
  if (url.endsWith('.vtt')) {
    response.writeHead(200, { 'content-type': 'text/vtt' }).end(WEBVTT);
    return;
  }
  const start = /^bytes=(\d+)-/.exec(headers.range ?? '')?.[1];
  if (start === undefined) response.end('.');
  else response.writeHead(206, { 'content-range': `bytes ${start}-${start}/100000000` }).end('.');
}

/** @param after runs a function after a delay of the test's clock */
export async function startNeighbours(after: (ms: number, work: () => void) => void): Promise<Neighbours> {
  const ads: Neighbours['ads'] = new Map();
  const gone = new Set<string>();
  const server = await startServer((request, response) => {
    const { pathname } = new URL(request.url!, 'http://localhost');
    if (!pathname.startsWith('/ads/')) {
      if (gone.has(pathname.split('/')[1]!)) response.writeHead(404).end();
      else sendSegment(request, response);
      return;
    }
    const { vast, after: ms = 0 } = ads.get(pathname.slice('/ads/'.length)) ?? { vast: '' };
    const send = () => void response.writeHead(200, { 'content-type': 'application/xml' }).end(vast);
    if (ms === 0) send();
    else after(ms, send);
  });
  return { ...server, ads, gone };
}
