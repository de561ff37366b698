// SPDX-License-Identifier: Apache-2.0
// SQLite for kysely: reads run in this thread, each write is a batch in the writer thread (sqliteFile.ts).
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import type { StatementResult } from './sqlite/startSqliteWriter.ts';
import type { SqliteFile } from './sqliteFile.ts';

const toQueryResult = <R>({ rows, changes }: StatementResult): QueryResult<R> => ({
  rows: rows as R[],
  numAffectedRows: BigInt(changes),
});

/**
 * @param writes `thread`: in the writer thread. `direct`: on this thread's connection, for migrations, which hold the
 * lock
 */
export function sqliteDialect(file: SqliteFile, writes: 'thread' | 'direct'): Dialect {
  const connection: DatabaseConnection = {
    async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
      const statement = { sql, parameters };
      if (writes === 'direct' || file.isRead(sql)) return toQueryResult(file.run(statement));
      const [result] = await file.write([statement]);
      return toQueryResult(result ?? { rows: [], changes: 0 });
    },
    streamQuery: () => {
      throw new Error('SQLite rows cannot be streamed.');
    },
  };
  const refuse = async () => {
    throw new Error('Interactive transactions are not supported; pass all statements to Sql.atomically.');
  };
  const driver: Driver = {
    init: async () => {},
    acquireConnection: async () => connection,
    beginTransaction: refuse,
    commitTransaction: refuse,
    rollbackTransaction: refuse,
    releaseConnection: async () => {},
    destroy: async () => {},
  };
  return {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => driver,
    createIntrospector: (db: Kysely<unknown>) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}
