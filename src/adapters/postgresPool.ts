// A pool of PostgreSQL connections that says "unavailable" when the server is away, whatever the driver calls it.
import type { PostgresPool, PostgresPoolClient } from 'kysely';
import pg from 'pg';
import { AppError } from '../errors.ts';

// Connection lost, server starting or stopping, too many clients (PostgreSQL, appendix A: classes 08, 53, 57P).
const awayCodes = /^(08|53|57P0)|^(ECONNREFUSED|ECONNRESET|ENOTFOUND|ENOENT|ETIMEDOUT|EPIPE|EHOSTUNREACH|EAI_AGAIN)$/;
const awayMessages = /connection terminated|timeout exceeded when trying to connect|query read timeout/i;

function asUnavailable(error: unknown): unknown {
  const { code, message } = error as { code?: string; message?: string };
  if (!awayCodes.test(code ?? '') && !awayMessages.test(message ?? '')) return error;
  return new AppError('UNAVAILABLE', 'The database does not answer; try again shortly.');
}

async function telling<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw asUnavailable(error);
  }
}

const INT8 = 20;

export function openPostgresPool(url: string, onIdleError: (error: Error) => void): PostgresPool {
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
