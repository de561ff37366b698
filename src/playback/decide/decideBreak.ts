// SPDX-License-Identifier: Apache-2.0
// Decides a viewer's break: request ads, choose creatives, wait for those that are nearly ready, fit the pod, record the
// decision. The first recorded decision is valid on every node. Every failure ends in slate, with the reason in the break's
// record. That includes a store that does not respond in time (docs/decisions/017-store-outages.md).

import type { CreativeLibrary } from '../../ads/creative/creative.ts';
import { bumperFrames } from '../../ads/pod/fitPod.ts';
import { seenBefore } from '../../ads/pod/recentAds.ts';
import type { ErrorBeacon } from '../../ads/record/breakRecord.ts';
import type { AdRequestBreak } from '../../ads/request/requestVariables.ts';
import type { Channel } from '../../channels/channel.ts';
import { defined } from '../../invariant.ts';
import { hasRecorded } from '../../sessions/sessionRules.ts';
import { sleep, type Timers, within } from '../../time/clock.ts';
import { flicksToSeconds, framesToFlicks, type Millis, millis } from '../../time/units.ts';
import { spanStart } from '../../timeline/programme/span.ts';
import type { Airing } from '../onAir/airing.ts';
import type { AdRequests, ClaimedBreak } from '../request/adRequests.ts';
import { channelBudget, type DemandOf, hasDemand } from '../request/demand.ts';
import { NO_AD_SERVER } from '../request/requestAds.ts';
import type { BreakRequest } from '../request/requestSteps.ts';
import type { BreakDecider, DecideBy } from '../view/view.ts';
import { DECISION_TIMEOUT_MS, leadOf, type OwnBreak } from '../viewers/breaks.ts';
import { RESPONSE_TIMEOUT_MS } from '../viewers/storeHealth.ts';
import { STORE_WAIT_MS, type Viewer } from '../viewers/viewers.ts';
import { aboutBreak } from './aboutBreak.ts';
import { awaitCreatives, choosePod, type PodBreak, readyBumpers, shownTraits } from './choosePod.ts';
import type { CountedChoice, ReadCounts } from './countedChoice.ts';
import { createDecisionRecorder, hasDecided, type RecorderDeps } from './decisionRecorder.ts';
import { createFreeAfter } from './freeAfter.ts';
import { createFirstFew, type Prefetcher } from './prefetcher.ts';

export type DeciderDeps = RecorderDeps & {
  readonly requests: AdRequests;
  readonly demandOf: DemandOf;
  readonly chooseCounted: CountedChoice;
  readonly readCounts: ReadCounts;
  readonly callErrorUrls: (errors: readonly ErrorBeacon[], request: Pick<BreakRequest, 'session' | 'adBreak'>) => void;
  readonly library: CreativeLibrary;
  /** Absent where ads are not requested ahead. */
  readonly prefetcher?: Prefetcher;
  readonly requestTimeOf?: NonNullable<BreakDecider['requestTimeOf']>;
};

/** While this process has more ad requests under way, only breaks that start within URGENT_WITHIN_MS are begun. */
const MAX_REQUESTS_UNDER_WAY = 250;
const URGENT_WITHIN_MS = 6000;
/** How often another process's decision is looked up while a first playlist waits for it. */
const JOIN_POLL_MS = 150;
/** For how long a player waits that comes after the timeout; half a target duration if that is shorter. */
const LATE_WAIT_MS = 2000;

const deadlineOf = ({ due }: OwnBreak): Millis => millis(due + DECISION_TIMEOUT_MS);

const AFTER_START = `${DECISION_TIMEOUT_MS / 1000} s of the start of the break`;

const keyOf = (sessionId: string, breakId: string): string => `${sessionId} ${breakId}`;

/** `idle` resolves when no decision is being made. */
type FinishingDecider = BreakDecider & { readonly decideBy: DecideBy; idle(): Promise<void> };

export function createBreakDecider(deps: DeciderDeps): FinishingDecider {
  const { requests, library, viewers, health, prefetcher, requestTimeOf, now, timers } = deps;
  const { record, showSlate } = createDecisionRecorder(deps);
  const runs = createDecisionRuns(timers, deps.log);
  /** The decisions that were begun after the timeout. */
  const late = new Set<string>();
  const mayBegin = createDecisionPacing();

  /** @param deadline slate is shown from then on */
  async function decide(airing: Airing, viewer: Viewer, own: OwnBreak, deadline = deadlineOf(own)): Promise<void> {
    const { channel } = airing;
    const { id } = own.span.break;
    if (!hasDemand(channel)) {
      await viewers.reload(airing, viewer, now());
      if (hasDecided(viewer, own)) return;
      await record(airing, viewer, own, { tried: [], reason: NO_AD_SERVER });
      return;
    }
    const claim: ClaimedBreak = { sessionId: viewer.session.id, breakId: id, startsAt: spanStart(own.span) };
    const timeoutMs = channelBudget(channel);
    const closeAt = closingTime({ due: millis(deadline - DECISION_TIMEOUT_MS) }, now());
    const patienceMs = patienceOf(channel, closeAt - now() - timeoutMs);
    const granted = await requests.claim(claim, timeoutMs + patienceMs);
    // After the claim, so that it includes what an earlier holder has recorded.
    if (!hasRecorded(viewer.state, granted?.recorded)) await viewers.reload(airing, viewer, now());
    if (hasDecided(viewer, own)) return requests.forget(claim);
    if (granted === undefined) return;
    const demand = defined(await deps.demandOf(channel), 'a channel with an ad source has a demand');
    const { bumpers, warnings } = readyBumpers(airing, own.joined > 0, library, own.span.break.bumpers);
    const adBreak = requestedBreak(airing, own, own.joined + bumperFrames(bumpers));
    const readCounts = () => deps.readCounts(channel, viewer.session, own.due);
    const freeAfter = createFreeAfter(airing, podBreakOf(own), bumpers, deps, readCounts);
    const about = aboutBreak(airing, own.span);
    const request: BreakRequest = { demand, session: viewer.session, adBreak, about, freeAfter, patienceMs };
    const need = { seconds: adBreak.duration, requestableUntil: requestableUntil(own, timeoutMs) };
    const ready = granted.outcome ?? (own.isJoin ? undefined : await prefetcher?.take(airing, viewer, need));
    const until = millis(closeAt - (demand.kind === 'server' ? (demand.source.timeoutMs ?? 0) : timeoutMs));
    const outcome = await requests.request(ready ? { claim, outcome: ready } : granted, request, until);
    if (outcome === undefined) return;
    try {
      const onWait = () =>
        granted.outcome === undefined ? requests.storeOutcome(granted, outcome) : Promise.resolve();
      const tried = await awaitCreatives(airing, { outcome, closeAt, onWait }, deps);
      const seen = seenBefore(viewer.state.decisions, spanStart(own.span));
      const chosen = await deps.chooseCounted(channel, viewer.session, own.due, (viewerCounts) => {
        const result = choosePod(airing, podBreakOf(own), { outcome, bumpers, seen, viewerCounts }, tried);
        return { result, traits: shownTraits(result.parts) };
      });
      const taken = (isUsed: boolean) => outcome.prefetchedAt !== undefined && prefetcher?.taken(isUsed);
      if (now() >= deadline) return void taken(false);
      const parts = { ...chosen.parts, warnings: [...warnings, ...outcome.warnings] };
      // Error URLs follow from the recorded decision. With client-side tracking the server calls none.
      const callErrorUrls = () => {
        if (airing.channel.tracking !== 'client') deps.callErrorUrls(chosen.errors, request);
      };
      const isFirst = await record(airing, viewer, own, parts, callErrorUrls);
      requests.forget(claim);
      taken(isFirst);
      chosen.conditionCopies();
    } catch (error) {
      requests.remember(granted, outcome);
      throw error;
    }
  }

  const runOf = ({ session }: Viewer, { span }: OwnBreak) => runs.of(session.id, span.break.id);

  const runOnce = ({ session }: Viewer, { span }: OwnBreak, work: () => Promise<void>): Promise<void> =>
    runs.once(session.id, span.break.id, work);

  /**
   * At the timeout: the player has not requested a playlist since the break was listed, so no decision was begun. Its edge has
   * moved with its last request, so it may wait now, but not for longer than a player has media (law 4).
   */
  async function decideLate(airing: Airing, viewer: Viewer, own: OwnBreak, at: Millis): Promise<void> {
    const key = keyOf(viewer.session.id, own.span.break.id);
    if (own.span.break.live === undefined || own.isJoin || health.isUnavailable(viewer.session.id)) return;
    if (runOf(viewer, own) !== undefined && !late.has(key)) return;
    const deadline = millis(at + Math.min(LATE_WAIT_MS, 500 * airing.ladder.targetDuration));
    late.add(key);
    const work = runOnce(viewer, own, () => decide(airing, viewer, own, deadline)).finally(() => late.delete(key));
    await awaitDecision(airing, viewer, own, deadline, work);
  }

  /** Waits until any process has decided the break. */
  async function awaitDecision(
    airing: Airing,
    viewer: Viewer,
    own: OwnBreak,
    deadline: number,
    work: Promise<void> | undefined,
  ): Promise<void> {
    let awaited = work;
    while (!hasDecided(viewer, own) && now() < deadline) {
      const left = Math.min(JOIN_POLL_MS, deadline - now());
      await within(timers, left, awaited ?? sleep(timers, left));
      awaited = runOf(viewer, own);
      if (!hasDecided(viewer, own)) await viewers.refresh(airing, viewer, now());
    }
  }

  /** At the timeout: records slate if the store responds, and shows slate if it does not. */
  async function timeOut(airing: Airing, viewer: Viewer, own: OwnBreak, limit = AFTER_START): Promise<void> {
    const text = `No decision was made within ${limit}.`;
    const parts = { tried: [], reason: { code: 'NOT_DECIDED_IN_TIME', text } };
    // An unavailable store is tried too, for a shorter time: it may be available again.
    const timeoutMs = health.isUnavailable(viewer.session.id) ? STORE_WAIT_MS : RESPONSE_TIMEOUT_MS;
    await within(timers, timeoutMs, record(airing, viewer, own, parts)).catch((error: unknown) => {
      deps.log('failed to record slate in time', { sessionId: viewer.session.id, error });
    });
    if (!hasDecided(viewer, own)) showSlate(airing, viewer, own, limit);
  }

  function begin(airing: Airing, viewer: Viewer, own: OwnBreak, at: Millis): void {
    // Without the store there is no claim, and without a claim no request.
    if (health.isUnavailable(viewer.session.id)) return;
    // Under load, manifests have priority: a break that is not urgent is begun at a later poll.
    if (requests.underWay() >= MAX_REQUESTS_UNDER_WAY && own.due - at > URGENT_WITHIN_MS) return;
    if (runOf(viewer, own) !== undefined) return;
    if (!mayBegin(airing.life, viewer, own, at, requestTimeOf?.(airing.channel))) return;
    void runOnce(viewer, own, () => decide(airing, viewer, own));
  }

  /** A playlist cannot be empty, so the first one waits until the ads before the content are decided. */
  function awaitJoin(airing: Airing, viewer: Viewer, own: OwnBreak): Promise<void> {
    begin(airing, viewer, own, now());
    return awaitDecision(airing, viewer, own, deadlineOf(own), runOf(viewer, own));
  }

  return {
    begin,
    idle: runs.idle,
    async decideBy(airing, viewer, own, deadline) {
      const limit = `${Math.round((deadline - now()) / 100) / 10} s of the player's request for the ads`;
      if (!health.isUnavailable(viewer.session.id)) {
        const work = runOnce(viewer, own, () => decide(airing, viewer, own, deadline));
        await awaitDecision(airing, viewer, own, deadline, work);
      }
      if (!hasDecided(viewer, own)) await timeOut(airing, viewer, own, limit);
    },
    ...(prefetcher && { prefetch: prefetcher.consider }),
    ...(requestTimeOf && { requestTimeOf }),
    async settle(airing, viewer, due, at) {
      await viewers.refresh(airing, viewer, at);
      const join = due.find((own) => own.isJoin && !hasDecided(viewer, own));
      if (join !== undefined) await awaitJoin(airing, viewer, join);
      for (const own of due) {
        const time = own.isJoin ? now() : at;
        if (time < deadlineOf(own) || hasDecided(viewer, own)) continue;
        await decideLate(airing, viewer, own, at);
        if (!hasDecided(viewer, own)) await timeOut(airing, viewer, own);
      }
    },
  };
}

/** The decision is made this long before the break, or if it is late, this long before its timeout. */
const CLOSE_BEFORE_MS = 700;

/** When the decision must be made; creatives that are not ready by then are skipped. */
export const closingTime = ({ due }: Pick<OwnBreak, 'due'>, now: Millis): Millis => {
  const ahead = due - CLOSE_BEFORE_MS;
  return millis(ahead > now + CLOSE_BEFORE_MS ? ahead : Math.max(now, due + DECISION_TIMEOUT_MS - CLOSE_BEFORE_MS));
};

/** Until when a request can begin whose response comes before the break even if it takes as long as it may. */
export const requestableUntil = ({ due }: Pick<OwnBreak, 'due'>, timeoutMs: number): Millis =>
  millis(due - CLOSE_BEFORE_MS - timeoutMs);

/** Requests that wait for the rate of a source do so for this long at most. */
const PATIENCE_MS = 3000;

/** How long requests may wait for their turn. @param sparedMs until the decision is made, besides the time budget */
const patienceOf = ({ adSteps = [] }: Channel, sparedMs: number): number =>
  adSteps.length === 0 ? 0 : Math.min(PATIENCE_MS, Math.max(0, sparedMs));

/** What a break of a linear or live channel requests of ad sources. @param reserved frames that are not available to ads */
function requestedBreak({ ladder }: Airing, { span, due }: OwnBreak, reserved: number): AdRequestBreak {
  const { id, frames, maxAds } = span.break;
  const duration = flicksToSeconds(framesToFlicks(Math.max(0, frames - reserved), ladder.frameRate));
  return { id, startsAt: due, duration, ...(maxAds === undefined ? {} : { maxAds }) };
}

const podBreakOf = ({ span, joined }: OwnBreak): PodBreak => {
  const { frames, maxAds } = span.break;
  return { breakFrames: frames - joined, ...(maxAds === undefined ? {} : { maxAds }) };
};

/**
 * Decisions are spread over the lead time so that the ad server does not receive all requests at once. The decisions of
 * the first few viewers begin immediately, so that their creatives are prepared early. At the rates of ad sources, requests of many
 * viewers take longer than the lead time of a short break, so that they begin earlier.
 * @returns whether the viewer's decision may begin; for an unpaced viewer, true only once
 */
export function createDecisionPacing() {
  const isOneOfFew = createFirstFew();
  return (life: string, { spread }: Viewer, own: OwnBreak, at: Millis, requests?: number): boolean =>
    at >= own.due - leadOf(own, spread, requests) || isOneOfFew(`${life} ${own.span.break.id}`);
}

/** After a failure, which is an outage or a bug, the decision is not attempted again at every poll. */
const RETRY_AFTER_FAILURE_MS = 2000;

/**
 * The decisions that this process is making: one for each break of a viewer, and one break of a viewer at a time, because later
 * breaks see earlier choices.
 */
function createDecisionRuns(timers: Timers, log: (message: string, facts: Record<string, unknown>) => void) {
  const running = new Map<string, Promise<void>>();
  const latest = new Map<string, Promise<void>>();
  return {
    /** Undefined unless the decision is being made. */
    of: (sessionId: string, breakId: string): Promise<void> | undefined => running.get(keyOf(sessionId, breakId)),
    /** Begins the work, unless the decision is being made already. Never rejects: failures are logged. */
    once(sessionId: string, breakId: string, work: () => Promise<void>): Promise<void> {
      const key = keyOf(sessionId, breakId);
      const known = running.get(key);
      if (known !== undefined) return known;
      const started = (latest.get(sessionId)?.then(work) ?? work())
        .catch((error: unknown) => {
          log('failed to decide a break', { sessionId, breakId, error });
          return sleep(timers, RETRY_AFTER_FAILURE_MS);
        })
        .finally(() => {
          running.delete(key);
          if (latest.get(sessionId) === started) latest.delete(sessionId);
        });
      running.set(key, started);
      latest.set(sessionId, started);
      return started;
    },
    /** Resolves when no decision is being made. */
    async idle() {
      while (running.size > 0) await Promise.all(running.values());
    },
  };
}
