// SPDX-License-Identifier: Apache-2.0
// At the start, a process waits for servers that do not respond yet: they are often started together with it.
import { AppError } from '../errors.ts';
import { sleep, type Timers } from '../time/clock.ts';

const FIRST_DELAY_MS = 250;
const LONGEST_DELAY_MS = 5000;
const REPORTED_EVERY_MS = 10_000;

export type Waiting = {
  /** The server, without credentials. */
  readonly host: string;
  readonly reason: string;
  readonly waitedSeconds: number;
};

/** @returns the host and port of a connection URL of PostgreSQL, without user, password and parameters */
export function databaseHost(url: string): string {
  if (!URL.canParse(url)) return 'DATABASE_URL';
  const { hostname, port, searchParams } = new URL(url);
  // A host, or the folder of a UNIX socket, can be a parameter (PostgreSQL, 34.1.1.2 Connection URIs).
  const host = hostname || searchParams.get('host') || 'localhost';
  return `${host}:${port || searchParams.get('port') || '5432'}`;
}

/** @returns `host:port` of each server of REDIS_URL */
export const redisHosts = (urls: string): string =>
  urls
    .split(',')
    .filter((url) => URL.canParse(url.trim()))
    .map((url) => new URL(url.trim()))
    .map(({ hostname, port }) => `${hostname}:${port || '6379'}`)
    .join(', ');

/** An error that has several causes, one for each address of a name, has a code and no message. */
function detailOf({ message, cause }: AppError): string {
  const { code, message: detail = '' } = (cause ?? {}) as { code?: string; message?: string };
  return [message.replace(/\.$/, ''), detail || code].filter(Boolean).join(': ');
}

/**
 * Calls `open` until the server responds. Errors that waiting does not remove (a wrong password, an unknown database, a newer
 * schema) are thrown at once.
 * @param host of the server, for the log
 * @param open throws {AppError} UNAVAILABLE while the server does not respond
 * @param onWaiting called after the first attempt, and then every ten seconds
 */
export async function waitForStore<Opened>(
  host: string,
  open: () => Promise<Opened>,
  timers: Timers,
  onWaiting: (waiting: Waiting) => void,
): Promise<Opened> {
  const startedAt = timers.elapsed();
  let reportAt = startedAt;
  for (let delay = FIRST_DELAY_MS; ; delay = Math.min(LONGEST_DELAY_MS, 2 * delay)) {
    try {
      return await open();
    } catch (error) {
      if (!(error instanceof AppError) || error.kind !== 'UNAVAILABLE') throw error;
      const now = timers.elapsed();
      if (now >= reportAt) {
        onWaiting({ host, reason: detailOf(error), waitedSeconds: Math.round((now - startedAt) / 1000) });
        reportAt = now + REPORTED_EVERY_MS;
      }
      await sleep(timers, delay);
    }
  }
}
