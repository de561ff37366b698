// One request for the ads of a viewer's break, whichever nodes their player talks to: the right to make it is claimed in
// the store first, for as long as the answer can take. What came back is kept there while its creatives are made, so that
// another node decides from it, and does not request again, should this one end before it has.
import { randomInt, randomUUID } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { AdRequestOutcome } from '../../ads/record/adRequestOutcome.ts';
import { requestVariables } from '../../ads/request/requestVariables.ts';
import type { Claim, SessionStore } from '../../sessions/ports.ts';
import { sleep, type Timers } from '../../time/clock.ts';
import { type Millis, millis } from '../../time/units.ts';
import type { AdRequestContext } from './requestAds.ts';

export type AdRequestDeps = {
  readonly requestAds: (question: AdRequestContext) => Promise<AdRequestOutcome>;
  readonly sessions: Pick<SessionStore, 'claim' | 'keepAnswer'>;
  readonly now: () => Millis;
  readonly timers: Timers;
  readonly log: (message: string, facts: Record<string, unknown>) => void;
};

export type ClaimedBreak = Pick<Claim, 'sessionId' | 'breakId' | 'startsAt'>;

/** The right to request a break's ads, and what came back already. */
export type GrantedClaim = { readonly claim: ClaimedBreak; readonly answer?: AdRequestOutcome };

export type AdRequests = {
  /** Requests under way in this process. */
  readonly underWay: () => number;
  /** @returns undefined while another node has the right, or when the session is gone */
  claim(one: ClaimedBreak, timeoutMs: number): Promise<GrantedClaim | undefined>;
  /** Makes the request, unless its answer is known. @returns undefined when another node has taken over meanwhile */
  answer(right: GrantedClaim, question: AdRequestContext, until: Millis): Promise<AdRequestOutcome | undefined>;
  /** Keeps an answer for another node, while this one waits for creatives. */
  storeOutcome(right: GrantedClaim, answer: AdRequestOutcome): Promise<void>;
  /** An answer that could not be recorded; the next attempt of this process decides from it. */
  remember(right: GrantedClaim, answer: AdRequestOutcome): void;
  /** The break is decided. */
  forget(claim: ClaimedBreak): void;
};

export const USUAL_TIMEOUT = 2_000;
/** What a claim lasts longer than the ad server may take. */
const LEASE_MARGIN = 3_000;
/** A request that was turned away here, because too many others are under way, is made after so many milliseconds, or twice as many. */
const AGAIN_AFTER = 1500;
/** Other nodes' claims, and answers of this process, that are remembered. */
const MOST_THEIRS = 100_000;
const MOST_ANSWERS = 1_000;

const keyOf = ({ sessionId, breakId }: ClaimedBreak): string => `${sessionId} ${breakId}`;

/** Without its macros, which are values of the moment. */
const written = ({ variables: _, ...answer }: AdRequestOutcome): string => JSON.stringify(answer);

export function createAdRequests({ requestAds, sessions, now, timers, log }: AdRequestDeps): AdRequests {
  const holder = randomUUID();
  /** When to try again for what other nodes have claimed. */
  const theirs = new LRUCache<string, number>({ max: MOST_THEIRS });
  const answers = new LRUCache<string, AdRequestOutcome>({ max: MOST_ANSWERS });
  let underWay = 0;

  async function claim(one: ClaimedBreak, timeoutMs: number): Promise<GrantedClaim | undefined> {
    const key = keyOf(one);
    const known = answers.get(key);
    if (known !== undefined) return { claim: one, answer: known };
    const at = now();
    if (at < (theirs.get(key) ?? 0)) return undefined;
    const until = millis(at + timeoutMs + LEASE_MARGIN);
    const claimed = await sessions.claim({ ...one, holder, at, until });
    if (!claimed.isOurs) {
      // When theirs ends is not known: it is tried again now and then.
      theirs.set(key, at + LEASE_MARGIN);
      return undefined;
    }
    if (claimed.answer === undefined) return { claim: one };
    return { claim: one, answer: JSON.parse(claimed.answer) as AdRequestOutcome };
  }

  /** The macros of an answer that another process got, with values of now. */
  function restored(answer: AdRequestOutcome, { session, adBreak }: AdRequestContext): AdRequestOutcome {
    const cacheBuster = String(randomInt(10_000_000, 100_000_000));
    const at = { now: now(), transactionId: randomUUID(), cacheBuster };
    return { ...answer, variables: requestVariables(session, adBreak, at) };
  }

  return {
    underWay: () => underWay,
    claim,
    async answer({ claim: one, answer: known }, question, until) {
      if (known !== undefined) return restored(known, question);
      const timeoutMs = question.source.timeoutMs ?? USUAL_TIMEOUT;
      for (;;) {
        underWay += 1;
        const answer = await requestAds(question).finally(() => {
          underWay -= 1;
        });
        const wait = AGAIN_AFTER * (1 + Math.random());
        if (answer.reason?.code !== 'AD_SERVER_NOT_ASKED' || now() + wait > until) return answer;
        await sleep(timers, wait);
        const right = await claim(one, timeoutMs);
        if (right === undefined) return undefined;
        if (right.answer !== undefined) return restored(right.answer, question);
      }
    },
    async storeOutcome({ claim: one }, answer) {
      try {
        await sessions.keepAnswer({ ...one, holder }, written(answer));
      } catch (error) {
        log('an ad server answer could not be kept for other nodes', { ...one, error });
      }
    },
    remember: ({ claim: one }, answer) => void answers.set(keyOf(one), answer),
    forget(one) {
      answers.delete(keyOf(one));
      theirs.delete(keyOf(one));
    },
  };
}
