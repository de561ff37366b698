// Deciding a viewer's break: request ads, choose creatives, wait for those that are nearly ready, fit the pod, record. The
// first record wins, whichever node wrote it. Whatever fails on the way ends in slate, with the reason in the break's record;
// so does a store that does not respond in time (docs/decisions/017).

import type { CreativeLibrary } from '../../ads/creative/creative.ts';
import type { Decision, StitchedAd } from '../../ads/placement/decision.ts';
import { decidedFor } from '../../ads/placement/personalise.ts';
import { bumperFrames } from '../../ads/pod/fitFramedPod.ts';
import type { ErrorBeacon } from '../../ads/record/adRequestOutcome.ts';
import type { BreakRecord } from '../../ads/record/breakRecord.ts';
import type { Channel } from '../../channels/channel.ts';
import type { SessionStore } from '../../sessions/ports.ts';
import { sleep, type Timers, within } from '../../time/clock.ts';
import { flicksToSeconds, framesToFlicks, type Millis, millis } from '../../time/units.ts';
import { type Span, spanStart } from '../../timeline/span.ts';
import { leastWindow } from '../../timeline/window.ts';
import type { Airing } from '../onAir/airing.ts';
import { type AdRequests, type ClaimedBreak, USUAL_TIMEOUT } from '../request/adRequests.ts';
import type { AdRequestContext } from '../request/requestAds.ts';
import type { BreakDecider } from '../view/view.ts';
import { DECISION_TIMEOUT_MS, type OwnBreak } from '../viewers/breaks.ts';
import { createDecisionPacing } from '../viewers/decisionPacing.ts';
import { RESPONSE_TIMEOUT_MS, type StoreHealth } from '../viewers/storeHealth.ts';
import { STORE_WAIT_MS, type Viewer, type Viewers } from '../viewers/viewers.ts';
import { channelBumpers } from './channelBumpers.ts';
import { choosePod } from './choosePod.ts';
import { composeDecision, type DecisionParts } from './composeDecision.ts';
import { foldBefore } from './foldBefore.ts';
import type { ShownBreaks } from './shownBreaks.ts';

export type RecordedBreak = {
  readonly airing: Pick<Airing, 'channel' | 'ladder'>;
  readonly span: Span;
  readonly decision: Decision;
  readonly record: BreakRecord;
};

export type DeciderDeps = {
  readonly requests: AdRequests;
  readonly callErrorUrls: (errors: readonly ErrorBeacon[], question: AdRequestContext) => void;
  readonly library: CreativeLibrary;
  readonly sessions: SessionStore;
  readonly viewers: Viewers;
  readonly health: StoreHealth;
  readonly shown: ShownBreaks;
  /** What a viewer of the channel will be shown; called once it is stored. */
  readonly onDecided?: (channel: Channel, ads: readonly StitchedAd[]) => void;
  /** For reports: called by whoever recorded a decision first. */
  readonly onRecorded?: (recorded: RecordedBreak) => void;
  readonly now: () => Millis;
  readonly timers: Timers;
  readonly log: (message: string, facts: Record<string, unknown>) => void;
};

/** Milliseconds before a break by which its decision is made; and before the viewer's patience ends, when it is late. */
const CLOSE_BEFORE = 700;
/** Decisions are forgotten, into the odometer, this long after they have left every window. */
const REMEMBERED = 180_000;
/** Questions under way in this process, as long as there are more than so many milliseconds until the break. */
const MOST_AT_ONCE = 250;
const HURRY = 6000;
/** A decision that failed, which is a bug or a store that is away, is not tried again at every poll. */
const AFTER_FAILURE = 2000;

/** When the decision must be made, whatever is not ready by then. */
const closingTime = (own: OwnBreak, now: Millis): Millis => {
  const ahead = own.due - CLOSE_BEFORE;
  return millis(ahead > now + CLOSE_BEFORE ? ahead : Math.max(now, own.due + DECISION_TIMEOUT_MS - CLOSE_BEFORE));
};

const keyOf = (sessionId: string, breakId: string): string => `${sessionId} ${breakId}`;

export function createBreakDecider(deps: DeciderDeps): BreakDecider {
  const { requests, library, sessions, viewers, health, now, timers } = deps;
  const running = new Map<string, Promise<void>>();
  const latest = new Map<string, Promise<void>>();
  const isTurn = createDecisionPacing();

  const hasDecided = ({ choices }: Viewer, { span }: OwnBreak): boolean =>
    decidedFor(choices.decided, span.break!.id) !== undefined;

  /** @returns whether this process recorded it first, and the viewer is shown it */
  async function record(airing: Airing, viewer: Viewer, own: OwnBreak, parts: DecisionParts): Promise<boolean> {
    const { decision, stored, story } = composeDecision(airing, viewer, own, parts);
    const { playlistSize, timeShiftWindow } = viewer.session.reach ?? airing.channel;
    const depth = 1000 * Math.max(playlistSize, timeShiftWindow, leastWindow(airing.ladder));
    const foldable = foldBefore(viewer.choices, decision.startsAt - depth - REMEMBERED);
    const decided = await sessions.decide(viewer.state, stored, story, foldable);
    // The viewer was shown slate while the store did not respond.
    if (isHeld(viewer, own)) return false;
    if (decided !== undefined) viewers.update(airing, decided.state, now());
    if (decided?.isFirst) deps.onRecorded?.({ airing, span: own.span, decision, record: story });
    deps.onDecided?.(airing.channel, decision.ads);
    return decided?.isFirst === true;
  }

  const isHeld = ({ state }: Viewer, { span }: OwnBreak): boolean =>
    state.decisions.some(({ breakId, isShown }) => isShown && breakId === span.break!.id);

  /** Slate, without the store: recorded once it responds. Nothing else can be recorded for the break any more. */
  function hold(airing: Airing, viewer: Viewer, own: OwnBreak): void {
    const text = `Nothing was recorded within ${DECISION_TIMEOUT_MS / 1000} s of the break's start: ${health.failureReason() ?? 'The database did not respond.'}`;
    const reason = { code: 'STORE_AWAY', text };
    const { decision, stored, story } = composeDecision(airing, viewer, own, { tried: [], reason });
    const held = { ...stored, isShown: true };
    const { state, session } = viewer;
    viewers.update(airing, { ...state, decisions: [...state.decisions, held] }, now());
    deps.shown.keep({ sessionId: session.id, decision: held, record: story }, () =>
      deps.onRecorded?.({ airing, span: own.span, decision, record: story }),
    );
  }

  /** @param taken frames that are not the ads' */
  function questionFor(airing: Airing, viewer: Viewer, { span, due }: OwnBreak, taken: number): AdRequestContext {
    const { id, frames, maxAds } = span.break!;
    const duration = flicksToSeconds(framesToFlicks(Math.max(0, frames - taken), airing.ladder.frameRate));
    const adBreak = { id, startsAt: due, duration, ...(maxAds === undefined ? {} : { maxAds }) };
    return { source: airing.channel.adSource!, session: viewer.session, adBreak };
  }

  async function decide(airing: Airing, viewer: Viewer, own: OwnBreak): Promise<void> {
    const { adSource } = airing.channel;
    const { id } = own.span.break!;
    if (adSource === undefined) {
      await viewers.reload(airing, viewer, now());
      if (hasDecided(viewer, own)) return;
      const reason = { code: 'NO_AD_SERVER', text: 'The channel has no adSource, so no ads were requested.' };
      await record(airing, viewer, own, { tried: [], reason });
      return;
    }
    const claim: ClaimedBreak = { sessionId: viewer.session.id, breakId: id, startsAt: spanStart(own.span) };
    const right = await requests.claim(claim, adSource.timeoutMs ?? USUAL_TIMEOUT);
    // Read after the claim: then it holds what an earlier holder has recorded.
    await viewers.reload(airing, viewer, now());
    if (hasDecided(viewer, own)) return requests.forget(claim);
    if (right === undefined) return;
    const closeAt = closingTime(own, now());
    const { bumpers, warnings } = channelBumpers(airing, own.joined > 0, library);
    const question = questionFor(airing, viewer, own, own.joined + bumperFrames(bumpers));
    const answer = await requests.answer(right, question, millis(closeAt - (adSource.timeoutMs ?? 0)));
    if (answer === undefined) return;
    try {
      const onWait = () => (right.answer === undefined ? requests.storeOutcome(right, answer) : Promise.resolve());
      const chosen = await choosePod(airing, viewer, own, { answer, bumpers, closeAt, onWait }, deps);
      if (now() >= own.due + DECISION_TIMEOUT_MS) return;
      const parts = { ...chosen.parts, warnings: [...warnings, ...answer.warnings] };
      const isFirst = await record(airing, viewer, own, parts);
      requests.forget(claim);
      chosen.conditionCopies();
      // Error URLs follow from the decision that was recorded. Where the player tracks, the server sends nothing.
      if (isFirst && airing.channel.tracking !== 'client') deps.callErrorUrls(chosen.errors, question);
    } catch (error) {
      requests.remember(right, answer);
      throw error;
    }
  }

  /** Once for a viewer's break in this process, and one break after the other: what is chosen first is known to the next. */
  function once(viewer: Viewer, own: OwnBreak, work: () => Promise<void>): Promise<void> {
    const { id } = viewer.session;
    const key = keyOf(id, own.span.break!.id);
    const known = running.get(key);
    if (known !== undefined) return known;
    const started = (latest.get(id)?.then(work) ?? work())
      .catch((error: unknown) => {
        deps.log('a break could not be decided', { sessionId: viewer.session.id, breakId: own.span.break!.id, error });
        return sleep(timers, AFTER_FAILURE);
      })
      .finally(() => {
        running.delete(key);
        if (latest.get(id) === started) latest.delete(id);
      });
    running.set(key, started);
    latest.set(id, started);
    return started;
  }

  /** At the deadline: slate, recorded if the store responds, and held if it does not. */
  async function close(airing: Airing, viewer: Viewer, own: OwnBreak): Promise<void> {
    const text = `No decision was made within ${DECISION_TIMEOUT_MS / 1000} s of the break's start.`;
    const parts = { tried: [], reason: { code: 'NOT_DECIDED_IN_TIME', text } };
    // A store that was away a moment ago may be back.
    const patience = health.isUnavailable() ? STORE_WAIT_MS : RESPONSE_TIMEOUT_MS;
    await within(timers, patience, record(airing, viewer, own, parts)).catch((error: unknown) => {
      deps.log('slate could not be recorded in time', { sessionId: viewer.session.id, error });
    });
    if (!hasDecided(viewer, own)) hold(airing, viewer, own);
  }

  return {
    begin(airing, viewer, own, at) {
      // No claim, no request.
      if (health.isUnavailable()) return;
      // Manifests come first: a viewer who can wait a moment is taken at their player's next request.
      if (requests.underWay() >= MOST_AT_ONCE && own.due - at > HURRY) return;
      if (running.has(keyOf(viewer.session.id, own.span.break!.id))) return;
      if (!isTurn(airing.life, viewer, own, at)) return;
      void once(viewer, own, () => decide(airing, viewer, own));
    },
    async settle(airing, viewer, due, at) {
      await viewers.refresh(airing, viewer, at);
      for (const own of due) {
        if (at >= own.due + DECISION_TIMEOUT_MS && !hasDecided(viewer, own)) await close(airing, viewer, own);
      }
    },
  };
}
