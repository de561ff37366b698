// SQLite for kysely: reads in this thread, each write a batch of its own in the writing thread.
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
import type { SqliteFile, StatementResult } from './sqliteFile.ts';

const toQueryResult = <R>({ rows, changes }: StatementResult): QueryResult<R> => ({
  rows: rows as R[],
  numAffectedRows: BigInt(changes),
});

/** @param where `thread` writes in the writing thread; `here` at once, for migrations that hold the lock themselves */
export function sqliteDialect(file: SqliteFile, where: 'thread' | 'here'): Dialect {
  const connection: DatabaseConnection = {
    async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
      const statement = { sql, parameters };
      if (where === 'here' || file.isRead(sql)) return toQueryResult(file.run(statement));
      const [result] = await file.write([statement]);
      return toQueryResult(result!);
    },
    streamQuery: () => {
      throw new Error('rows are not streamed from SQLite');
    },
  };
  const refuse = async () => {
    throw new Error('open transactions are not offered: hand all statements to Sql.atomically');
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
