// SPDX-License-Identifier: Apache-2.0
// Detects whether this process is idle: no requests, file access, database writes or child processes in progress. It uses
// Node's diagnostics channels, so the product itself does not report anything.
import type { ChildProcess } from 'node:child_process';
import { channel } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import type { Transform } from 'node:stream';
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { createGunzip } from 'node:zlib';
import { watchPostgres } from './watchPostgres.ts';

/** Each of these is a step of a request that this process sends or serves. */
const STEPS = [
  'undici:request:create',
  'undici:request:bodySent',
  'undici:request:headers',
  'undici:request:trailers',
  'undici:request:error',
  'http.server.request.start',
  'http.server.response.finish',
];
/** The client has received the whole response, or has given up. */
const RECEIVED = ['undici:request:trailers', 'undici:request:error'];
/** A request has a connection. */
const CONNECTED = 'undici:client:sendHeaders';
/** A server of this process has accepted a connection. */
const ACCEPTED = 'net.server.socket';
/** After this many idle turns of the event loop, nothing more happens without the clock. */
const IDLE_TURNS = 4;
/**
 * The same while a request is open. Both ends are in this process, so it advances with each turn; a request that does not
 * advance waits for the clock, at one end or the other.
 */
const IDLE_TURNS_IN_REQUEST = 40;
/**
 * How long to wait for the kernel to connect, or to deliver a request, a response or a reset. What has not arrived by then,
 * such as a body that is never read, is not waited for again. The event loop must have turned so often meanwhile, because a
 * process that was suspended has not looked.
 */
const KERNEL_TIMEOUT_MS = 1000;
const KERNEL_TURNS = 300;

/** File access, with the closing of files, and name lookups in Node's thread pool. */
const isPending = (resource: string): boolean => /^(FS|FileHandle|CloseReq|GetAddrInfo)/.test(resource);

type ZlibStream = Omit<Transform, '_transform'> & {
  _transform(chunk: unknown, encoding: unknown, done: (...result: unknown[]) => void): void;
};
/** The prototype of all zlib streams, which work in Node's thread pool. */
const zlibStream = ((): ZlibStream => {
  let shared = Object.getPrototypeOf(createGunzip());
  while (!Object.hasOwn(shared, '_transform')) shared = Object.getPrototypeOf(shared);
  return shared;
})();

const endsOf = ({ localPort, remotePort }: Socket): string => `${localPort} ${remotePort}`;

/** The server ends of the connections of this process, by the ports of their client ends. */
function watchConnections() {
  const accepted = new Map<string, Socket>();
  const onAccepted = (message: unknown): void => {
    const { socket } = message as { socket: Socket };
    const ends = `${socket.remotePort} ${socket.localPort}`;
    accepted.set(ends, socket);
    socket.once('close', () => accepted.get(ends) === socket && accepted.delete(ends));
  };
  channel(ACCEPTED).subscribe(onAccepted);
  return {
    /** Whether one end has sent what the other has not read. @param client undefined until it connects */
    isInKernel(client: Socket | undefined): boolean {
      if (client === undefined) return true;
      const server = accepted.get(endsOf(client));
      if (server === undefined) return true;
      return client.bytesWritten !== server.bytesRead || server.bytesWritten !== client.bytesRead;
    },
    close: () => channel(ACCEPTED).unsubscribe(onAccepted),
  };
}

export type Activity = {
  untilIdle(): Promise<void>;
  close(): void;
};

export function watchActivity(): Activity {
  let steps = 0;
  let openRequests = 0;
  /** Requests without a whole response, with their connections. */
  const sent = new Map<unknown, Socket | undefined>();
  const connections = watchConnections();
  let stuck = 0;
  const inflating = new Set<ZlibStream>();
  const children = new Set<ChildProcess>();
  const postgres = watchPostgres();

  const onStep = (_: unknown, name: string | symbol): void => {
    steps += 1;
    if (name === 'http.server.request.start') openRequests += 1;
  };
  const onSent = (message: unknown): void => {
    const { request, socket } = message as { request: unknown; socket?: Socket };
    sent.set(request, socket);
  };
  const onReceived = (message: unknown): void => void sent.delete((message as { request: unknown }).request);
  const onRequest = (message: unknown): void => {
    const { response } = message as { response: NodeJS.EventEmitter };
    response.once('close', () => {
      openRequests -= 1;
      steps += 1;
    });
  };
  const onChild = (message: unknown): void => {
    const { process: child } = message as { process: ChildProcess };
    children.add(child);
    child.once('close', () => children.delete(child)).once('error', () => children.delete(child));
  };
  for (const name of STEPS) channel(name).subscribe(onStep);
  for (const name of ['undici:request:create', CONNECTED]) channel(name).subscribe(onSent);
  for (const name of RECEIVED) channel(name).subscribe(onReceived);
  channel('http.server.request.start').subscribe(onRequest);
  channel('child_process').subscribe(onChild);

  // Threads reply to each message with an id, to several of them in one message. A thread that ends does not reply any more.
  const { postMessage } = Worker.prototype;
  const awaited = new Map<Worker, number>();
  const add = (thread: Worker, count: number): void => {
    if (awaited.has(thread)) awaited.set(thread, awaited.get(thread)! + count);
  };
  Worker.prototype.postMessage = function post(this: Worker, ...message: Parameters<Worker['postMessage']>) {
    const hasEnded = this.threadId < 0;
    if (typeof (message[0] as { id?: unknown }).id === 'number' && !hasEnded) {
      if (!awaited.has(this)) {
        awaited.set(this, 0);
        this.on('message', (replies: readonly unknown[]) => add(this, -replies.length));
        this.once('exit', () => awaited.delete(this));
      }
      add(this, 1);
    }
    return postMessage.apply(this, message);
  };

  const { _transform: transform } = zlibStream;
  zlibStream._transform = function count(this: ZlibStream, chunk, encoding, done) {
    inflating.add(this);
    const end = (): void => void inflating.delete(this);
    // A destroyed stream never finishes its chunk.
    this.once('close', end);
    transform.call(this, chunk, encoding, (...result) => {
      this.off('close', end);
      end();
      done(...result);
    });
  };
  /** The body of a response that is not read is decoded until the stream is full. */
  const isFull = ({ readableLength, readableHighWaterMark, destroyed }: ZlibStream): boolean =>
    destroyed || readableLength >= readableHighWaterMark;

  const isBusy = (): boolean =>
    [...awaited.values()].some((count) => count > 0) ||
    [...inflating].some((stream) => !isFull(stream)) ||
    children.size > 0 ||
    postgres.isBusy() ||
    process.getActiveResourcesInfo().some((resource) => isPending(resource));

  return {
    async untilIdle() {
      let movedAt = performance.now();
      let turns = 0;
      for (let idle = 0; idle < (openRequests + sent.size > 0 ? IDLE_TURNS_IN_REQUEST : IDLE_TURNS); ) {
        const before = steps;
        await turn();
        turns += 1;
        if (steps !== before) {
          movedAt = performance.now();
          turns = 0;
        }
        const between = [...sent.values()].filter(connections.isInKernel).length;
        stuck = Math.min(stuck, between);
        const hasLooked = turns >= KERNEL_TURNS && performance.now() - movedAt > KERNEL_TIMEOUT_MS;
        if (between > stuck && hasLooked) stuck = between;
        if (between > stuck || isBusy()) {
          idle = 0;
          await sleep(children.size > 0 ? 5 : 0);
        } else idle = steps === before ? idle + 1 : 0;
      }
    },
    close() {
      for (const name of STEPS) channel(name).unsubscribe(onStep);
      for (const name of ['undici:request:create', CONNECTED]) channel(name).unsubscribe(onSent);
      connections.close();
      for (const name of RECEIVED) channel(name).unsubscribe(onReceived);
      channel('http.server.request.start').unsubscribe(onRequest);
      channel('child_process').unsubscribe(onChild);
      postgres.close();
      Worker.prototype.postMessage = postMessage;
      zlibStream._transform = transform;
    },
  };
}
