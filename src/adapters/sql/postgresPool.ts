// SPDX-License-Identifier: Apache-2.0
// A pool of PostgreSQL connections. Faults of the server are thrown as UNAVAILABLE (storageFault.ts). A connection
// whose statement timed out is closed: in the pool it would delay the next caller too.
import type { PostgresPool, PostgresPoolClient } from 'kysely';
import pg from 'pg';
import { createFaultMemory, type FaultMemory } from './storageFault.ts';

export type PoolLimits = {
  /** Milliseconds to wait for a connection: a free one in the pool or a new one. */
  readonly connectMs: number;
  /** Milliseconds that a statement may take; 0 means no limit. */
  readonly statementMs: number;
  /** Connections; default: 10. */
  readonly max?: number | undefined;
};

/** The server did not respond: whether the statement took effect is unknown, and the response may still arrive. */
const clientTimeout = /query read timeout/i;
/** The client's limit exceeds the server's by this, so that the server ends the statement unless it is unreachable. */
const CLIENT_LIMIT_MARGIN_MS = 500;
const INT8 = 20;

/** Returns bigint columns as numbers: all values are far below 2^53. */
const getTypeParser = ((oid: number, format?: 'text') =>
  oid === INT8 ? Number : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser;

/** An error between two queries has no query to reject; the pool drops the client. */
const onIdleError = () => {};

function poolClient(client: pg.PoolClient, faults: FaultMemory): PostgresPoolClient {
  client.on('error', onIdleError);
  const send = client.query as unknown as (...given: unknown[]) => Promise<unknown>;
  let failure: unknown;
  async function query(...given: unknown[]): Promise<unknown> {
    // A transaction's ROLLBACK would wait for the statement that timed out.
    if (failure !== undefined) throw failure;
    try {
      return await send.apply(client, given);
    } catch (error) {
      const translated = faults.translate(error);
      if (clientTimeout.test((error as Error).message)) failure = translated;
      throw translated;
    }
  }
  const release = () => {
    client.off('error', onIdleError);
    // Closing the connection rolls back its open transaction.
    client.release(failure !== undefined);
  };
  return { query, release } as unknown as PostgresPoolClient;
}

export function openPostgresPool(
  url: string,
  { connectMs, statementMs, max = 10 }: PoolLimits,
  faults: FaultMemory = createFaultMemory(),
): PostgresPool {
  const pool = new pg.Pool({
    connectionString: url,
    max,
    connectionTimeoutMillis: connectMs,
    ...(statementMs === 0
      ? {}
      : { statement_timeout: statementMs, query_timeout: statementMs + CLIENT_LIMIT_MARGIN_MS }),
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
        (client) => poolClient(client, faults),
        (error: unknown) => {
          throw faults.translate(error);
        },
      ),
  };
}
