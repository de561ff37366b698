// SPDX-License-Identifier: Apache-2.0
// When the ads of a break that is not announced yet are requested for a viewer (prefetch), and how long they may be used. Pure.
import { type Millis, millis } from '../../time/units.ts';
import type { LastBreak } from '../../timeline/programme/programme.ts';

/** A response is used for a break within this time after its request, or within VAST's `Expires` if that is shorter. */
export const PREFETCH_TTL_MS = 15 * 60_000;
/** Requested while the channel has had no break. Seconds. */
const DEFAULT_SECONDS = 60;
/** After a break, the requests of its viewers are spread over this time. */
const SPREAD_MS = 30_000;
/** Viewers who join and leave at once cause no request. */
const JOIN_DELAY_MS = 5_000;
const JOIN_SPREAD_MS = 15_000;
/** The ad server failed: it is requested again after one to two times this delay. */
const RETRY_MS = 60_000;

/** The next request of a viewer. Kept in memory by each process; the claim decides which one sends it. */
export type PrefetchPlan = {
  /** The last break when it was made; empty if there was none. Another break replaces the plan. */
  readonly after: string;
  /** When the first few viewers send it, so that creatives are conditioned early. */
  readonly from: Millis;
  /** When all others send it. */
  readonly at: Millis;
};

type Watcher = { readonly openedAt: Millis; readonly spread: number };

/** @param last a break that is over */
export function planPrefetch(last: LastBreak | undefined, { openedAt, spread }: Watcher): PrefetchPlan {
  const joined = openedAt + JOIN_DELAY_MS;
  const ended = last?.endedAt ?? 0;
  const after = last?.id ?? '';
  if (ended <= openedAt)
    return { after, from: millis(joined), at: millis(Math.round(joined + spread * JOIN_SPREAD_MS)) };
  return {
    after,
    from: millis(Math.max(joined, ended)),
    at: millis(Math.round(Math.max(joined, ended + spread * SPREAD_MS))),
  };
}

/** The plan after a request, for as long as no break comes. */
export function planAgain({ after }: PrefetchPlan, now: Millis, hasFailed: boolean, spread: number): PrefetchPlan {
  const at = millis(Math.round(now + (hasFailed ? RETRY_MS * (1 + spread) : PREFETCH_TTL_MS)));
  return { after, from: at, at };
}

/** Seconds that are requested: as many as the last break was announced to last, or lasted. */
export const usualSeconds = (last: LastBreak | undefined): number => last?.seconds ?? DEFAULT_SECONDS;

/** @param ads of the response; `expires` in seconds (VAST 4.2 §3.4.11) */
export function validUntil(requestedAt: Millis, ads: readonly { readonly expires?: number }[]): Millis {
  const limits = ads.flatMap(({ expires }) => (expires === undefined ? [] : [1000 * expires]));
  return millis(Math.round(requestedAt + Math.min(PREFETCH_TTL_MS, ...limits)));
}

/** A break that is announced ahead and this many times as long as what was requested has a request of its own. */
const MUCH_LONGER = 1.5;

/** What a break needs. `requestableUntil`: until when a request of its own can begin. */
export type PrefetchNeed = { readonly seconds: number; readonly requestableUntil: Millis };

/** @param requested seconds */
export const isTooShort = (requested: number, need: PrefetchNeed, now: Millis): boolean =>
  now <= need.requestableUntil && need.seconds > MUCH_LONGER * requested;
