// Reads the answers of ad servers without holding up the viewers of this process: small ones at once, large ones in a
// thread of its own. What comes back from there is bounded, so taking it in is short as well.
import { Worker } from 'node:worker_threads';
import type { AdResponseReader } from '../../ads/request/ports.ts';
import type { Timer, Timers } from '../../time/clock.ts';
import { type AdResponseBytes, type ParsedAdResponse, readAdResponse } from '../../vast/read/readAdResponse.ts';
import { systemTimers } from '../systemClock.ts';
import type { ReadJson, SentAnswer } from './readAnswers.ts';

export type AnswerReaderOptions = {
  readonly mostUrls: number;
  readonly timers?: Timers;
  /** Bytes; a larger answer goes to the thread. */
  readonly small?: number;
  /** Milliseconds that an answer may wait until it has been read. */
  readonly patienceMs?: number;
  /** Of the thread, MiB. */
  readonly memory?: number;
};

export type ThreadedReader = AdResponseReader & { close(): Promise<void> };

/** Reads in a few milliseconds, at most. */
const SMALL = 32 * 1024;
const PATIENCE_MS = 10_000;
/** Answers that wait at once; each is bounded by the exchange. */
const MOST_WAITING = 64;
/** Characters of JSON: what is parsed again in this thread, and what a break's record may hold of its ads. */
const MOST_CHARACTERS = 1_000_000;

type Waiting = { readonly resolve: (read: ParsedAdResponse) => void; readonly timer: Timer };

const notRead = (reason: string): ParsedAdResponse => ({
  document: { line: 1, fault: 'NOT_READ', reason, code: 900 },
  raw: '',
});

export function createAnswerReader(options: AnswerReaderOptions): ThreadedReader {
  const { mostUrls, timers = systemTimers, small = SMALL, patienceMs = PATIENCE_MS, memory = 256 } = options;
  const waiting = new Map<number, Waiting>();
  const arrived: ReadJson[] = [];
  let worker: Worker | undefined;
  let next = 0;
  /** When the thread last had a sign of life, or was given something to do. */
  let movedAt = 0;

  function settle(id: number, read: ParsedAdResponse): void {
    const one = waiting.get(id);
    waiting.delete(id);
    one?.timer.cancel();
    one?.resolve(read);
    if (waiting.size === 0) worker?.unref();
  }

  /** Each is taken in in a turn of its own: the port may hand over several at once. */
  function onAnswers(answers: readonly ReadJson[]): void {
    movedAt = timers.elapsed();
    if (arrived.length === 0) setImmediate(takeIn);
    arrived.push(...answers);
  }

  function takeIn(): void {
    const { id, json } = arrived.shift()!;
    if (arrived.length > 0) setImmediate(takeIn);
    if (waiting.has(id)) settle(id, JSON.parse(json) as ParsedAdResponse);
  }

  /** It ran out of memory, or was ended because it hung: what it was given is lost, and the next answer starts another. */
  function onEnd(ended: Worker): void {
    if (worker !== ended) return;
    worker = undefined;
    for (const id of [...waiting.keys()]) settle(id, notRead('it could not be read: the reader has ended'));
  }

  function start(): Worker {
    const started = new Worker(new URL('./answerReaderThread.mjs', import.meta.url), {
      workerData: { mostUrls, mostCharacters: MOST_CHARACTERS },
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: memory },
    });
    started.on('message', onAnswers);
    started.on('error', () => onEnd(started));
    started.on('exit', () => onEnd(started));
    return started;
  }

  function giveUp(id: number): void {
    const others = waiting.size - 1;
    settle(id, notRead(`it was not read within ${patienceMs} ms; ${others} others were waiting`));
    if (timers.elapsed() - movedAt < patienceMs) return;
    const hung = worker;
    if (hung === undefined) return;
    onEnd(hung);
    void hung.terminate();
  }

  function readElsewhere({ url, bytes, contentType }: AdResponseBytes): Promise<ParsedAdResponse> {
    if (waiting.size >= MOST_WAITING) return Promise.resolve(notRead(`it was not read: ${waiting.size} others wait`));
    worker ??= start();
    if (waiting.size === 0) movedAt = timers.elapsed();
    const id = next++;
    worker.ref();
    return new Promise((resolve) => {
      waiting.set(id, { resolve, timer: timers.after(patienceMs, () => giveUp(id)) });
      worker!.postMessage({ id, url, bytes, contentType } satisfies SentAnswer);
    });
  }

  return {
    mostUrls,
    read: async (answer) =>
      answer.bytes.length <= small ? readAdResponse(answer, { mostUrls }) : readElsewhere(answer),
    async close() {
      await worker?.terminate();
    },
  };
}
