// SPDX-License-Identifier: Apache-2.0
// Parses ad responses and bid responses without delaying the viewers of this process: small ones immediately, large ones in a thread
// (adResponseThread.ts). The thread limits the size of its results, so receiving them is fast too. The formats
// themselves are in src/vast/read.
import { Worker } from 'node:worker_threads';
import type { AdResponseReader } from '../../ads/request/ports.ts';
import type { BidsRead } from '../../openrtb/auction.ts';
import type { BidReader } from '../../openrtb/ports.ts';
import { bidText, readBidResponse } from '../../openrtb/readBidResponse.ts';
import type { Timer, Timers } from '../../time/clock.ts';
import { type ParsedAdResponse, readAdResponse } from '../../vast/read/readAdResponse.ts';
import { systemTimers } from '../systemClock.ts';
import type { ThreadRequest, ThreadResponse, ThreadWork } from './adResponseThread.ts';

type AdResponseReaderOptions = {
  readonly maxUrls: number;
  readonly timers?: Timers;
  /** Responses of at most this many bytes are parsed without the thread. */
  readonly smallBytes?: number;
  /** How long the thread may take for a response, including the wait for earlier ones. */
  readonly timeoutMs?: number;
  /** The thread's heap limit. */
  readonly memoryMib?: number;
};

export type ThreadedAdResponseReader = AdResponseReader & BidReader & { close(): Promise<void> };

/** Parsing this many bytes takes a few milliseconds at most. */
const SMALL_BYTES = 16 * 1024;
/** JSON is parsed faster than XML: a bid response is small up to so many times the size. */
const SMALL_JSON_TIMES = 4;
/** Small responses read in one turn of the event loop. */
const BYTES_IN_TURN = 16 * 1024;
const READ_TIMEOUT_MS = 10_000;
/** Responses in the thread at once; the exchange limits the size of each. */
const MAX_WAITING = 64;
/** Characters of JSON per result: this thread parses it again, and the break's record stores its ads. */
const MAX_CHARACTERS = 1_000_000;

type Waiting = {
  readonly succeed: (json: string) => void;
  readonly fail: (reason: string) => void;
  readonly timer: Timer;
};

const bidsNotRead = (reason: string): BidsRead => ({ kind: 'unreadable', reason });
const notRead = (reason: string): ParsedAdResponse => ({
  document: { line: 1, fault: 'NOT_READ', reason, code: 900 },
  raw: '',
});

export function createAdResponseReader(options: AdResponseReaderOptions): ThreadedAdResponseReader {
  const {
    maxUrls,
    timers = systemTimers,
    smallBytes = SMALL_BYTES,
    timeoutMs = READ_TIMEOUT_MS,
    memoryMib = 256,
  } = options;
  const turns = createReadingTurns(BYTES_IN_TURN);
  const waiting = new Map<number, Waiting>();
  const received: ThreadResponse[] = [];
  let thread: Worker | undefined;
  let next = 0;
  /** When the thread last sent a result, or received a request while it was idle. */
  let activeAt = 0;

  function settle(id: number, by: (one: Waiting) => void): void {
    const one = waiting.get(id);
    waiting.delete(id);
    one?.timer.cancel();
    if (one) by(one);
    if (waiting.size === 0) thread?.unref();
  }

  /** The port may deliver several results at once; each is parsed in its own turn of the event loop. */
  function onResults(results: readonly ThreadResponse[]): void {
    activeAt = timers.elapsed();
    if (received.length === 0) setImmediate(parseNext);
    received.push(...results);
  }

  function parseNext(): void {
    const result = received.shift();
    if (received.length > 0) setImmediate(parseNext);
    if (result !== undefined) settle(result.id, ({ succeed }) => succeed(result.json));
  }

  /** The thread ran out of memory or was terminated; its requests are lost, and the next one starts a new thread. */
  function onEnd(ended: Worker): void {
    if (thread !== ended) return;
    thread = undefined;
    const reason = 'it could not be read: the reader thread has ended';
    for (const id of [...waiting.keys()]) settle(id, ({ fail }) => fail(reason));
  }

  function start(): Worker {
    const started = new Worker(new URL('./adResponseThread.mjs', import.meta.url), {
      workerData: { maxUrls, maxCharacters: MAX_CHARACTERS },
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: memoryMib },
    });
    started.on('message', onResults);
    started.on('error', () => onEnd(started));
    started.on('exit', () => onEnd(started));
    return started;
  }

  function onTimeout(id: number): void {
    const others = waiting.size - 1;
    const reason = `it was not read within ${timeoutMs} ms; ${others} other responses were waiting`;
    settle(id, ({ fail }) => fail(reason));
    if (timers.elapsed() - activeAt < timeoutMs) return;
    const hung = thread;
    if (hung === undefined) return;
    onEnd(hung);
    void hung.terminate();
  }

  /** @param failed the result if the work is not done */
  function readInThread<Read>(work: ThreadWork, failed: (reason: string) => Read): Promise<Read> {
    if (waiting.size >= MAX_WAITING)
      return Promise.resolve(failed(`it was not read: ${waiting.size} other responses are waiting`));
    thread ??= start();
    const reading = thread;
    if (waiting.size === 0) activeAt = timers.elapsed();
    const id = next++;
    reading.ref();
    return new Promise((resolve) => {
      waiting.set(id, {
        succeed: (json) => resolve(JSON.parse(json) as Read),
        fail: (reason) => resolve(failed(reason)),
        timer: timers.after(timeoutMs, () => onTimeout(id)),
      });
      reading.postMessage({ id, ...work } satisfies ThreadRequest);
    });
  }

  return {
    maxUrls,
    async read({ url, bytes, contentType }) {
      const { length } = bytes;
      if (length > smallBytes) return readInThread({ kind: 'ads', url, bytes, contentType }, notRead);
      const turn = turns(length);
      if (turn !== undefined) await turn;
      return readAdResponse({ url, bytes, contentType }, { maxUrls });
    },
    async readBids(bytes, auction) {
      if (bytes.length > SMALL_JSON_TIMES * smallBytes)
        return readInThread({ kind: 'bids', bytes, auction }, bidsNotRead);
      const turn = turns(bytes.length / SMALL_JSON_TIMES);
      if (turn !== undefined) await turn;
      return readBidResponse(bidText(bytes), auction);
    },
    async close() {
      await thread?.terminate();
    },
  };
}

// Spreads the reading of ad responses over turns of the event loop, so that requests of viewers are served in between when many
// responses arrive at once.

type WaitingTurn = { readonly bytes: number; readonly resume: () => void };

/** @param maxBytes read in one turn. A larger response has a turn of its own */
export function createReadingTurns(maxBytes: number) {
  const line: WaitingTurn[] = [];
  let read = 0;
  let isScheduled = false;

  const fits = (bytes: number): boolean => read === 0 || read + bytes <= maxBytes;

  function count(bytes: number): void {
    read += bytes;
    if (isScheduled) return;
    isScheduled = true;
    setImmediate(nextTurn);
  }

  function nextTurn(): void {
    isScheduled = false;
    read = 0;
    for (let [first] = line; first !== undefined && fits(first.bytes); [first] = line) {
      line.shift();
      count(first.bytes);
      first.resume();
    }
  }

  /** @returns a promise until it is the turn of a response of this size; undefined if it may be read at once */
  return (bytes: number): Promise<void> | undefined => {
    if (line.length > 0 || !fits(bytes)) return new Promise((resume) => line.push({ bytes, resume }));
    count(bytes);
    return undefined;
  };
}
