// SPDX-License-Identifier: Apache-2.0
// Live origins on loopback, in a process of their own: any number of channels below /c0/, /c1/, …, each with two video renditions
// and sound, in segments of four seconds. Their segments end at different times. The text of a playlist is written once per segment.
// Sends its port to the parent process, and its figures on request.
import { createHash } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Broadcast, createBroadcast } from '../test/live/origin/broadcast.ts';
import { describePath, replyTo } from '../test/live/origin/liveResources.ts';
import { loadLoop } from '../test/live/origin/media/mediaLoop.ts';
import { type OriginReply, reply } from '../test/live/origin/originFault.ts';
import { type LiveState, type OnAir, renditionsOnAir } from '../test/live/origin/write/livePresentation.ts';

export type OriginFigures = {
  /** Requests since the start, by kind; `unchanged` are playlists with status 304. */
  readonly playlists: number;
  readonly unchanged: number;
  readonly segments: number;
  /** Connections that are open now. */
  readonly sockets: number;
};

/** Groups of channels whose segments end at the same time. */
const PHASES = 16;
const WINDOW = 6;
/** Milliseconds that each response takes, as over a network. */
const DELAY_MS = Number(process.argv[2] ?? 0);

const loop = await loadLoop('cmaf', 'long');
const startedAt = Date.now();
const options = { window: WINDOW };
const broadcasts = Array.from({ length: PHASES }, (_, phase) =>
  createBroadcast({ loop, now: startedAt - Math.floor((phase * loop.segmentMs) / PHASES) }),
);
const onAir: OnAir[] = renditionsOnAir(broadcasts[0]!, options);

function stateOf(broadcast: Broadcast): LiveState {
  const now = Date.now();
  const run = broadcast.runAt(now);
  return { broadcast, options, now, run, onAir, edge: () => broadcast.edgeAt(run, now) };
}

type Playlist = { readonly edge: number; readonly made: OriginReply; readonly etag: string };
const playlists = new Map<string, Playlist>();

function playlistOf(phase: number, path: string): Playlist {
  const state = stateOf(broadcasts[phase]!);
  const edge = path === '/master.m3u8' ? 0 : state.edge('');
  const key = `${phase} ${path}`;
  const known = playlists.get(key);
  if (known?.edge === edge) return known;
  const made = replyTo(state, path);
  const etag = `"${createHash('sha256').update(made.body).digest('hex').slice(0, 16)}"`;
  const written = { edge, made, etag };
  playlists.set(key, written);
  return written;
}

const counts = { playlists: 0, unchanged: 0, segments: 0 };
let sockets = 0;

function send(response: ServerResponse, { status, type, body }: OriginReply, etag?: string): void {
  const answer = () => {
    response.writeHead(status, { 'content-type': type, 'content-length': body.length, ...(etag && { etag }) });
    response.end(body);
  };
  if (DELAY_MS > 0) setTimeout(answer, DELAY_MS);
  else answer();
}

const server = createServer({ keepAliveTimeout: 65_000 }, (request, response) => {
  const [, channel, path = ''] = /^\/c(\d+)(\/.*)$/.exec(request.url ?? '') ?? [];
  if (channel === undefined) return send(response, reply(404, 'Not found'));
  const phase = Number(channel) % PHASES;
  const { kind } = describePath(path);
  if (kind !== 'multivariant' && kind !== 'media') {
    counts.segments += 1;
    return send(response, replyTo(stateOf(broadcasts[phase]!), path, request.headers.range));
  }
  counts.playlists += 1;
  const { made, etag } = playlistOf(phase, path);
  if (request.headers['if-none-match'] !== etag) return send(response, made, etag);
  counts.unchanged += 1;
  send(response, { ...made, status: 304, body: Buffer.alloc(0) }, etag);
});
server.on('connection', (socket) => {
  sockets += 1;
  socket.on('close', () => {
    sockets -= 1;
  });
});
process.on('message', () => process.send!({ ...counts, sockets } satisfies OriginFigures));
process.on('disconnect', () => process.exit());
server.listen(0, '127.0.0.1', () => process.send!({ port: (server.address() as AddressInfo).port }));
