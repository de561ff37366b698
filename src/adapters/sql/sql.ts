// The store of records: SQLite in DATA_DIR, or PostgreSQL when DATABASE_URL is set. One behaviour, whichever it is.
// What a resolved write wrote is on disk. Knows connections and transactions; what the tables mean is the stores' to know.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type Sqlite from 'better-sqlite3';
import { type Compilable, Kysely, PostgresDialect, type QueryResult, sql } from 'kysely';
import { AppError } from '../../errors.ts';
import type { SqlKind } from './migrations/migration.ts';
import { openPostgresPool, type PoolLimits } from './postgresPool.ts';
import { sqliteDialect } from './sqliteDialect.ts';
import { openSqliteFile, type SqliteFile } from './sqliteFile.ts';
import { createSqliteShrinker, type SqliteShrinker } from './sqliteShrinker.ts';
import { migrate } from './sqlMigrate.ts';
import type { Database } from './sqlSchema.ts';
import { createFaultMemory, type FaultMemory } from './storageFault.ts';

export type Sql = {
  readonly kind: SqlKind;
  /** Reads, and single statements that write. */
  readonly db: Kysely<Database>;
  /** Writes all of the statements or none. @returns how many rows each changed */
  atomically(statements: readonly Compilable[]): Promise<number[]>;
  /** The same. @returns the rows that each returned */
  atomicRows(statements: readonly Compilable[]): Promise<(readonly unknown[])[]>;
  /** SQLite only: the connection of this thread, for reads that must not wait. */
  readonly sqlite?: Sqlite.Database;
  /** SQLite's file only: in PostgreSQL, autovacuum makes room for what comes next. */
  readonly shrinker?: SqliteShrinker;
  /** Resolves when the store takes a write. @throws {AppError} UNAVAILABLE with the reason when it does not, or did not just now */
  probe(): Promise<void>;
  close(): Promise<void>;
};

export type SqlSource = {
  readonly DATABASE_URL?: string;
  readonly DATA_DIR: string;
  readonly DATABASE_CONNECT_TIMEOUT_MS?: number;
  readonly DATABASE_STATEMENT_TIMEOUT_MS?: number;
};

const usual: PoolLimits = { connectMs: 5_000, statementMs: 10_000 };

/** Opens the store and brings it forward. */
export const openSql = (source: SqlSource): Promise<Sql> =>
  source.DATABASE_URL === undefined
    ? openSqlite(source.DATA_DIR)
    : openPostgres(source.DATABASE_URL, {
        connectMs: source.DATABASE_CONNECT_TIMEOUT_MS ?? usual.connectMs,
        statementMs: source.DATABASE_STATEMENT_TIMEOUT_MS ?? usual.statementMs,
      });

/** @param folder where the file lives, or `:memory:` */
export async function openSqlite(folder: string): Promise<Sql> {
  if (folder !== ':memory:') mkdirSync(folder, { recursive: true });
  const faults = createFaultMemory();
  const path = folder === ':memory:' ? folder : join(folder, 'midroll.db');
  const file = openSqliteFile(path, faults);
  await migrateSqlite(file);
  const db = new Kysely<Database>({ dialect: sqliteDialect(file, 'thread') });
  const write = (statements: readonly Compilable[]) => file.write(statements.map((statement) => statement.compile()));
  return {
    kind: 'sqlite',
    db,
    sqlite: file.handle,
    ...(path === ':memory:' ? {} : { shrinker: createSqliteShrinker(file, path) }),
    atomically: async (statements) => (await write(statements)).map(({ changes }) => changes),
    atomicRows: async (statements) => (await write(statements)).map(({ rows }) => rows),
    probe: () => probe(db, faults),
    close: () => file.close(),
  };
}

/** A row that says nothing is written anew: what reads well may long be unable to write. */
async function probe(db: Kysely<Database>, faults: FaultMemory): Promise<void> {
  const value = new Date().toISOString();
  await db
    .insertInto('facts')
    .values({ name: 'probed', value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute();
  const reason = faults.recent();
  if (reason !== undefined) throw new AppError('UNAVAILABLE', reason);
}

async function migrateSqlite(file: SqliteFile): Promise<void> {
  file.handle.exec('BEGIN IMMEDIATE');
  try {
    await migrate(new Kysely({ dialect: sqliteDialect(file, 'here') }), 'sqlite');
    file.handle.exec('COMMIT');
  } catch (error) {
    if (file.handle.inTransaction) file.handle.exec('ROLLBACK');
    await file.close();
    throw error;
  }
}

const executeAll = (db: Kysely<Database>, statements: readonly Compilable[]): Promise<QueryResult<unknown>[]> =>
  db.transaction().execute(async (transaction) => {
    const results: QueryResult<unknown>[] = [];
    for (const statement of statements) results.push(await transaction.executeQuery(statement.compile()));
    return results;
  });

// Any number will do, as long as it is always the same.
const MIGRATION_LOCK = 7_041_207;

/** A migration of a large table takes as long as it takes, and another process may wait for it. */
async function migratePostgres(url: string, limits: PoolLimits): Promise<void> {
  const pool = openPostgresPool(url, { ...limits, statementMs: 0 }, () => {});
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) });
  try {
    await db.transaction().execute(async (transaction) => {
      await sql`select pg_advisory_xact_lock(${MIGRATION_LOCK})`.execute(transaction);
      await migrate(transaction as unknown as Kysely<unknown>, 'postgres');
    });
  } finally {
    await db.destroy();
  }
}

export async function openPostgres(
  url: string,
  limits: PoolLimits = usual,
  onIdleError: (error: Error) => void = () => {},
): Promise<Sql> {
  await migratePostgres(url, limits);
  const faults = createFaultMemory();
  const pool = openPostgresPool(url, limits, onIdleError, faults);
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) });
  return {
    kind: 'postgres',
    db,
    atomically: async (statements) =>
      (await executeAll(db, statements)).map(({ numAffectedRows }) => Number(numAffectedRows ?? 0)),
    atomicRows: async (statements) => (await executeAll(db, statements)).map(({ rows }) => rows),
    probe: () => probe(db, faults),
    close: () => db.destroy(),
  };
}
