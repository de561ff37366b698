// SPDX-License-Identifier: Apache-2.0
// Two servers that differ in whether plain GETs are answered on their sockets. Each receives the same bytes in the same chunks,
// and both must answer alike.
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import type { Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { LiveServer } from '../../src/http/live/direct/liveServer.ts';
import type { LiveRequest, LiveResponse } from '../../src/http/live/exchange.ts';
import { reply, replyError, replyJson, replyNothing, replyRedirect } from '../../src/http/live/reply.ts';
import { sendClientError } from '../../src/http/sendClientError.ts';

export type Outcome = {
  /** All responses (latin1), without what differs from one to the next: dates, and ids of requests. */
  readonly received: string;
  /** Whether the connection was open after the chunks. */
  readonly isOpen: boolean;
};

export type Twins = {
  /** @returns the outcome at each server, the direct one first */
  send(chunks: readonly Buffer[]): Promise<readonly [Outcome, Outcome]>;
  /** Connections that node:http did not get in the course of the last chunks, and those in all. */
  readonly counts: { readonly direct: number; readonly all: number };
  close(): Promise<void>;
};

/** The last request of a connection that is still open: whether the servers have understood the same before. */
const LAST = Buffer.from('GET /last HTTP/1.1\r\nHost: last\r\n\r\n');

/**
 * What follows a request that closes its connection is malformed, and in the same chunk. node:http closes the connection before it
 * reads on, or reads on first and answers that, too: it depends on whether it reads the socket itself or gets what was read before.
 */
function withoutFollowing(text: string): string {
  const [first, ...more] = [...text.matchAll(/^connection: close\r$/gim)];
  const last = text.lastIndexOf('HTTP/1.1 400 Bad Request\r\ncontent-type: application/json');
  return first !== undefined && more.length === 1 && last > first.index ? text.slice(0, last) : text;
}

const normalized = (text: string): string =>
  withoutFollowing(text)
    .replaceAll(/^Date: .*?\r$/gm, 'Date: -\r')
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<id>');

type Side = {
  readonly server: Server;
  readonly path: string;
  /** Whether a handler has not answered yet. */
  readonly isBusy: () => boolean;
};

/** Waits until the server has read everything and has nothing more to do. */
async function settle(side: Side, socket: Socket, sent: number): Promise<void> {
  while (!socket.destroyed && (socket.bytesRead < sent || side.isBusy())) await turn();
  for (let count = 0; count < 2 || (side.isBusy() && !socket.destroyed); count += 1) await turn();
}

const isOpen = (socket: Socket): boolean => !socket.destroyed && !socket.writableEnded;

type Played = Outcome & { readonly isDirect: boolean };

async function play(side: Side, chunks: readonly Buffer[]): Promise<Played> {
  const accepted = once(side.server, 'connection') as Promise<[Socket & { parser?: unknown }]>;
  const client = connect(side.path);
  const received: Buffer[] = [];
  client.on('data', (chunk) => received.push(chunk));
  // A server that closes a connection before it has read everything resets it.
  client.on('error', () => {});
  const closed = new Promise((resolve) => client.once('close', resolve));
  const [socket] = await accepted;
  let sent = 0;
  const write = async (chunk: Buffer) => {
    if (!isOpen(socket)) return;
    client.write(chunk);
    sent += chunk.length;
    await settle(side, socket, sent);
  };
  for (const chunk of chunks) await write(chunk);
  const outcome = { isOpen: isOpen(socket), isDirect: !socket.parser && !socket.destroyed };
  await write(LAST);
  client.end();
  await closed;
  return { ...outcome, received: normalized(Buffer.concat(received).toString('latin1')) };
}

/** @param start a server, and whether a handler has not answered yet */
export async function startTwins(
  start: (isDirect: boolean) => Pick<Side, 'server' | 'isBusy'> | Promise<Pick<Side, 'server' | 'isBusy'>>,
): Promise<Twins> {
  const folder = mkdtempSync(join(tmpdir(), 'midroll-twins-'));
  const sideOf = async (isDirect: boolean): Promise<Side> => {
    // The many connections of a fuzz test would use up the ports of this machine.
    const path = join(folder, isDirect ? 'direct' : 'node');
    const side = { ...(await start(isDirect)), path };
    // As long as a slow machine may take.
    side.server.headersTimeout = 0;
    side.server.requestTimeout = 0;
    side.server.keepAliveTimeout = 600_000;
    await new Promise<void>((resolve) => side.server.listen(path, resolve));
    return side;
  };
  const sides = [await sideOf(true), await sideOf(false)] as const;
  const counts = { direct: 0, all: 0 };
  return {
    counts,
    async send(chunks) {
      const [direct, node] = await Promise.all(sides.map((side) => play(side, chunks)));
      counts.all += 1;
      if (direct!.isDirect) counts.direct += 1;
      const outcomeOf = ({ received, isOpen: is }: Played) => ({ received, isOpen: is });
      return [outcomeOf(direct!), outcomeOf(node!)];
    },
    async close() {
      for (const { server } of sides) {
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Longer than what a socket takes at once. */
const LONG = Buffer.alloc(300_000, 'long');

/** What was understood of a request, in each of the ways in which responses are written. */
function echo(request: LiveRequest, response: LiveResponse): void {
  const { method, url = '', headers, rawHeaders } = request;
  const seen = { method, url, headers, rawHeaders };
  const [, way] = /^\/(\w*)/.exec(url) ?? [];
  if (way === 'bytes')
    reply(request, response, { type: 'x/y', body: Buffer.from(JSON.stringify(seen)), cache: 'always' });
  else if (way === 'long') reply(request, response, { type: 'x/y', body: LONG, cache: 'moment' });
  else if (way === 'utf8') reply(request, response, { type: 'x/y', body: `é€𝄞 ${url}`, cache: 'never' });
  else if (way === 'empty') reply(request, response, { type: 'x/y', body: '', cache: 'never' });
  else if (way === 'nothing') replyNothing(response);
  else if (way === 'redirect') replyRedirect(response, `/to${url}?ä`);
  else if (way === 'error') replyError(request, response, new Error('inner'), crypto.randomUUID());
  else replyJson(request, response, way === 'missing' ? 404 : 200, seen);
}

/** Servers that answer what they have understood; `/later…` after a while. */
export const startEchoes = (): Promise<Twins> =>
  startTwins((isDirect) => {
    let waiting = 0;
    const handle = async (request: LiveRequest, response: LiveResponse) => {
      if (!request.url?.startsWith('/later')) return echo(request, response);
      waiting += 1;
      await turn();
      waiting -= 1;
      echo(request, response);
    };
    const server = new LiveServer({}, (request, response) => void handle(request, response), isDirect);
    server.on('clientError', sendClientError);
    return { server, isBusy: () => waiting > 0 };
  });
