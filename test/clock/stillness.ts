// Whether anything is under way in this process: requests, files, the thread that writes the database, programs that it
// started. Seen from outside, by Node's diagnostics channels, so that the product need not report anything.
import type { ChildProcess } from 'node:child_process';
import { channel } from 'node:diagnostics_channel';
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { createGunzip } from 'node:zlib';

/** Each of these is a step of a request, sent or answered by this process. */
const STEPS = [
  'undici:request:create',
  'undici:request:bodySent',
  'undici:request:headers',
  'undici:request:trailers',
  'undici:request:error',
  'http.server.request.start',
  'http.server.response.finish',
];
/** The client has the whole answer, or gave it up. */
const RECEIVED = ['undici:request:trailers', 'undici:request:error'];
/** Turns of the event loop in which nothing happens, after which nothing more will happen by itself. */
const CALM = 4;
/**
 * As many while a request is open. Both of its ends are in this process, so each turn brings it forward; one that moves no
 * more waits for the clock, at one end or the other.
 */
const CALM_IN_REQUEST = 40;
/**
 * Milliseconds for what is between the ends of a connection, in the kernel's hands: to connect, to deliver a request, an
 * answer or a reset. What has not arrived by then, a body that is never read for one, is not waited for again.
 */
const PATIENCE = 1000;

/** Files that are read or written, and names that are looked up, in Node's other threads. */
const isPending = (resource: string): boolean => /^(FS|FileHandle|GetAddrInfo)/.test(resource);

type Unpacking = NodeJS.ReadWriteStream & {
  _transform(chunk: unknown, encoding: unknown, done: (...result: unknown[]) => void): void;
};
/** What all streams of zlib share: they work in Node's other threads. */
const unpacker = ((): Unpacking => {
  let shared = Object.getPrototypeOf(createGunzip());
  while (!Object.hasOwn(shared, '_transform')) shared = Object.getPrototypeOf(shared);
  return shared;
})();

export type Activity = {
  untilStill(): Promise<void>;
  close(): void;
};

export function watchActivity(): Activity {
  let steps = 0;
  let openRequests = 0;
  const sent = new Set<unknown>();
  let stuck = 0;
  let writes = 0;
  let unpacking = 0;
  const children = new Set<ChildProcess>();

  const onStep = (_: unknown, name: string | symbol): void => {
    steps += 1;
    if (name === 'http.server.request.start') openRequests += 1;
  };
  const onSent = (message: unknown): void => void sent.add((message as { request: unknown }).request);
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
  channel('undici:request:create').subscribe(onSent);
  for (const name of RECEIVED) channel(name).subscribe(onReceived);
  channel('http.server.request.start').subscribe(onRequest);
  channel('child_process').subscribe(onChild);

  // The writer of the database answers each message that has a number, some of them together.
  const { postMessage } = Worker.prototype;
  const known = new WeakSet<Worker>();
  Worker.prototype.postMessage = function post(this: Worker, ...message: Parameters<Worker['postMessage']>) {
    if (typeof (message[0] as { id?: unknown }).id === 'number') {
      writes += 1;
      if (!known.has(this)) this.on('message', (answers: readonly unknown[]) => (writes -= answers.length));
      known.add(this);
    }
    return postMessage.apply(this, message);
  };

  const { _transform: transform } = unpacker;
  unpacker._transform = function count(this: Unpacking, chunk, encoding, done) {
    unpacking += 1;
    let isOver = false;
    const end = (): void => {
      if (!isOver) unpacking -= 1;
      isOver = true;
    };
    // A stream that is given up never finishes its chunk.
    this.once('close', end);
    transform.call(this, chunk, encoding, (...result) => {
      this.off('close', end);
      end();
      done(...result);
    });
  };

  const isBusy = (): boolean =>
    writes > 0 ||
    unpacking > 0 ||
    children.size > 0 ||
    process.getActiveResourcesInfo().some((resource) => isPending(resource));

  return {
    async untilStill() {
      let movedAt = performance.now();
      for (let calm = 0; calm < (openRequests > 0 ? CALM_IN_REQUEST : CALM); ) {
        const before = steps;
        await turn();
        if (steps !== before) movedAt = performance.now();
        // A client that waits for more than any server works on: both ends are in this process.
        const between = sent.size - openRequests;
        stuck = Math.min(stuck, Math.max(0, between));
        if (between > stuck && performance.now() - movedAt > PATIENCE) stuck = between;
        if (between > stuck || isBusy()) {
          calm = 0;
          await sleep(children.size > 0 ? 5 : 0);
        } else calm = steps === before ? calm + 1 : 0;
      }
    },
    close() {
      for (const name of STEPS) channel(name).unsubscribe(onStep);
      channel('undici:request:create').unsubscribe(onSent);
      for (const name of RECEIVED) channel(name).unsubscribe(onReceived);
      channel('http.server.request.start').unsubscribe(onRequest);
      channel('child_process').unsubscribe(onChild);
      Worker.prototype.postMessage = postMessage;
      unpacker._transform = transform;
    },
  };
}
