// SPDX-License-Identifier: Apache-2.0
// Limits the requests of a tenant per minute, counted across all nodes.
import { AppError } from '../../errors.ts';
import type { RequestWindow, RequestWindowStore } from '../../platform/access/rules/ports.ts';
import { type Millis, millis } from '../../time/units.ts';

const WINDOW_MS = 60_000;
/** After an error the store is not used for this long. */
const STORE_RETRY_MS = 1000;

type RateLimitState = {
  readonly isAllowed: boolean;
  readonly remaining: number;
  /** When the count restarts. */
  readonly reset: Millis;
};

/**
 * While the store is unavailable each node counts on its own, so that requests do not fail.
 * @param limit requests per minute, at least 1
 * @param onError receives errors of the store
 */
export function createRateLimit(
  limit: number,
  store: RequestWindowStore,
  onError: (error: unknown) => void,
): (tenant: string, now: Millis) => Promise<RateLimitState> {
  /** The latest counts this node has seen or made. */
  const windows = new Map<string, RequestWindow>();
  let retryAt = Number.NEGATIVE_INFINITY;

  const isOver = ({ startedAt }: RequestWindow, now: Millis) =>
    now >= startedAt + WINDOW_MS || now < startedAt - WINDOW_MS;

  function countLocally(tenant: string, now: Millis): RequestWindow {
    const known = windows.get(tenant);
    return known === undefined || isOver(known, now)
      ? { startedAt: now, requests: 1 }
      : { ...known, requests: known.requests + 1 };
  }

  async function count(tenant: string, now: Millis): Promise<RequestWindow> {
    const known = windows.get(tenant);
    // Rejected requests cost no write.
    const isUsedUp = known !== undefined && known.requests >= limit && !isOver(known, now);
    if (isUsedUp || now < retryAt) return countLocally(tenant, now);
    try {
      return await store.count(tenant, now, WINDOW_MS);
    } catch (error) {
      retryAt = now + STORE_RETRY_MS;
      onError(error);
      return countLocally(tenant, now);
    }
  }

  return async (tenant, now) => {
    const window = await count(tenant, now);
    windows.set(tenant, window);
    const { requests, startedAt } = window;
    return {
      isAllowed: requests <= limit,
      remaining: Math.max(0, limit - requests),
      reset: millis(startedAt + WINDOW_MS),
    };
  };
}

/** Counts requests, by default one. @returns the headers of the last one, and the error of the one that exceeds the limit */
export type Limiter = (
  tenant: string,
  requests?: number,
) => Promise<{ readonly headers: Readonly<Record<string, string>>; readonly error?: AppError }>;

/** @param limit requests per minute @param count from createRateLimit */
export const createLimiter =
  (limit: number, count: ReturnType<typeof createRateLimit>, now: () => Millis): Limiter =>
  async (tenant, requests = 1) => {
    let headers = {};
    for (let counted = 0; counted < requests; counted += 1) {
      const time = now();
      const { isAllowed, remaining, reset } = await count(tenant, time);
      headers = {
        'x-rate-limit-limit': String(limit),
        'x-rate-limit-remaining': String(remaining),
        'x-rate-limit-reset': String(reset),
      };
      if (isAllowed) continue;
      const retryAfter = Math.ceil((reset - time) / 1000);
      const message = `Rate limit of ${limit} requests per minute exceeded. Retry in ${retryAfter} s.`;
      return { headers, error: new AppError('TOO_MANY_REQUESTS', message, { retryAfter }) };
    }
    return { headers };
  };
