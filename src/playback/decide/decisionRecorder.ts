// SPDX-License-Identifier: Apache-2.0
// Records decisions: in the store, or as slate on the local disk while the store does not respond. The first decision that is
// recorded for a break is counted, by the process that recorded it.
import { randomUUID } from 'node:crypto';
import type { Decision, StitchedAd } from '../../ads/placement/decision.ts';
import { type Choices, type DecidedBreak, decidedFor } from '../../ads/placement/personalise.ts';
import type { BreakRecord } from '../../ads/record/breakRecord.ts';
import type { BreakRecordParts, RecordedPlace } from '../../ads/record/buildBreakRecord.ts';
import { isPreview } from '../../ads/request/preview.ts';
import type { Channel } from '../../channels/channel.ts';
import type { SessionState, SessionStore, StoredDecision } from '../../sessions/ports.ts';
import { writeDelay } from '../../sessions/sessionRules.ts';
import { type Clock, sleep, type Timers } from '../../time/clock.ts';
import { type Millis, millis, millisToFlicks } from '../../time/units.ts';
import { after, spanEnd } from '../../timeline/programme/span.ts';
import type { Airing } from '../onAir/airing.ts';
import type { OwnBreak } from '../viewers/breaks.ts';
import { depthsOf } from '../viewers/depths.ts';
import type { StoreHealth } from '../viewers/storeHealth.ts';
import type { Viewer, Viewers } from '../viewers/viewers.ts';
import { bidNotices } from './bidNotices.ts';
import { type AdChannel, composeDecision } from './choosePod.ts';
import { playerBreaksOf } from './playerBreaks.ts';
import type { ShownBreaks } from './shownBreaks.ts';

export type RecorderDeps = Clock & {
  readonly sessions: SessionStore;
  readonly viewers: Viewers;
  readonly health: StoreHealth;
  readonly shown: ShownBreaks;
  /** Called with the ads that a viewer will be shown, once the decision is stored. */
  readonly onDecided?: (channel: Channel, ads: readonly StitchedAd[]) => void;
  /** For reports: called by the node that recorded the decision first. */
  readonly onRecorded?: (recorded: RecordedBreak) => void;
  /** The notices of bids: called by the same node. */
  readonly callNotices: (urls: readonly string[], tenant: string) => void;
  readonly log: (message: string, facts: Record<string, unknown>) => void;
};

/** A decision is folded into the odometer this long after its break has left every window. */
const FOLD_AFTER_MS = 180_000;

/** Whether the break is decided, also if the decision was read just now and is placed with the next request. */
export const hasDecided = ({ choices, state }: Viewer, { span }: OwnBreak): boolean =>
  decidedFor(choices.decided, span.break.id) !== undefined ||
  state.decisions.some(({ breakId, isVoid }) => breakId === span.break.id && !isVoid);

const isShownAsSlate = ({ state }: Viewer, { span }: OwnBreak): boolean =>
  state.decisions.some(({ breakId, isShown }) => isShown && breakId === span.break.id);

export function createDecisionRecorder(deps: RecorderDeps) {
  const { sessions, viewers, health, now } = deps;
  const lost = createLostResponses(deps);
  const playerBreaks = playerBreaksOf(sessions);

  function count({ session }: Viewer, recorded: RecordedBreak): void {
    if (isPreview(session)) return;
    deps.onRecorded?.(recorded);
    deps.callNotices(bidNotices(recorded.record), session.tenant);
  }

  return {
    /**
     * @param onFirst called if this process recorded the decision first, and the viewer is shown it: also after a failure, once it is
     * known that the store has the decision
     * @returns whether `onFirst` was called
     */
    async record(
      airing: Airing,
      viewer: Viewer,
      own: OwnBreak,
      parts: BreakRecordParts,
      onFirst?: () => void,
    ): Promise<boolean> {
      const { decision, record, ...composed } = composeDecision(airing, viewer, own, parts);
      const stored: StoredDecision = { writer: randomUUID().slice(-12), ...composed.stored };
      const { largest } = depthsOf(viewer.session, airing);
      const foldable = foldBefore(viewer.choices, decision.startsAt - largest - FOLD_AFTER_MS);
      const mayWait = writeDelay(decision.startsAt, now());
      function countFirst(): void {
        // The asset list of a guided viewer follows at once.
        if (viewer.session.guided !== undefined) playerBreaks.keep(viewer.session.id, stored.breakId, record);
        count(viewer, { airing, place: placeByClock(airing, own), decision, record });
        onFirst?.();
      }
      const decided = await sessions.decide(viewer.state, stored, record, foldable, mayWait).catch((error: unknown) => {
        lost.watch(viewer.session.id, stored, (state) => {
          if (isShownAsSlate(viewer, own)) return;
          countFirst();
          deps.onDecided?.(airing.channel, decision.ads);
          if (!hasDecided(viewer, own)) viewers.update(airing, state, now());
        });
        throw error;
      });
      // During the call, the viewer was shown slate because the store did not respond in time.
      if (isShownAsSlate(viewer, own)) return false;
      if (decided !== undefined) viewers.update(airing, decided.state, now());
      if (decided?.isFirst) countFirst();
      deps.onDecided?.(airing.channel, decision.ads);
      return decided?.isFirst === true;
    },
    /**
     * Shows slate during an outage and spools the decision. No other decision can be recorded for the break afterwards.
     * @param limit in which no decision was recorded, for people
     */
    showSlate(airing: Airing, viewer: Viewer, own: OwnBreak, limit: string) {
      const cause = health.failureReason(viewer.session.id) ?? 'The session store did not respond.';
      const text = `No decision was recorded within ${limit}. ${cause}`;
      const reason = { code: 'STORE_AWAY', text };
      const { decision, stored, record } = composeDecision(airing, viewer, own, { tried: [], reason });
      const shown = { isShown: true, ...stored };
      const { state, session } = viewer;
      viewers.update(airing, { ...state, decisions: [...state.decisions, shown] }, now());
      deps.shown.keep({ sessionId: session.id, life: session.life, decision: shown, record }, () =>
        count(viewer, { airing, place: placeByClock(airing, own), decision, record }),
      );
    },
  };
}

// Which decisions may be folded into the odometer: those whose whole break has left every window. A break may last an hour, and
// folding the decision of a listed break would replace its ads by slate (law 1).

/** Content after ads within it is a Period of its own in DASH, until the next break (law 7). */
function endOf({ startsAt, spans, region }: DecidedBreak, decided: readonly DecidedBreak[]): number {
  if (region !== undefined) return Math.min(...decided.map((one) => one.startsAt).filter((start) => start > startsAt));
  const last = spans[spans.length - 1];
  return last === undefined ? startsAt : spanEnd(last);
}

/**
 * Decisions for breaks that start before the returned instant may be folded.
 * @param horizon no window lists anything that ends before it
 */
export function foldBefore({ decided }: Choices, horizon: number): Millis {
  let before = Math.max(0, horizon);
  for (const one of decided) {
    const decidedAt = Math.min(one.startsAt, one.decidedAt ?? one.startsAt);
    if (decidedAt < before && endOf(one, decided) > horizon) before = decidedAt;
  }
  return millis(before);
}

// Decisions whose recording failed: the store did not respond, or no replica confirmed the change in time. The store may have them
// nevertheless. Each is looked up for a while, so that this process counts it if it was the first.

type LostResponsesDeps = {
  readonly sessions: Pick<SessionStore, 'find'>;
  readonly health: Pick<StoreHealth, 'isUnavailable'>;
  readonly timers: Timers;
  readonly log: (message: string, facts: Record<string, unknown>) => void;
};

const LOOK_UP_INTERVAL_MS = 5000;
/** Redis drops a replica that has not responded for a minute; from then on it confirms changes again. */
const WATCHED_MS = 90_000;
const MAX_WATCHED = 20_000;

export function createLostResponses({ sessions, health, timers, log }: LostResponsesDeps) {
  let watched = 0;

  /** @returns undefined if the store does not respond */
  async function find(sessionId: string): Promise<SessionState | undefined> {
    if (health.isUnavailable(sessionId)) return undefined;
    return sessions.find(sessionId).catch(() => undefined);
  }

  async function lookUp(
    sessionId: string,
    { breakId, writer }: StoredDecision,
    onStored: (state: SessionState) => void,
  ): Promise<void> {
    const until = timers.elapsed() + WATCHED_MS;
    while (timers.elapsed() < until) {
      // The decisions of an outage are many, and do not arrive at the store at once.
      await sleep(timers, LOOK_UP_INTERVAL_MS * (0.5 + Math.random() / 2));
      const state = await find(sessionId);
      const found = state?.decisions.find((one) => one.breakId === breakId);
      if (state === undefined || found === undefined) continue;
      if (found.writer === writer) onStored(state);
      return;
    }
  }

  return {
    /**
     * @param decision with its `writer`
     * @param onStored called once if the store has this decision for its break, and no other
     */
    watch(sessionId: string, decision: StoredDecision, onStored: (state: SessionState) => void): void {
      if (watched >= MAX_WATCHED) return;
      watched += 1;
      lookUp(sessionId, decision, onStored)
        .catch((error: unknown) => {
          log('failed to count a stored decision', { sessionId, breakId: decision.breakId, error });
        })
        .finally(() => {
          watched -= 1;
        });
    },
  };
}

/** A decision as reports count it. */
export type RecordedBreak = {
  readonly airing: AdChannel;
  /** `frames` is absent for an inserted break, which is as long as what it shows. */
  readonly place: Pick<RecordedPlace, 'start' | 'frames'>;
  readonly decision: Pick<Decision, 'joined' | 'ads' | 'intro' | 'outro'>;
  readonly record: BreakRecord;
};

const placeByClock = ({ programme }: Airing, { span }: OwnBreak): RecordedBreak['place'] => ({
  start: after(span.placed.start, millisToFlicks(millis(programme.lag))),
  frames: span.break.frames,
});
