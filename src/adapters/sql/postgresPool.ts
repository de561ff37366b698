// A pool of PostgreSQL connections that reports "unavailable" when the server is away, whatever the driver calls it. A
// connection whose statement was not answered in time is closed: in the pool it would hold up the next caller too.
import type { PostgresPool, PostgresPoolClient } from 'kysely';
import pg from 'pg';
import { createFaultMemory, type FaultMemory } from './storageFault.ts';

export type PoolLimits = {
  /** Milliseconds to wait for a connection: a free one of the pool, or a new one. */
  readonly connectMs: number;
  /** Milliseconds that a statement may take; 0 is no limit. */
  readonly statementMs: number;
};

/** The server did not answer: whether the statement took effect is unknown, and its answer may come at any time. */
const stuck = /query read timeout/i;
/** The server's own limit comes first, so that it ends the statement; the client's is for a server that is silent. */
const ANSWER_AFTER_LIMIT_MS = 500;
const INT8 = 20;

/** Counters and counts, all far below 2^53, come as numbers. */
const getTypeParser = ((oid: number, format?: 'text') =>
  oid === INT8 ? Number : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser;

function poolClient(
  client: pg.PoolClient,
  onIdleError: (error: Error) => void,
  faults: FaultMemory,
): PostgresPoolClient {
  // An error between two queries has no query to reject; the pool drops the client.
  client.on('error', onIdleError);
  const send = client.query as unknown as (...given: unknown[]) => Promise<unknown>;
  let failure: unknown;
  async function query(...given: unknown[]): Promise<unknown> {
    // A transaction's ROLLBACK would wait behind the statement that is not answered.
    if (failure !== undefined) throw failure;
    try {
      return await send.apply(client, given);
    } catch (error) {
      const noted = faults.note(error);
      if (stuck.test((error as Error).message)) failure = noted;
      throw noted;
    }
  }
  const release = () => {
    client.off('error', onIdleError);
    // Closing the connection rolls back a transaction that is open in it.
    client.release(failure !== undefined);
  };
  return { query, release } as unknown as PostgresPoolClient;
}

export function openPostgresPool(
  url: string,
  { connectMs, statementMs }: PoolLimits,
  onIdleError: (error: Error) => void,
  faults: FaultMemory = createFaultMemory(),
): PostgresPool {
  const pool = new pg.Pool({
    connectionString: url,
    max: 10,
    connectionTimeoutMillis: connectMs,
    ...(statementMs === 0
      ? {}
      : { statement_timeout: statementMs, query_timeout: statementMs + ANSWER_AFTER_LIMIT_MS }),
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    application_name: 'midroll',
    types: { getTypeParser },
  });
  pool.on('error', onIdleError);
  return {
    end: () => pool.end(),
    connect: () =>
      pool.connect().then(
        (client) => poolClient(client, onIdleError, faults),
        (error: unknown) => {
          throw faults.note(error);
        },
      ),
  };
}
