// SPDX-License-Identifier: Apache-2.0
// Prefetch: requests the ads of a viewer's next break before it is known. The response is kept in the store under a claim of its
// own, one for each session, so that one node requests it and one node uses it. Nothing is recorded and nothing is reported to
// the ad server until a break uses it (docs/live.md, "Prefetch").

import { createHash, randomUUID } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { CreativeLibrary } from '../../ads/creative/creative.ts';
import { bumperFrames } from '../../ads/pod/fitPod.ts';
import type { AdRequestOutcome } from '../../ads/record/breakRecord.ts';
import { memo } from '../../cache/memo.ts';
import type { Channel } from '../../channels/channel.ts';
import { defined } from '../../invariant.ts';
import type { SessionStore } from '../../sessions/ports.ts';
import { flicksToSeconds, framesToFlicks, type Millis, millis } from '../../time/units.ts';
import type { LastBreak, Programme } from '../../timeline/programme/programme.ts';
import type { Airing } from '../onAir/airing.ts';
import type { AdRequests } from '../request/adRequests.ts';
import { budgetOf, type Demand, type DemandOf, hasDemand } from '../request/demand.ts';
import type { BreakRequest } from '../request/requestSteps.ts';
import type { StoreHealth } from '../viewers/storeHealth.ts';
import type { Viewer } from '../viewers/viewers.ts';
import { candidatesOf, readyBumpers } from './choosePod.ts';

/** What happens to responses; `requested` also counts requests without ads, and those for creatives alone. */
export type PrefetchStep = 'requested' | 'kept' | 'used' | 'unused';

type PrefetcherDeps = {
  readonly requests: Pick<AdRequests, 'send' | 'underWay'>;
  readonly requestAds: (request: BreakRequest) => Promise<AdRequestOutcome>;
  readonly sessions: Pick<SessionStore, 'claim' | 'storeResponse' | 'takeResponse'>;
  readonly demandOf: DemandOf;
  readonly library: CreativeLibrary;
  readonly health: Pick<StoreHealth, 'isUnavailable'>;
  readonly onStep: (step: PrefetchStep) => void;
  readonly now: () => Millis;
  readonly log: (message: string, facts: Record<string, unknown>) => void;
};

type Kept = {
  readonly requestedAt: Millis;
  readonly validUntil: Millis;
  /** Identifies the demand of the channel: a response of another one is not used. */
  readonly source: string;
  /** Seconds that were requested. */
  readonly seconds: number;
  readonly outcome: AdRequestOutcome;
};

/** No break has this id. */
const CLAIM_ID = 'prefetch';
/** Decisions that are folded remove older claims; this one is never folded. */
const CLAIM_STARTS_AT = Number.MAX_SAFE_INTEGER;
const LEASE_MARGIN_MS = 3_000;
/** Without a response to keep, other nodes do not repeat the request after the same break; after the next one, any node may. */
const HOLD_MS = 60_000;
/** Requests of breaks on air have priority. */
const MAX_REQUESTS_UNDER_WAY = 100;
/** The ad server was not reached, so it is requested again soon. */
const TRANSIENT = new Set(['AD_SERVER_TIMEOUT', 'AD_SERVER_FAILED', 'AD_SERVER_NOT_ASKED', 'RATE_REACHED']);

const identify = memo((demand: Demand) => createHash('sha256').update(JSON.stringify(demand)).digest('base64url'));

/** Computed once for all viewers. */
const lastBreakOf = memo((programme: Programme): { readonly last?: LastBreak } => {
  const last = programme.lastBreak?.();
  return last === undefined ? {} : { last };
});

const prefetchOf = (channel: Channel) => (channel.type === 'live' ? channel.prefetch : undefined) ?? 'off';

/** Viewers per break and process who are not spread. With `prefetch: creatives`, only their ads are requested. */
const UNPACED_VIEWERS = 4;
const MAX_COUNTED_BREAKS = 2000;

/** @returns whether a viewer is one of the first few of a break; true only once for each of them */
export function createFirstFew(): (key: string) => boolean {
  const counts = new LRUCache<string, number>({ max: MAX_COUNTED_BREAKS });
  return (key) => {
    const before = counts.get(key) ?? 0;
    if (before < UNPACED_VIEWERS) counts.set(key, before + 1);
    return before < UNPACED_VIEWERS;
  };
}

export function createPrefetcher(deps: PrefetcherDeps) {
  const { requests, sessions, library, now, onStep } = deps;
  /** Beside the viewers, because few channels need it. */
  const plans = new WeakMap<Viewer, PrefetchPlan>();
  const isOneOfFew = createFirstFew();

  function planOf(viewer: Viewer, last: LastBreak | undefined): PrefetchPlan {
    const known = plans.get(viewer);
    if (known !== undefined && known.after === (last?.id ?? '')) return known;
    const plan = planPrefetch(last, { openedAt: viewer.session.openedAt, spread: viewer.spread });
    plans.set(viewer, plan);
    return plan;
  }

  /** @returns whether the viewer is one of the first few after a break, or of a quarter of an hour without one */
  const isUnpaced = ({ life }: Airing, { after }: PrefetchPlan, at: Millis): boolean =>
    isOneOfFew(`${life} ${after} ${Math.floor(at / PREFETCH_TTL_MS)}`);

  function requestFor(
    demand: Demand,
    airing: Airing,
    { session }: Viewer,
    last: LastBreak | undefined,
    at: Millis,
  ): BreakRequest {
    const { ladder } = airing;
    const { bumpers } = readyBumpers(airing, false, library);
    const reserved = flicksToSeconds(framesToFlicks(bumperFrames(bumpers), ladder.frameRate));
    const id = `prefetch-${Math.floor(at / 1000)}`;
    const duration = Math.max(0, usualSeconds(last) - reserved);
    return { demand, session, adBreak: { id, startsAt: at, duration } };
  }

  /** @returns whether the ad server failed, so that the request is repeated soon */
  async function send(airing: Airing, viewer: Viewer, last: LastBreak | undefined, keeps: boolean): Promise<boolean> {
    const demand = defined(
      await deps.demandOf(airing.channel),
      'ads are requested ahead for channels with an ad source',
    );
    const requestedAt = now();
    const lease = millis(requestedAt + budgetOf(demand) + LEASE_MARGIN_MS);
    const own = { sessionId: viewer.session.id, breakId: CLAIM_ID, holder: randomUUID() };
    // A holder of its own for each request, so that this process does not repeat one either.
    const claimed = await sessions.claim({ ...own, startsAt: CLAIM_STARTS_AT, at: requestedAt, until: lease });
    if (!claimed.isOurs) return false;
    if (claimed.response !== undefined) onStep('unused');
    const request = requestFor(demand, airing, viewer, last, requestedAt);
    onStep('requested');
    const outcome = await requests.send(() => deps.requestAds(request), requestedAt);
    const { ads, reason } = outcome;
    for (const { settled } of candidatesOf(airing, outcome, library)) settled.catch(() => {});
    const hasFailed = reason !== undefined && TRANSIENT.has(reason.code);
    if (!keeps || reason !== undefined) {
      const until = millis(now() + HOLD_MS);
      await sessions.storeResponse({ ...own, until }, undefined);
      return hasFailed;
    }
    const until = validUntil(
      requestedAt,
      ads.map(({ ad }) => ad),
    );
    const { variables: _, ...stored } = outcome;
    const kept: Kept = {
      requestedAt,
      validUntil: until,
      source: identify(demand),
      seconds: request.adBreak.duration,
      outcome: stored,
    };
    await sessions.storeResponse({ ...own, until }, JSON.stringify(kept));
    onStep('kept');
    return false;
  }

  function begin(
    airing: Airing,
    viewer: Viewer,
    last: LastBreak | undefined,
    plan: PrefetchPlan,
    keeps: boolean,
  ): void {
    plans.set(viewer, planAgain(plan, now(), false, viewer.spread));
    send(airing, viewer, last, keeps)
      .then((hasFailed) => {
        const isCurrent = plans.get(viewer)?.after === plan.after;
        if (hasFailed && isCurrent) plans.set(viewer, planAgain(plan, now(), true, viewer.spread));
      })
      .catch((error: unknown) => deps.log('failed to prefetch ads', { sessionId: viewer.session.id, error }));
  }

  return {
    /** Sends the request when it is the viewer's turn; does not wait for it. Called with each request for a manifest with media. */
    consider(airing: Airing, viewer: Viewer, at: Millis) {
      const { channel } = airing;
      const prefetch = prefetchOf(channel);
      if (prefetch === 'off' || !hasDemand(channel) || airing.programme.lastBreak === undefined) return;
      const { last } = lastBreakOf(airing.programme);
      if (last !== undefined && last.endedAt === undefined) return;
      const plan = planOf(viewer, last);
      if (at < plan.from || requests.underWay() >= MAX_REQUESTS_UNDER_WAY) return;
      if (deps.health.isUnavailable(viewer.session.id)) return;
      const keeps = prefetch === 'decision';
      if ((keeps && at >= plan.at) || isUnpaced(airing, plan, at)) begin(airing, viewer, last, plan, keeps);
      else if (!keeps) plans.set(viewer, planAgain(plan, at, false, viewer.spread));
    },
    /** Removes the response from the store. @returns undefined if there is none that can be used; never rejects */
    async take({ channel }: Airing, { session }: Viewer, need: PrefetchNeed): Promise<AdRequestOutcome | undefined> {
      if (prefetchOf(channel) !== 'decision' || !hasDemand(channel)) return undefined;
      try {
        const text = await sessions.takeResponse({ sessionId: session.id, breakId: CLAIM_ID, at: now() });
        if (text === undefined) return undefined;
        const kept = JSON.parse(text) as Kept;
        const demand = await deps.demandOf(channel);
        const isUsable = kept.validUntil > now() && demand !== undefined && kept.source === identify(demand);
        if (isUsable && !isTooShort(kept.seconds, need, now()))
          return { ...kept.outcome, prefetchedAt: kept.requestedAt };
        onStep('unused');
      } catch (error) {
        deps.log('failed to read prefetched ads', { sessionId: session.id, error });
      }
      return undefined;
    },
    /** A response that was taken has, or has not, become the decision of a break. */
    taken: (isUsed: boolean): void => onStep(isUsed ? 'used' : 'unused'),
  };
}

export type Prefetcher = ReturnType<typeof createPrefetcher>;

/** A response is used for a break within this time after its request, or within VAST's `Expires` if that is shorter. */
const PREFETCH_TTL_MS = 15 * 60_000;
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
type PrefetchPlan = {
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
type PrefetchNeed = { readonly seconds: number; readonly requestableUntil: Millis };

/** @param requested seconds */
export const isTooShort = (requested: number, need: PrefetchNeed, now: Millis): boolean =>
  now <= need.requestableUntil && need.seconds > MUCH_LONGER * requested;
