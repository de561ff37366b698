// One SQLite file: reads are answered at once in this thread, writes go to the thread that owns the writing connection
// (sqliteWriter.mjs). A write is on disk when its promise resolves: WAL with synchronous FULL.
import { Worker } from 'node:worker_threads';
import Database from 'better-sqlite3';

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
  close(): Promise<void>;
};

const BUSY_TIMEOUT_MS = 10_000;
const STATEMENT_LIMIT = 500;

class WriterEnded extends Error {
  readonly code = 'WRITER_ENDED';
}

type Waiting = { resolve(results: StatementResult[]): void; reject(error: Error): void };
type Answer = { id: number; results?: StatementResult[]; error?: { message: string; code?: string } };

/** @param path a file, or `:memory:`, which lives in this thread alone */
export function openSqliteFile(path: string): SqliteFile {
  const handle = new Database(path, { timeout: BUSY_TIMEOUT_MS });
  handle.pragma('journal_mode = WAL');
  handle.pragma('synchronous = FULL');
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

  const here = {
    handle,
    run,
    isRead: (sql: string) => prepare(sql).readonly,
    write: async (batch: readonly Statement[]) => handle.transaction(() => batch.map(run)).immediate(),
    close: async () => void handle.close(),
  };
  return path === ':memory:' ? here : { ...here, ...writeInThread(path, () => handle.close()) };
}

function writeInThread(path: string, closeHandle: () => void): Pick<SqliteFile, 'write' | 'close'> {
  const workerData = { path, busyTimeout: BUSY_TIMEOUT_MS };
  const worker = new Worker(new URL('./sqliteWriter.mjs', import.meta.url), { workerData, execArgv: [] });
  const waiting = new Map<number, Waiting>();
  let next = 0;
  let gone: Error | undefined;

  function fail(error: Error) {
    gone ??= error;
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
  }
  worker.on('error', fail);
  worker.on('exit', () => fail(new WriterEnded('the writer of the database has ended')));
  worker.on('message', (answers: Answer[]) => {
    for (const { id, results, error } of answers) {
      const { resolve, reject } = waiting.get(id)!;
      waiting.delete(id);
      if (error) reject(Object.assign(new Error(error.message), { code: error.code }));
      else resolve(results!);
    }
    if (waiting.size === 0) worker.unref();
  });
  worker.unref();

  return {
    write: (batch) =>
      new Promise((resolve, reject) => {
        if (gone) return reject(gone);
        const id = next++;
        waiting.set(id, { resolve, reject });
        worker.ref();
        worker.postMessage({ id, batch: batch.map(({ sql, parameters }) => ({ sql, parameters })) });
      }),
    close: () =>
      new Promise((resolve) => {
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
