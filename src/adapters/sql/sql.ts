// SPDX-License-Identifier: Apache-2.0
// Opens the database: SQLite in DATA_DIR, or PostgreSQL when DATABASE_URL is set, with the same behaviour. A write is
// on disk when its promise resolves. Owns connections, transactions and migrations; the `sql…` stores know the tables.
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type Sqlite from 'better-sqlite3';
import { Kysely, PostgresDialect, type QueryExecutorProvider, sql } from 'kysely';
import type { GatherChanges } from '../../channels/ports.ts';
import { AppError } from '../../errors.ts';
import type { Timers } from '../../time/clock.ts';
import { createGathering, type Gathered, runGathered } from './gathered.ts';
import { loadSqlite } from './loadSqlite.ts';
import { observed, observeStatements, type SqlObserver } from './measure/observeSql.ts';
import type { PoolLimits } from './postgresPool.ts';
import type { Schema, SqlKind } from './schema/schema.ts';
import { sqliteDialect } from './sqliteDialect.ts';
import type { SqliteFile } from './sqliteFile.ts';
import { migrate } from './sqlMigrate.ts';
import type { Database } from './sqlSchema.ts';
import type { Change, SqlResult, SqlStatement } from './statement.ts';
import { createFaultMemory, type FaultMemory } from './storageFault.ts';

export type Sql = {
  readonly kind: SqlKind;
  /** For reads and for single statements that write. */
  readonly db: Kysely<Database>;
  /** Runs one statement. Without the layers of Kysely, for statements that are compiled once (compileOnce.ts). */
  run<Row>(statement: SqlStatement<Row>, mayWaitMs?: number): Promise<SqlResult<Row>>;
  /** Runs the statements in one transaction. @returns how many rows each one changed */
  atomically(statements: readonly SqlStatement[], mayWaitMs?: number): Promise<number[]>;
  /**
   * Runs the statements in one transaction.
   * @returns how many rows `statement` changed
   */
  change(change: Change): Promise<number>;
  /** Gathers what `work` changes, for one transaction. Only `change` can write in it. */
  readonly gather: GatherChanges;
  /** What an atomic batch in this asynchronous context has gathered; undefined outside of one. */
  gathered(): Gathered | undefined;
  /** Runs the statements in one transaction. @returns the rows that each one returned */
  atomicRows(statements: readonly SqlStatement[]): Promise<(readonly unknown[])[]>;
  /** SQLite only: the connection of this thread, for synchronous reads. */
  readonly sqlite?: Sqlite.Database;
  /** Returns unused space to the disk. Only for a SQLite file; in PostgreSQL, autovacuum frees space for reuse. */
  readonly shrink?: () => Promise<void>;
  /**
   * Resolves when a test write succeeds.
   * @throws {AppError} UNAVAILABLE with the reason if it fails or a recent write failed
   */
  probe(): Promise<void>;
  /** Resolves when a read succeeds. */
  ping(): Promise<void>;
  close(): Promise<void>;
};

export type SqlSource = {
  readonly DATABASE_URL?: string;
  readonly DATA_DIR: string;
  readonly DATABASE_CONNECT_TIMEOUT_MS?: number;
  readonly DATABASE_STATEMENT_TIMEOUT_MS?: number;
};

const defaultLimits: PoolLimits = { connectMs: 5_000, statementMs: 10_000 };

/** Connections to PostgreSQL of a process with a tracking thread: as many as of one without, divided. */
export const CONNECTIONS = { serving: 7, tracking: 3 } as const;

type SqlOptions = {
  readonly timers?: Timers | undefined;
  /** Connections to PostgreSQL. */
  readonly max?: number | undefined;
  readonly observe?: SqlObserver | undefined;
};

export const openSqlStore = (schema: Schema, source: SqlSource, { timers, max, observe }: SqlOptions): Promise<Sql> =>
  source.DATABASE_URL === undefined
    ? openSqliteStore(schema, source.DATA_DIR, timers, observe)
    : openPostgresStore(
        schema,
        source.DATABASE_URL,
        {
          connectMs: source.DATABASE_CONNECT_TIMEOUT_MS ?? defaultLimits.connectMs,
          statementMs: source.DATABASE_STATEMENT_TIMEOUT_MS ?? defaultLimits.statementMs,
          max,
        },
        observe,
      );

/** The SQLite file in DATA_DIR. */
export const DATABASE_FILE = 'midroll.db';

/** Loaded when it is needed: an installation uses one of the two drivers. */
const loadPostgres = () => import('./postgresPool.ts');

/** The messages of SQLite do not name the file. */
function namingFile<Opened>(path: string, open: () => Opened): Opened {
  try {
    return open();
  } catch (cause) {
    throw new Error(`The database file ${resolve(path)} cannot be opened`, { cause });
  }
}

export async function openSqliteStore(
  schema: Schema,
  folder: string,
  timers?: Timers,
  observe?: SqlObserver,
): Promise<Sql> {
  if (folder !== ':memory:') mkdirSync(folder, { recursive: true });
  const faults = createFaultMemory();
  const path = folder === ':memory:' ? folder : join(folder, DATABASE_FILE);
  const { openSqliteFile, shrinkSqliteFile } = await loadSqlite();
  const file = namingFile(path, () => openSqliteFile(path, faults, timers));
  await migrateSqlite(schema, file);
  /** Writes that are not part of an atomic batch. */
  const alone: typeof file.write = async (batch, mayWaitMs) => {
    gathering.refuse();
    return file.write(batch, mayWaitMs);
  };
  const db = new Kysely<Database>({
    dialect: sqliteDialect({ ...file, write: alone }, 'thread'),
    ...(observe && { log: observeStatements(observe) }),
  });
  const gathering = createGathering(db, (statements) =>
    observed(observe, 'transaction', () =>
      file.write(statements.map(({ query, mustChange }) => (mustChange ? { ...query, mustChange } : query))),
    ),
  );
  const write = (statements: readonly SqlStatement[], mayWaitMs?: number) => {
    const compiled = statements.map((statement) => statement.compile(db));
    return observed(observe, 'transaction', () => alone(compiled, mayWaitMs));
  };
  return {
    kind: 'sqlite',
    db,
    sqlite: file.handle,
    async run<Row>(statement: SqlStatement<Row>, mayWaitMs?: number) {
      const compiled = statement.compile(db);
      const isRead = file.isRead(compiled.sql);
      const run = async () => (isRead ? file.run(compiled) : (await alone([compiled], mayWaitMs))[0]);
      return (await observed(observe, isRead ? 'read' : 'write', run)) as SqlResult<Row>;
    },
    ...(path === ':memory:' ? {} : { shrink: () => shrinkSqliteFile(file) }),
    atomically: async (statements, mayWaitMs) => (await write(statements, mayWaitMs)).map(({ changes }) => changes),
    gather: gathering.gather,
    gathered: gathering.current,
    change: gathering.changing(async (change) => {
      const run = () => file.write(changeBatch(db, change));
      return (await observed(observe, 'transaction', run))[change.before?.length ?? 0]?.changes ?? 0;
    }),
    atomicRows: async (statements) => (await write(statements)).map(({ rows }) => rows),
    probe: () => probe(db, faults),
    ping: () => ping(db),
    close: () => file.close(),
  };
}

/** Writes a row that has no meaning: a readable database may be unable to write. */
async function probe(db: Kysely<Database>, faults: FaultMemory): Promise<void> {
  const value = new Date().toISOString();
  await db
    .insertInto('facts')
    .values({ name: 'probed', value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute();
  const reason = faults.recent();
  if (reason !== undefined) throw new AppError('UNAVAILABLE', reason, { part: 'store' });
}

async function ping(db: Kysely<Database>): Promise<void> {
  await db.selectFrom('facts').select('name').limit(1).execute();
}

/** Closes the file if a migration fails. */
export async function migrateSqlite(schema: Schema, file: SqliteFile): Promise<void> {
  file.handle.exec('BEGIN IMMEDIATE');
  try {
    await migrate(new Kysely({ dialect: sqliteDialect(file, 'direct') }), 'sqlite', schema);
    file.handle.exec('COMMIT');
  } catch (error) {
    if (file.handle.inTransaction) file.handle.exec('ROLLBACK');
    await file.close();
    throw error;
  }
}

// An arbitrary key; every version must use the same one.
const MIGRATION_LOCK = 7_041_207;

/**
 * Without a statement timeout: a migration of a large table may take long, and other processes wait for it.
 * @param after runs in the same transaction; what it throws undoes the migrations
 */
export async function migratePostgres(
  schema: Schema,
  url: string,
  limits: PoolLimits = defaultLimits,
  after: () => void = () => {},
): Promise<void> {
  const { openPostgresPool } = await loadPostgres();
  const pool = openPostgresPool(url, { ...limits, statementMs: 0 });
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) });
  try {
    await db.transaction().execute(async (transaction) => {
      await sql`select pg_advisory_xact_lock(${MIGRATION_LOCK})`.execute(transaction);
      await migrate(transaction as unknown as Kysely<unknown>, 'postgres', schema);
      after();
    });
  } finally {
    await db.destroy();
  }
}

export async function openPostgresStore(
  schema: Schema,
  url: string,
  limits: PoolLimits = defaultLimits,
  observe?: SqlObserver,
): Promise<Sql> {
  await migratePostgres(schema, url, limits);
  const faults = createFaultMemory();
  const { openPostgresPool } = await loadPostgres();
  const pool = openPostgresPool(url, limits, faults);
  const db = new Kysely<Database>({
    dialect: new PostgresDialect({ pool }),
    ...(observe && { log: observeStatements(observe) }),
  });
  const transaction = <Result>(work: (runIn: typeof runOn) => Promise<Result>) =>
    observed(observe, 'transaction', () => db.transaction().execute((own) => work((one) => runOn(one, own))));
  async function runOn<Row>(statement: SqlStatement<Row>, on: Kysely<Database> = db): Promise<SqlResult<Row>> {
    const { rows, numAffectedRows } = await on.executeQuery(statement.compile(on));
    return { rows, changes: Number(numAffectedRows ?? 0) };
  }
  const gathering = createGathering(db, (statements) => transaction((run) => runGathered(statements, run)));
  const runAll = (statements: readonly SqlStatement[]) => {
    gathering.refuse();
    return transaction(async (run) => {
      const results: SqlResult<unknown>[] = [];
      for (const statement of statements) results.push(await run(statement));
      return results;
    });
  };
  return {
    kind: 'postgres',
    db,
    run: (statement) => runOn(statement),
    atomically: async (statements) => (await runAll(statements)).map(({ changes }) => changes),
    gather: gathering.gather,
    gathered: gathering.current,
    change: gathering.changing(({ before = [], statement, ifChanged, after = [] }) =>
      transaction(async (run) => {
        for (const one of before) await run(one);
        const { changes } = await run(statement);
        if (ifChanged !== undefined && changes > 0) await run(ifChanged);
        for (const one of after) await run(one);
        return changes;
      }),
    ),
    atomicRows: async (statements) => (await runAll(statements)).map(({ rows }) => rows),
    probe: () => probe(db, faults),
    ping: () => ping(db),
    close: () => db.destroy(),
  };
}

/** A batch of the writer thread of SQLite. The result of `statement` has the index `before.length`. */
function changeBatch(db: QueryExecutorProvider, { before = [], statement, ifChanged, after = [] }: Change) {
  const compiled = (all: readonly SqlStatement[]) => all.map((one) => one.compile(db));
  const dependent = ifChanged === undefined ? [] : [{ ...ifChanged.compile(db), needsChange: true as const }];
  return [...compiled([...before, statement]), ...dependent, ...compiled(after)];
}
