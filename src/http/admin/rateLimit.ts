// Counts the requests of a tenant within a minute, for all nodes together.
import type { RequestWindow, RequestWindowStore } from '../../tenants/ports.ts';
import { type Millis, millis } from '../../time/units.ts';

const WINDOW_MS = 60_000;
/** Milliseconds for which a store that could not count is not tried again. */
const STORE_RESTS = 1000;

export type Allowance = {
  readonly isAllowed: boolean;
  readonly remaining: number;
  /** When the count starts anew. */
  readonly reset: Millis;
};

/**
 * While the store is away each node counts for itself: no request fails because it could not be counted.
 * @param limit requests a minute, more than 0
 */
export function createRateLimit(
  limit: number,
  store: RequestWindowStore,
  onError: (error: unknown) => void,
): (tenant: string, now: Millis) => Promise<Allowance> {
  /** As this node knows it. */
  const windows = new Map<string, RequestWindow>();
  let restsUntil = Number.NEGATIVE_INFINITY;

  const isOver = ({ startedAt }: RequestWindow, now: Millis) =>
    now >= startedAt + WINDOW_MS || now < startedAt - WINDOW_MS;

  function countHere(tenant: string, now: Millis): RequestWindow {
    const known = windows.get(tenant);
    return known === undefined || isOver(known, now)
      ? { startedAt: now, requests: 1 }
      : { ...known, requests: known.requests + 1 };
  }

  async function count(tenant: string, now: Millis): Promise<RequestWindow> {
    const known = windows.get(tenant);
    // Nothing is written for requests that are refused anyway.
    const isUsedUp = known !== undefined && known.requests >= limit && !isOver(known, now);
    if (isUsedUp || now < restsUntil) return countHere(tenant, now);
    try {
      return await store.count(tenant, now, WINDOW_MS);
    } catch (error) {
      restsUntil = now + STORE_RESTS;
      onError(error);
      return countHere(tenant, now);
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
