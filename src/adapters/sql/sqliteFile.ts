// One SQLite file: reads are answered at once in this thread, writes go to the thread that owns the writing connection
// (sqliteWriter.mjs). A write is on disk when its promise resolves: WAL with synchronous FULL.
import { Worker } from 'node:worker_threads';
import Database from 'better-sqlite3';
import { createFaultMemory, type FaultMemory } from './storageFault.ts';

export type Statement = { readonly sql: string; readonly parameters: readonly unknown[] };
export type StatementResult = { readonly rows: readonly unknown[]; readonly changes: number };

export type SqliteFile = {
  /** For reads without waiting. A write through it waits for the disk, and everybody with it. */
  readonly handle: Database.Database;
  /** Runs at once on `handle`; for reads, and for migrations. */
  run(statement: Statement): StatementResult;
  isRead(sql: string): boolean;
  /** All of the batch or nothing of it. */
  write(batch: readonly Statement[]): Promise<StatementResult[]>;
  /** Does something for the file itself between two groups of writes; in memory there is nothing to do. */
  maintain(task: Maintenance, pages?: number): Promise<void>;
  close(): Promise<void>;
};

/** `release` gives free pages back, `checkpoint` lets the file become shorter, `rebuild` makes a file of before able to. */
export type Maintenance = 'release' | 'checkpoint' | 'rebuild';

/** Bytes to which the write-ahead log is cut after a checkpoint: without a limit it stays as long as it ever was. */
const JOURNAL_LIMIT = 16 * 1024 * 1024;
const BUSY_TIMEOUT_MS = 10_000;
const STATEMENT_LIMIT = 500;

class WriterEnded extends Error {
  readonly code = 'WRITER_ENDED';
}

/** Milliseconds after which a thread that has ended is replaced. */
const REPLACED_AFTER = 1000;
const WRITER = new URL('./sqliteWriter.mjs', import.meta.url);

type Waiting = { resolve(results: StatementResult[]): void; reject(error: Error): void };
type Answer = { id: number; results?: StatementResult[]; error?: { message: string; code?: string } };

/**
 * What it throws and rejects with is UNAVAILABLE, with the reason, where it is the store that does not work.
 * @param path a file, or `:memory:`, which lives in this thread alone
 */
export function openSqliteFile(
  path: string,
  faults: FaultMemory = createFaultMemory(),
  writer: URL = WRITER,
): SqliteFile {
  const handle = new Database(path, { timeout: BUSY_TIMEOUT_MS });
  // Only a file without a page can take it, and any other is written for it, which a full disk refuses; sqliteShrink.ts
  // sees to those of before.
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

  const noted = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      throw faults.note(error);
    }
  };
  const here = {
    handle,
    run: (statement: Statement) => noted(() => run(statement)),
    isRead: (sql: string) => noted(() => prepare(sql).readonly),
    write: async (batch: readonly Statement[]) => noted(() => handle.transaction(() => batch.map(run)).immediate()),
    maintain: async () => {},
    close: async () => void handle.close(),
  };
  return path === ':memory:' ? here : { ...here, ...writeInThread(path, writer, faults, () => handle.close()) };
}

function writeInThread(
  path: string,
  writer: URL,
  faults: FaultMemory,
  closeHandle: () => void,
): Pick<SqliteFile, 'write' | 'maintain' | 'close'> {
  const workerData = { path, busyTimeout: BUSY_TIMEOUT_MS, journalLimit: JOURNAL_LIMIT };
  const waiting = new Map<number, Waiting>();
  let next = 0;
  let gone: { readonly error: Error; readonly at: number } | undefined;
  let worker = begin();
  let isClosed = false;

  function begin(): Worker {
    const begun = new Worker(writer, { workerData, execArgv: [] });
    begun.on('error', (error) => fail(begun, error));
    begun.on('exit', () => fail(begun, undefined));
    begun.on('message', (answers: Answer[]) => {
      for (const { id, results, error } of answers) {
        const { resolve, reject } = waiting.get(id)!;
        waiting.delete(id);
        if (error) reject(Object.assign(new Error(error.message), { code: error.code }));
        else resolve(results!);
      }
      if (waiting.size === 0) begun.unref();
    });
    begun.unref();
    return begun;
  }

  /** Whether what was waiting has been written nobody can tell, as with a connection that is lost. */
  function fail(ended: Worker, cause: unknown): void {
    if (ended !== worker) return;
    gone ??= { error: new WriterEnded('the writer of the database has ended', { cause }), at: performance.now() };
    for (const { reject } of waiting.values()) reject(gone.error);
    waiting.clear();
  }

  function replace(): void {
    if (isClosed || gone === undefined || performance.now() - gone.at < REPLACED_AFTER) return;
    gone = undefined;
    worker = begin();
  }

  const send = (message: object): Promise<StatementResult[]> =>
    new Promise((resolve, reject) => {
      replace();
      if (gone) return reject(gone.error);
      const id = next++;
      waiting.set(id, { resolve, reject });
      worker.ref();
      worker.postMessage({ id, ...message });
    });
  return {
    write: (batch) =>
      send({ batch: batch.map(({ sql, parameters }) => ({ sql, parameters })) }).catch((error: unknown) => {
        throw faults.note(error);
      }),
    // What fails here says nothing of writes: a rebuild wants room that they do not.
    maintain: async (task, pages) => void (await send({ task, pages })),
    close: () =>
      new Promise((resolve) => {
        isClosed = true;
        const finish = () => {
          closeHandle();
          resolve();
        };
        if (gone) return finish();
        worker.ref();
        worker.once('exit', finish);
        worker.postMessage('close');
      }),
  };
}
