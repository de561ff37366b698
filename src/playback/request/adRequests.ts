// SPDX-License-Identifier: Apache-2.0
// One ad request per break of a viewer, whichever nodes their player reaches. A node claims the right to make it in the store
// first, for as long as the response can take. While creatives are prepared, the response is stored: if this node ends before
// it has recorded a decision, another one decides from that response instead of repeating the request.
import { randomUUID } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { AdRequestOutcome } from '../../ads/record/breakRecord.ts';
import { requestVariables } from '../../ads/request/requestVariables.ts';
import type { Claim, Recorded, SessionStore } from '../../sessions/ports.ts';
import { type Clock, sleep } from '../../time/clock.ts';
import { type Millis, millis } from '../../time/units.ts';
import { budgetOf } from './demand.ts';
import { momentOf } from './requestAds.ts';
import type { BreakRequest } from './requestSteps.ts';

export type AdRequestDeps = Clock & {
  readonly requestAds: (request: BreakRequest) => Promise<AdRequestOutcome>;
  readonly sessions: Pick<SessionStore, 'claim' | 'storeResponse'>;
  readonly log: (message: string, facts: Record<string, unknown>) => void;
};

export type ClaimedBreak = Pick<Claim, 'sessionId' | 'breakId' | 'startsAt'>;

/** The right to request a break's ads. `outcome`: of a request already made for this break. `recorded`: as in `Claimed`. */
type GrantedClaim = {
  readonly claim: ClaimedBreak;
  readonly outcome?: AdRequestOutcome;
  readonly recorded?: Recorded;
};

/** How long a claim outlasts the timeout of the ad request. */
const LEASE_MARGIN_MS = 3_000;
/** A request rejected by this process because of its load is retried after one to two times this delay. */
const RETRY_DELAY_MS = 1500;
/** Limits of what is kept in memory. */
const MAX_CLAIMS_OF_OTHERS = 100_000;
const MAX_OUTCOMES = 1_000;
const MAX_HELD = 10_000;
/** The shortest lease. */
const RELEASE_MS = 1;

const keyOf = ({ sessionId, breakId }: ClaimedBreak): string => `${sessionId} ${breakId}`;

/** Without the macro values, which belong to one moment. */
const serialize = ({ variables: _, ...outcome }: AdRequestOutcome): string => JSON.stringify(outcome);

export function createAdRequests({ requestAds, sessions, now, timers, log }: AdRequestDeps) {
  const holder = randomUUID();
  /** Claims of other nodes: when to try again. */
  const retryAt = new LRUCache<string, number>({ max: MAX_CLAIMS_OF_OTHERS });
  const outcomes = new LRUCache<string, AdRequestOutcome>({ max: MAX_OUTCOMES });
  /** Claims of this node, when their leases end, and whether a request was sent whose outcome other nodes do not have. */
  const held = new LRUCache<string, { readonly claim: ClaimedBreak; readonly until: Millis; isSent: boolean }>({
    max: MAX_HELD,
  });
  let underWay = 0;
  let isReleased = false;

  async function endLease(one: ClaimedBreak): Promise<void> {
    const at = now();
    await sessions.claim({ ...one, holder, at, until: millis(at + RELEASE_MS) });
  }

  async function claim(one: ClaimedBreak, timeoutMs: number): Promise<GrantedClaim | undefined> {
    if (isReleased) return undefined;
    const key = keyOf(one);
    const known = outcomes.get(key);
    if (known !== undefined) return { claim: one, outcome: known };
    const at = now();
    if (at < (retryAt.get(key) ?? 0)) return undefined;
    const until = millis(at + timeoutMs + LEASE_MARGIN_MS);
    const claimed = await sessions.claim({ ...one, holder, at, until });
    if (!claimed.isOurs) {
      // The end of the other node's lease is not known here.
      retryAt.set(key, at + LEASE_MARGIN_MS);
      return undefined;
    }
    if (isReleased) {
      await endLease(one);
      return undefined;
    }
    held.set(key, { claim: one, until, isSent: held.get(key)?.isSent ?? false });
    if (claimed.response === undefined) return { claim: one, ...(claimed.recorded && { recorded: claimed.recorded }) };
    return { claim: one, outcome: JSON.parse(claimed.response) as AdRequestOutcome };
  }

  /** An outcome of an earlier request, with macro values of now. */
  const restore = (outcome: AdRequestOutcome, { session, adBreak }: BreakRequest): AdRequestOutcome => ({
    ...outcome,
    variables: requestVariables(session, adBreak, momentOf(now())),
  });

  function counted<Outcome>(send: () => Promise<Outcome>): Promise<Outcome> {
    underWay += 1;
    return send().finally(() => {
      underWay -= 1;
    });
  }

  /** This process rejected the request because of its load. */
  const isRejected = ({ reason }: Pick<AdRequestOutcome, 'reason'>): boolean => reason?.code === 'AD_SERVER_NOT_ASKED';

  /** @returns how long to wait before a retry; undefined if the outcome is final */
  function retryDelay(outcome: Pick<AdRequestOutcome, 'reason'>, until: Millis): number | undefined {
    const delay = RETRY_DELAY_MS * (1 + Math.random());
    return isRejected(outcome) && !isReleased && now() + delay <= until ? delay : undefined;
  }

  function markSent(one: ClaimedBreak, isSent: boolean): void {
    const own = held.get(keyOf(one));
    if (own !== undefined) own.isSent = isSent;
  }

  return {
    underWay: (): number => underWay,
    /** @returns undefined while another node has the claim, if the session no longer exists, and after `release` */
    claim,
    /**
     * Makes the request unless its outcome is known.
     * @param until no retry starts after this instant
     * @returns undefined if another node has taken over the claim, and after `release`
     */
    async request(
      { claim: one, outcome: known }: GrantedClaim,
      context: BreakRequest,
      until: Millis,
    ): Promise<AdRequestOutcome | undefined> {
      if (known !== undefined) return restore(known, context);
      const timeoutMs = budgetOf(context.demand) + (context.patienceMs ?? 0);
      for (;;) {
        // The lease may have ended.
        if (isReleased) return undefined;
        markSent(one, true);
        const outcome = await counted(() => requestAds(context));
        if (isRejected(outcome)) markSent(one, false);
        const delay = retryDelay(outcome, until);
        if (delay === undefined) return outcome;
        await sleep(timers, delay);
        const granted = await claim(one, timeoutMs);
        if (granted === undefined) return undefined;
        if (granted.outcome !== undefined) return restore(granted.outcome, context);
      }
    },
    /**
     * Makes a request that needs no claim of its own, because the breaks of a presentation are decided under one claim.
     * @param send makes the request
     * @param until no retry starts after this instant, and none after `release`
     */
    async send<Outcome extends Pick<AdRequestOutcome, 'reason'>>(
      send: () => Promise<Outcome>,
      until: Millis,
    ): Promise<Outcome> {
      for (;;) {
        const outcome = await counted(send);
        const delay = retryDelay(outcome, until);
        if (delay === undefined) return outcome;
        await sleep(timers, delay);
        if (isReleased) return outcome;
      }
    },
    /** Stores an outcome for other nodes while this one waits for creatives. Logs failures. */
    async storeOutcome({ claim: one }: GrantedClaim, outcome: AdRequestOutcome) {
      try {
        await sessions.storeResponse({ ...one, holder }, serialize(outcome));
        markSent(one, false);
      } catch (error) {
        log('failed to store an ad response for other nodes', { ...one, error });
      }
    },
    /** Keeps an outcome whose decision could not be recorded for the next attempt of this process. */
    remember: ({ claim: one }: GrantedClaim, outcome: AdRequestOutcome): void => void outcomes.set(keyOf(one), outcome),
    /** Discards what is known of a break once it is decided. */
    forget(one: ClaimedBreak) {
      outcomes.delete(keyOf(one));
      retryAt.delete(keyOf(one));
      held.delete(keyOf(one));
    },
    /**
     * Ends the leases of claims whose breaks are not decided, so that other nodes can take them at once. The lease of a claim whose
     * request was sent ends by itself, unless the outcome is stored for the other nodes. Nothing is claimed from now on.
     */
    async release() {
      isReleased = true;
      const at = now();
      const current = [...held.values()].filter(({ until }) => until > at);
      held.clear();
      await Promise.all(
        current.map(async ({ claim: one, isSent }) => {
          if (!isSent) return endLease(one);
          const known = outcomes.get(keyOf(one));
          if (known === undefined) return;
          await sessions.storeResponse({ ...one, holder, until: millis(at + RELEASE_MS) }, serialize(known));
        }),
      );
    },
  };
}

export type AdRequests = ReturnType<typeof createAdRequests>;
