// SPDX-License-Identifier: Apache-2.0
// Tags (server and path) whose server limits the rate of requests: status 429, or 503 with Retry-After (RFC 6585 §4, RFC 9110
// §10.2.3). They get no requests until that time.
import { LRUCache } from 'lru-cache';
import type { ExchangeFailure } from '../../ads/request/ports.ts';

const MAX_REST_MS = 5 * 60_000;
/** After a status 429 without a time. */
const DEFAULT_REST_MS = 1000;
/** Wrapper ads may name any number of tags. */
const MAX_TAGS = 1_000;

/**
 * @param value seconds, or a date
 * @returns milliseconds from `now` on, 5 minutes at most; undefined for any other value
 */
export function readRetryAfter(value: string, now: number): number | undefined {
  const isDate = /^[A-Za-z]{3,9}, .{10,30} GMT$/.test(value);
  const ms = /^\d{1,20}(\.\d{1,9})?$/.test(value)
    ? 1000 * Number(value)
    : isDate
      ? Date.parse(value) - now
      : Number.NaN;
  return Number.isNaN(ms) ? undefined : Math.min(MAX_REST_MS, Math.max(0, ms));
}

/** How long a server does not accept requests after this failure. */
function restOf({ status, retryAfter = '' }: ExchangeFailure, now: number): number | undefined {
  if (status === 429) return readRetryAfter(retryAfter, now) ?? DEFAULT_REST_MS;
  return status === 503 ? readRetryAfter(retryAfter, now) : undefined;
}

/** @param elapsed monotonic milliseconds; @param now milliseconds since 1970 */
export function createRestingTags({ elapsed, now }: { readonly elapsed: () => number; readonly now: () => number }) {
  const resting = new LRUCache<string, { readonly until: number; readonly status: number }>({ max: MAX_TAGS });
  return {
    /** Why no request may be sent, and for how many milliseconds. */
    refusal(tag: string): { readonly reason: string; readonly restsMs: number } | undefined {
      const one = resting.get(tag);
      const restsMs = (one?.until ?? 0) - elapsed();
      if (one === undefined || restsMs <= 0) return undefined;
      return { reason: reasonOf(one.status, restsMs), restsMs };
    },
    /** Notes a failure. @returns it, with what follows from it */
    report<Failure extends ExchangeFailure>(tag: string, failure: Failure): Failure & { readonly restsMs?: number } {
      const restsMs = restOf(failure, now());
      if (failure.status === undefined || restsMs === undefined || restsMs === 0) return failure;
      const until = Math.max(elapsed() + restsMs, resting.get(tag)?.until ?? 0);
      resting.set(tag, { until, status: failure.status });
      return { ...failure, reason: reasonOf(failure.status, restsMs), restsMs };
    },
  };
}

const reasonOf = (status: number, ms: number): string =>
  `returned status ${status}; it is requested again in ${Math.ceil(ms / 1000)} s`;
