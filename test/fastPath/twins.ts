// SPDX-License-Identifier: Apache-2.0
// Two servers that differ in whether plain GETs are answered on their sockets. Each receives the same bytes in the same chunks,
// and both must answer alike.
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { type EchoServer, echoServer } from './echoServer.ts';

export type Outcome = {
  /** All responses (latin1), without what differs from one to the next: dates, and ids of requests. */
  readonly received: string;
  /** Whether the connection was open after the chunks. */
  readonly isOpen: boolean;
};

export type Twins = {
  /** @returns the outcome at each server, the fast one first */
  send(chunks: readonly Buffer[]): Promise<readonly [Outcome, Outcome]>;
  /** Connections that node:http did not get in the course of the last chunks, and those in all. */
  readonly counts: { readonly fast: number; readonly all: number };
  close(): Promise<void>;
};

/** The last request of a connection that is still open: whether the servers have understood the same before. */
const LAST = Buffer.from('GET /last HTTP/1.1\r\nHost: last\r\n\r\n');

export const normalized = (text: string): string =>
  text
    .replaceAll(/^Date: .*?\r$/gm, 'Date: -\r')
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<id>');

type Side = EchoServer & { readonly path: string };

/** Waits until the server has read everything and has nothing more to do. */
async function settle(side: Side, socket: Socket, sent: number): Promise<void> {
  while (!socket.destroyed && (socket.bytesRead < sent || side.isBusy())) await turn();
  for (let count = 0; count < 2 || (side.isBusy() && !socket.destroyed); count += 1) await turn();
}

const isOpen = (socket: Socket): boolean => !socket.destroyed && !socket.writableEnded;

type Played = Outcome & { readonly isFast: boolean };

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
  const outcome = { isOpen: isOpen(socket), isFast: !socket.parser && !socket.destroyed };
  await write(LAST);
  client.end();
  await closed;
  return { ...outcome, received: normalized(Buffer.concat(received).toString('latin1')) };
}

export async function startTwins(): Promise<Twins> {
  const folder = mkdtempSync(join(tmpdir(), 'midroll-twins-'));
  const sideOf = async (isFast: boolean): Promise<Side> => {
    // The many connections of a fuzz test would use up the ports of this machine.
    const path = join(folder, isFast ? 'fast' : 'node');
    const side = { ...echoServer(isFast), path };
    // As long as a slow machine may take.
    side.server.headersTimeout = 0;
    side.server.requestTimeout = 0;
    side.server.keepAliveTimeout = 600_000;
    await new Promise<void>((resolve) => side.server.listen(path, resolve));
    return side;
  };
  const sides = [await sideOf(true), await sideOf(false)] as const;
  const counts = { fast: 0, all: 0 };
  return {
    counts,
    async send(chunks) {
      const [fast, node] = await Promise.all(sides.map((side) => play(side, chunks)));
      counts.all += 1;
      if (fast!.isFast) counts.fast += 1;
      const outcomeOf = ({ received, isOpen: is }: Played) => ({ received, isOpen: is });
      return [outcomeOf(fast!), outcomeOf(node!)];
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
