// SPDX-License-Identifier: Apache-2.0
// Limits the sessions that can be opened per minute, by client address and by channel. Playback URLs contain the channel's
// key, so anyone with such a URL can open sessions, and each one costs memory and a database row.
import { LRUCache } from 'lru-cache';
import { AppError } from '../../errors.ts';
import { networkOf } from '../proxies.ts';

type OpeningLimits = {
  /** Sessions per minute; 0 disables the limit. */
  readonly perAddress: number;
  readonly perChannel: number;
  readonly now: () => number;
  readonly log: (message: string, facts: Record<string, unknown>) => void;
};

/** @param channel a channelKey @throws {AppError} TOO_MANY_REQUESTS if a limit is exceeded */
export type AllowOpening = (address: string, channel: string) => void;

const LOG_INTERVAL_MS = 60_000;

export function createOpeningLimits({ perAddress, perChannel, now, log }: OpeningLimits): AllowOpening {
  const limit = (max: number, scope: string) =>
    createPerMinuteLimit(max, now, `Limit of ${max} new sessions per minute and ${scope} exceeded.`);
  const countAddress = limit(perAddress, 'address');
  const countChannel = limit(perChannel, 'channel');
  let loggedAt = Number.NEGATIVE_INFINITY;
  /** One line per minute is enough to notice an attack, a load test, or a proxy that is missing in TRUSTED_PROXIES. */
  const logRejection = (facts: Record<string, unknown>) => {
    if (now() - loggedAt < LOG_INTERVAL_MS) return;
    loggedAt = now();
    log('new sessions rejected: too many per minute', facts);
  };
  return (address, channel) => {
    const client = networkOf(address);
    try {
      if (perAddress > 0) countAddress(client);
      if (perChannel > 0) countChannel(channel);
    } catch (error) {
      if (error instanceof AppError) logRejection({ client, channel, perAddress, perChannel });
      throw error;
    }
  };
}

// Limits the requests of a client per minute. Each process counts on its own: the limit bounds cost and need not be exact.

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
