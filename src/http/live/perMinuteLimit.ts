// SPDX-License-Identifier: Apache-2.0
// Limits the requests of a client per minute. Each process counts on its own: the limit bounds cost and need not be exact.
import { LRUCache } from 'lru-cache';
import { AppError } from '../../errors.ts';

const MINUTE_MS = 60_000;
const MAX_CLIENTS = 20_000;

/**
 * @param max requests per minute
 * @param message of the error
 * @returns counts a request of a client; @throws {AppError} TOO_MANY_REQUESTS over the limit, with the seconds until the next
 * minute of this client
 */
export function createPerMinuteLimit(max: number, now: () => number, message: string): (client: string) => void {
  const windows = new LRUCache<string, { since: number; count: number }>({ max: MAX_CLIENTS });
  return (client) => {
    const at = now();
    let window = windows.get(client);
    if (window === undefined || at - window.since >= MINUTE_MS || at < window.since) {
      window = { since: at, count: 0 };
      windows.set(client, window);
    }
    window.count += 1;
    if (window.count <= max) return;
    const retryAfter = Math.max(1, Math.ceil((window.since + MINUTE_MS - at) / 1000));
    throw new AppError('TOO_MANY_REQUESTS', `${message} Retry in ${retryAfter} s.`, { retryAfter });
  };
}
