// A pool of PostgreSQL connections that says "unavailable" when the server is away, whatever the driver calls it.
import type { PostgresPool, PostgresPoolClient } from 'kysely';
import pg from 'pg';
import { createFaultMemory, type FaultMemory } from './storageFault.ts';

const INT8 = 20;

export function openPostgresPool(
  url: string,
  onIdleError: (error: Error) => void,
  faults: FaultMemory = createFaultMemory(),
): PostgresPool {
  const telling = <T>(work: Promise<T>): Promise<T> =>
    work.catch((error: unknown) => {
      throw faults.note(error);
    });
  const pool = new pg.Pool({
    connectionString: url,
    max: 10,
    connectionTimeoutMillis: 5_000,
    query_timeout: 30_000,
    application_name: 'midroll',
    // Counters and counts, all far below 2^53, come as numbers.
    types: {
      getTypeParser: ((oid: number, format?: 'text') =>
        oid === INT8 ? Number : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
    },
  });
  pool.on('error', onIdleError);
  return {
    end: () => pool.end(),
    connect: async () => {
      const client = await telling(pool.connect());
      // An error between two queries has no query to reject; the pool drops the client.
      client.on('error', onIdleError);
      const query = (...given: unknown[]) =>
        telling((client.query as unknown as (...given: unknown[]) => Promise<unknown>).apply(client, given));
      const release = () => {
        client.off('error', onIdleError);
        client.release();
      };
      return { query, release } as unknown as PostgresPoolClient;
    },
  };
}
