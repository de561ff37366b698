// SPDX-License-Identifier: Apache-2.0
// One SQLite file: reads run synchronously in this thread; writes go to the writer thread (sqlite/sqliteWriter.mjs), which
// owns the only writing connection. A write is on disk when its promise resolves: WAL with `synchronous = FULL`.
import Database from 'better-sqlite3';
import type { Timers } from '../../time/clock.ts';
import {
  type SqliteWriter,
  type Statement,
  type StatementResult,
  startSqliteWriter,
  unchanged,
} from './sqlite/startSqliteWriter.ts';
import { createFaultMemory, type FaultMemory } from './storageFault.ts';

export type SqliteFile = SqliteWriter & {
  /** For synchronous reads. A write through it would block this thread until it is on disk. */
  readonly handle: Database.Database;
  /** Runs synchronously on `handle`; for reads and migrations. */
  run(statement: Statement): StatementResult;
  isRead(sql: string): boolean;
};

/** Bytes to which the write-ahead log is truncated after a checkpoint; without a limit it never becomes shorter. */
const JOURNAL_LIMIT = 16 * 1024 * 1024;
const BUSY_TIMEOUT_MS = 10_000;
const STATEMENT_LIMIT = 500;

/**
 * Faults of the database itself are thrown as UNAVAILABLE with a reason (storageFault.ts).
 * @param path a file, or `:memory:`, which has no writer thread
 * @param timers measure how long writes wait for others; without them, none waits
 */
export function openSqliteFile(
  path: string,
  faults: FaultMemory = createFaultMemory(),
  timers?: Timers,
  writer?: URL,
): SqliteFile {
  const handle = new Database(path, { timeout: BUSY_TIMEOUT_MS });
  // Only an empty file accepts this setting. On any other file the pragma causes a write, which fails on a full disk.
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

  function runEach(batch: readonly Statement[]): StatementResult[] {
    const results: StatementResult[] = [];
    try {
      for (const statement of batch) {
        const isNeeded = !statement.needsChange || results.at(-1)?.changes !== 0;
        const result = isNeeded ? run(statement) : { rows: [], changes: 0 };
        if (statement.mustChange && result.changes === 0) throw unchanged();
        results.push(result);
      }
      return results;
    } catch (error) {
      throw Object.assign(error as Error, { statement: results.length });
    }
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
      translated(() => handle.transaction(() => runEach(batch)).immediate()),
    maintain: async () => {},
    copy: async (to: string) => void handle.prepare('VACUUM INTO ?').run(to),
    close: async () => void handle.close(),
  };
  if (path === ':memory:') return direct;
  const workerData = { path, busyTimeout: BUSY_TIMEOUT_MS, journalLimit: JOURNAL_LIMIT };
  return {
    ...direct,
    ...startSqliteWriter({ writer, workerData, translate: faults.translate, timers, onClose: () => handle.close() }),
  };
}

/** Pages freed between two writes, and how often in one call of `shrinkSqliteFile`. */
const SLICE_PAGES = 250;
const MAX_SLICES = 80;
/** Bytes, and a share of the file: the larger one stays free for new rows. */
const RESERVED = { bytes: 8 * 2 ** 20, share: 0.05 };

/**
 * Returns unused space of the file to the disk, e.g. after a peak of viewers, a few pages at a time between other writes: SQLite
 * reuses the pages of deleted rows, but shrinks the file only on request.
 */
export async function shrinkSqliteFile(file: SqliteFile, reserved = RESERVED): Promise<void> {
  const read = (pragma: string): number => file.handle.pragma(pragma, { simple: true }) as number;
  const pageSize = read('page_size');
  const surplusPages = (): number =>
    Math.floor(read('freelist_count') - Math.max(reserved.bytes / pageSize, read('page_count') * reserved.share));
  if (surplusPages() <= 0) return;
  for (let slice = 0; slice < MAX_SLICES && surplusPages() > 0; slice += 1)
    await file.maintain('release', Math.min(SLICE_PAGES, surplusPages()));
  await file.maintain('checkpoint');
}
