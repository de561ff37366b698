// SPDX-License-Identifier: Apache-2.0
// One SQLite file: reads run synchronously in this thread; writes go to the writer thread (sqliteWriter.mjs), which
// owns the only writing connection. A write is on disk when its promise resolves: WAL with `synchronous = FULL`.
import { Worker } from 'node:worker_threads';
import Database from 'better-sqlite3';
import { createFaultMemory, type FaultMemory } from './storageFault.ts';

export type Statement = { readonly sql: string; readonly parameters: readonly unknown[] };
export type StatementResult = { readonly rows: readonly unknown[]; readonly changes: number };

export type SqliteFile = {
  /** For synchronous reads. A write through it would block this thread until it is on disk. */
  readonly handle: Database.Database;
  /** Runs synchronously on `handle`; for reads and migrations. */
  run(statement: Statement): StatementResult;
  isRead(sql: string): boolean;
  /** Writes the batch in one transaction. */
  write(batch: readonly Statement[]): Promise<StatementResult[]>;
  /** Maintains the file between two groups of writes. Does nothing for `:memory:`. */
  maintain(task: Maintenance, pages?: number): Promise<void>;
  /** Writes a consistent copy to a new file, while other connections read and write. The log grows meanwhile. */
  copy(path: string): Promise<void>;
  close(): Promise<void>;
};

/**
 * `release` frees pages, `checkpoint` truncates the file, `rebuild` makes a file of an older version able to shrink.
 */
export type Maintenance = 'release' | 'checkpoint' | 'rebuild';

/** Bytes to which the write-ahead log is truncated after a checkpoint; without a limit it never becomes shorter. */
const JOURNAL_LIMIT = 16 * 1024 * 1024;
const BUSY_TIMEOUT_MS = 10_000;
const STATEMENT_LIMIT = 500;

/** The writer thread has ended; whether its last writes are on disk is unknown. */
class WriterEnded extends Error {
  readonly code = 'WRITER_ENDED';
}

/** The delay before a writer thread that has ended is replaced. */
const RESTART_DELAY_MS = 1000;
const WRITER = new URL('./sqliteWriter.mjs', import.meta.url);

type Waiting = { resolve(results: StatementResult[]): void; reject(error: Error): void };
/** What the writer thread does for one call, in the order of the calls. */
type WriterRequest =
  | { readonly batch: readonly Statement[] }
  | { readonly task: Maintenance | 'copy'; argument?: unknown };
type WriterResponse = { results?: StatementResult[]; error?: { message: string; code?: string } };
/** `id`: of the message that contained the requests. */
type WriterResponses = readonly [{ readonly id: number; readonly responses: readonly WriterResponse[] }];

/** Requests in one message. */
const MAX_REQUESTS = 1000;

/**
 * Faults of the database itself are thrown as UNAVAILABLE with a reason (storageFault.ts).
 * @param path a file, or `:memory:`, which has no writer thread
 */
export function openSqliteFile(
  path: string,
  faults: FaultMemory = createFaultMemory(),
  writer: URL = WRITER,
): SqliteFile {
  const handle = new Database(path, { timeout: BUSY_TIMEOUT_MS });
  // Only an empty file accepts this setting. On any other file the pragma causes a write, which fails on a full disk;
  // sqliteShrinker.ts rebuilds files of older versions.
  if (handle.pragma('page_count', { simple: true }) === 0) handle.pragma('auto_vacuum = INCREMENTAL');
  handle.pragma('journal_mode = WAL');
  handle.pragma('synchronous = FULL');
  handle.pragma(`journal_size_limit = ${JOURNAL_LIMIT}`);
  const statements = new Map<string, Database.Statement>();

  function prepare(sql: string): Database.Statement {
    let statement = statements.get(sql);
    if (!statement) {
      if (statements.size >= STATEMENT_LIMIT) statements.clear();
      statement = handle.prepare(sql);
      statements.set(sql, statement);
    }
    return statement;
  }

  function run({ sql, parameters }: Statement): StatementResult {
    const statement = prepare(sql);
    if (statement.reader) return { rows: statement.all(...parameters), changes: 0 };
    return { rows: [], changes: statement.run(...parameters).changes };
  }

  const translated = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      throw faults.translate(error);
    }
  };
  const direct = {
    handle,
    run: (statement: Statement) => translated(() => run(statement)),
    isRead: (sql: string) => translated(() => prepare(sql).readonly),
    write: async (batch: readonly Statement[]) =>
      translated(() => handle.transaction(() => batch.map(run)).immediate()),
    maintain: async () => {},
    copy: async (to: string) => void handle.prepare('VACUUM INTO ?').run(to),
    close: async () => void handle.close(),
  };
  return path === ':memory:' ? direct : { ...direct, ...writeInThread(path, writer, faults, () => handle.close()) };
}

function writeInThread(
  path: string,
  writer: URL,
  faults: FaultMemory,
  closeHandle: () => void,
): Pick<SqliteFile, 'write' | 'maintain' | 'copy' | 'close'> {
  const workerData = { path, busyTimeout: BUSY_TIMEOUT_MS, journalLimit: JOURNAL_LIMIT };
  /** Requests that were not sent yet. */
  let queue: { readonly request: WriterRequest; readonly caller: Waiting }[] = [];
  /** The callers of each message without a response. */
  let sent: Waiting[][] = [];
  let isScheduled = false;
  let next = 0;
  let ended: { readonly error: Error; readonly at: number } | undefined;
  let worker = start();
  let isClosed = false;

  function start(): Worker {
    const started = new Worker(writer, { workerData, execArgv: [] });
    started.on('error', (error) => onEnd(started, error));
    started.on('exit', () => onEnd(started, undefined));
    started.on('message', onResponses);
    started.unref();
    return started;
  }

  function onResponses([{ responses }]: WriterResponses): void {
    const callers = sent.shift()!;
    // Before the callers: what they write next joins the requests after these.
    if (queue.length > 0 && sent.length === 0) post();
    if (sent.length === 0) worker.unref();
    for (const [index, { resolve, reject }] of callers.entries()) {
      const { results, error } = responses[index]!;
      if (error) reject(Object.assign(new Error(error.message), { code: error.code }));
      else resolve(results!);
    }
  }

  /** One message at a time: what is written while the thread is busy is sent together, because each message costs a wake-up. */
  function post(): void {
    const some = queue.slice(0, MAX_REQUESTS);
    queue = queue.slice(MAX_REQUESTS);
    sent.push(some.map(({ caller }) => caller));
    worker.postMessage({ id: next++, requests: some.map(({ request }) => request) });
  }

  /** As after a lost connection, it is unknown whether the pending writes are on disk. */
  function onEnd(thread: Worker, cause: unknown): void {
    if (thread !== worker) return;
    ended ??= {
      error: new WriterEnded('The writer thread of the database has ended.', { cause }),
      at: performance.now(),
    };
    for (const { reject } of [...sent.flat(), ...queue.map(({ caller }) => caller)]) reject(ended.error);
    sent = [];
    queue = [];
  }

  function restart(): void {
    if (isClosed || ended === undefined || performance.now() - ended.at < RESTART_DELAY_MS) return;
    ended = undefined;
    worker = start();
  }

  /** Requests of the same turn of the event loop are sent together. */
  function postSoon(): void {
    isScheduled = false;
    if (sent.length === 0 && queue.length > 0) post();
  }

  const send = (request: WriterRequest): Promise<StatementResult[]> =>
    new Promise((resolve, reject) => {
      restart();
      if (ended) return reject(ended.error);
      queue.push({ request, caller: { resolve, reject } });
      worker.ref();
      if (sent.length > 0 || isScheduled) return;
      isScheduled = true;
      setImmediate(postSoon);
    });
  return {
    write: (batch) =>
      send({ batch: batch.map(({ sql, parameters }) => ({ sql, parameters })) }).catch((error: unknown) => {
        throw faults.translate(error);
      }),
    // A failure here is not a fault of writing: a rebuild needs disk space that writes do not need.
    maintain: async (task, pages) => void (await send({ task, argument: pages })),
    copy: async (to) => void (await send({ task: 'copy', argument: to })),
    close: () =>
      new Promise((resolve) => {
        isClosed = true;
        const finish = () => {
          closeHandle();
          resolve();
        };
        if (ended) return finish();
        worker.ref();
        worker.once('exit', finish);
        while (queue.length > 0) post();
        worker.postMessage('close');
      }),
  };
}
