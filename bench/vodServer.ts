// SPDX-License-Identifier: Apache-2.0
// Sends the manifests of viewers of one film, each with other ads. Parameters: JSON in the first argument.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { writeStaticMpd } from '../src/dash/write/writeStaticMpd.ts';
import { writeVodMedia } from '../src/hls/writeVodMedia.ts';
import { breaksOf, clipMaker, film, layOutFor } from './vodPresentations.ts';

export type VodShape = {
  readonly format: 'hls' | 'dash';
  readonly viewers: number;
  readonly creatives: number;
  /** Whether presentations are laid out before, as for all requests of a session but the first; otherwise for each request. */
  readonly isLaidOut: boolean;
};

const { format, viewers, creatives, isLaidOut } = JSON.parse(process.argv[2]!) as VodShape;
const title = film();
const clips = clipMaker(title);
const breaks = Array.from({ length: viewers }, (_, n) => breaksOf(title, n, creatives));
const laidOut = isLaidOut ? breaks.map((own, n) => layOutFor(title, clips, n, own)) : undefined;

/** What viewer `n` is sent for a rung of the ladder. */
function manifestOf(n: number, rung: number): string {
  const { spans } = laidOut?.[n] ?? layOutFor(title, clips, n, breaks[n]!);
  const { ladder } = title;
  return format === 'hls'
    ? writeVodMedia(spans, rung, ladder, { announces: true })
    : writeStaticMpd(spans, { ladder, baseUrl: `${n}/`, announces: true });
}

const server = createServer((request, response) => {
  const [, n, rung] = request.url!.split('/').map(Number);
  const body = manifestOf(n!, rung!);
  response.writeHead(200, [
    'content-type',
    format === 'hls' ? 'application/vnd.apple.mpegurl' : 'application/dash+xml',
    'content-length',
    String(body.length),
    'cache-control',
    'private, no-cache',
    'access-control-allow-origin',
    '*',
    'access-control-expose-headers',
    'content-length, content-range, date, x-request-id',
  ]);
  // Both are ASCII (src/http/live/reply.ts).
  response.end(body, 'latin1');
});
server.listen(0, '127.0.0.1', () => {
  const rungs = format === 'hls' ? [0, 5] : [0];
  const paths = rungs.flatMap((rung) => breaks.map((_, n) => `/${n}/${rung}`));
  process.send?.({ port: (server.address() as AddressInfo).port, paths });
});
process.on('message', () => process.send?.({ cpu: process.cpuUsage() }));
