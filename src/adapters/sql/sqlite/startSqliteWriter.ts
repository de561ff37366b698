// SPDX-License-Identifier: Apache-2.0
// The side of the writer thread (sqliteWriter.mjs) in the thread that serves requests. Writes are sent to it in groups, because
// each message wakes the thread and each group is one commit, whatever its size.
import { Worker } from 'node:worker_threads';
import { withoutUndefined } from '../../../invariant.ts';
import type { Timer, Timers } from '../../../time/clock.ts';

export type Statement = {
  readonly sql: string;
  readonly parameters: readonly unknown[];
  /** Skipped if the statement before it in the batch has changed no row. */
  readonly needsChange?: true;
  /** The batch fails if it changes no row. */
  readonly mustChange?: true;
};
export type StatementResult = { readonly rows: readonly unknown[]; readonly changes: number };

/** `release` frees pages, `checkpoint` truncates the file. */
type Maintenance = 'release' | 'checkpoint';

export type SqliteWriter = ReturnType<typeof startSqliteWriter>;

type WriterDeps = {
  readonly writer: URL | undefined;
  readonly workerData: { readonly path: string; readonly busyTimeout: number; readonly journalLimit: number };
  /** Turns an error of a write into the one that callers receive. */
  readonly translate: (error: unknown) => unknown;
  /** The timers of the system. Without them, no write waits for others: the wait would depend on the machine. */
  readonly timers: Timers | undefined;
  /** Called when the thread has ended after `close`. */
  readonly onClose: () => void;
};

/** The writer thread has ended; whether its last writes are on disk is unknown. */
class WriterEnded extends Error {
  readonly code = 'WRITER_ENDED';
}

type Caller = {
  readonly mayWait: boolean;
  resolve(results: StatementResult[]): void;
  reject(error: Error): void;
};
/** What the writer thread does for one call, in the order of the calls. */
type WriterRequest =
  | { readonly batch: readonly Statement[] }
  | { readonly task: Maintenance | 'copy'; readonly argument?: unknown };
type WriterResponse =
  | { readonly results: StatementResult[] }
  | { readonly error: { readonly message: string; readonly code?: string; readonly statement?: number } };
/** `id`: of the message that contained the requests. The virtual clock of tests waits for messages with ids (watchActivity.ts). */
type WriterMessage = readonly [{ readonly id: number; readonly responses: readonly WriterResponse[] }];

/** The error of a statement that must change a row and does not. */
export const unchanged = (): Error =>
  Object.assign(new Error('A statement has changed nothing'), { code: 'UNCHANGED' });

const WRITER = new URL('./sqliteWriter.mjs', import.meta.url);
/** The delay before a writer thread that has ended is replaced. */
const RESTART_DELAY_MS = 1000;
/** Requests in one message. Copying more would delay requests of viewers, and save nothing. */
const MAX_REQUESTS = 64;
/** A compiled query of Kysely has more fields, some of which cannot be sent to a thread. */
const copyOf = ({ sql, parameters, needsChange, mustChange }: Statement): Statement =>
  needsChange || mustChange
    ? { ...withoutUndefined({ needsChange, mustChange }), sql, parameters }
    : { sql, parameters };

function settle({ resolve, reject }: Caller, response: WriterResponse | undefined): void {
  if (response !== undefined && 'results' in response) resolve(response.results);
  else {
    const { message, ...facts } = response?.error ?? { message: 'The writer thread has not responded to a request' };
    reject(Object.assign(new Error(message), facts));
  }
}

export function startSqliteWriter({ writer = WRITER, workerData, translate, timers, onClose }: WriterDeps) {
  /** Requests that were not sent yet. */
  let queue: { readonly request: WriterRequest; readonly caller: Caller }[] = [];
  /** The callers of each message without a response. */
  let sent: (readonly Caller[])[] = [];
  let next = 0;
  let postedAt = Number.NEGATIVE_INFINITY;
  /** When the queue is to be sent. */
  let dueAt = Number.POSITIVE_INFINITY;
  let gathering: Timer | undefined;
  let isImminent = false;
  let ended: { readonly error: Error; readonly at: number } | undefined;
  let thread = start();
  let isClosed = false;

  function start(): Worker {
    const started = new Worker(writer, { workerData, execArgv: [] });
    started.on('error', (error) => onEnd(started, error));
    started.on('exit', () => onEnd(started, undefined));
    started.on('message', onMessage);
    started.unref();
    return started;
  }

  function onMessage([{ responses }]: WriterMessage): void {
    const callers = sent.shift() ?? [];
    if (queue.length > 0) arrange();
    else if (sent.length === 0) thread.unref();
    const settled = callers.map((caller, index) => ({
      mayWait: caller.mayWait,
      settle: () => settle(caller, responses[index]),
    }));
    settleInTurns(settled, timers);
  }

  function post(): void {
    gathering?.cancel();
    const some = queue.slice(0, MAX_REQUESTS);
    queue = queue.slice(MAX_REQUESTS);
    sent.push(some.map(({ caller }) => caller));
    postedAt = timers?.elapsed() ?? 0;
    dueAt = queue.length > 0 ? postedAt : Number.POSITIVE_INFINITY;
    thread.postMessage({ id: next++, requests: some.map(({ request }) => request) });
  }

  /** One message at a time: what is written while the thread is busy is sent together. */
  function arrange(): void {
    if (sent.length > 0 || isImminent || queue.length === 0) return;
    gathering?.cancel();
    const wait = timers === undefined ? 0 : dueAt - timers.elapsed();
    if (wait > 0) {
      gathering = timers?.after(wait, arrange);
      return;
    }
    isImminent = true;
    // Requests of the same turn of the event loop are sent together.
    setImmediate(() => {
      isImminent = false;
      if (queue.length > 0) post();
    });
  }

  /** As after a lost connection, it is unknown whether the pending writes are on disk. */
  function onEnd(finished: Worker, cause: unknown): void {
    if (finished !== thread) return;
    ended ??= {
      error: new WriterEnded('The writer thread of the database has ended.', { cause }),
      at: performance.now(),
    };
    for (const { reject } of [...sent.flat(), ...queue.map(({ caller }) => caller)]) reject(ended.error);
    sent = [];
    queue = [];
    dueAt = Number.POSITIVE_INFINITY;
    gathering?.cancel();
  }

  function restart(): void {
    if (isClosed || ended === undefined || performance.now() - ended.at < RESTART_DELAY_MS) return;
    ended = undefined;
    thread = start();
  }

  const send = (request: WriterRequest, mayWaitMs = 0): Promise<StatementResult[]> =>
    new Promise((resolve, reject) => {
      restart();
      if (ended) return reject(ended.error);
      queue.push({ request, caller: { mayWait: mayWaitMs > 0, resolve, reject } });
      thread.ref();
      // After a pause without messages, even a write that may wait is sent at once.
      const due = mayWaitMs === 0 || timers === undefined ? 0 : postedAt + mayWaitMs;
      if (due >= dueAt) return;
      dueAt = due;
      arrange();
    });

  return {
    /**
     * Writes the batch in one transaction.
     * @param mayWaitMs how long the write may wait for others that are committed together with it: most of the cost of a commit does
     * not depend on its size. By default, it is sent at once.
     */
    write: (batch: readonly Statement[], mayWaitMs?: number): Promise<StatementResult[]> =>
      send({ batch: batch.map(copyOf) }, mayWaitMs).catch((error: unknown) => {
        throw translate(error);
      }),
    /** Maintains the file between two groups of writes. Does nothing for `:memory:`. A failure here is not a fault of writing. */
    maintain: async (task: Maintenance, pages?: number): Promise<void> => void (await send({ task, argument: pages })),
    /** Writes a consistent copy to a new file, while other connections read and write. The log grows meanwhile. */
    copy: async (to: string): Promise<void> => void (await send({ task: 'copy', argument: to })),
    close: (): Promise<void> =>
      new Promise((resolve) => {
        isClosed = true;
        const finish = () => {
          onClose();
          resolve();
        };
        if (ended) return finish();
        thread.ref();
        thread.once('exit', finish);
        while (queue.length > 0) post();
        thread.postMessage('close');
      }),
  };
}

// Spreads what follows from a group of writes over turns of the event loop, so that requests of viewers are served in between.

type Settled = {
  /** The caller has waited for others, and may wait longer. */
  readonly mayWait: boolean;
  readonly settle: () => void;
};

const CALLERS_IN_TURN = 2;
/** Milliseconds between the turns of those that may wait: otherwise the ad requests of many viewers would be sent at once. */
const TURN_MS = 2;

/** @param timers without them, all callers continue in their order */
export function settleInTurns(callers: readonly Settled[], timers: Timers | undefined): void {
  if (timers === undefined) {
    takeTurns(callers, setImmediate);
    return;
  }
  takeTurns(
    callers.filter(({ mayWait }) => !mayWait),
    setImmediate,
  );
  takeTurns(
    callers.filter(({ mayWait }) => mayWait),
    (next) => timers.after(TURN_MS, next),
  );
}

function takeTurns(callers: readonly Settled[], later: (next: () => void) => unknown, from = 0): void {
  const to = from + CALLERS_IN_TURN;
  for (const { settle } of callers.slice(from, to)) settle();
  if (to < callers.length) later(() => takeTurns(callers, later, to));
}
