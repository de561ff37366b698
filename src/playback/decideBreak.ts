// Deciding a viewer's break: ask, choose creatives, wait for those that are nearly ready, fit the pod, record. The first
// record wins, whoever wrote it. Whatever fails on the way ends in slate, with the reason in the break's record.
import { breakClips } from '../ads/breakClips.ts';
import { ownClipId, type StoryParts, tellBreak } from '../ads/breakStory.ts';
import type { CreativeLibrary } from '../ads/creative.ts';
import type { StitchedAd } from '../ads/decision.ts';
import { shiftOf } from '../ads/personalise.ts';
import { fitPod } from '../ads/pod.ts';
import type { SessionStore, StoredDecision } from '../sessions/ports.ts';
import { flicksToSeconds, framesToFlicks, type Millis, millis } from '../time/units.ts';
import { spanStart } from '../timeline/span.ts';
import type { Airing } from './airing.ts';
import type { AdQuestion } from './askAds.ts';
import type { AdAnswer, ErrorBeacon } from './askAdsAnswer.ts';
import { errorsOf } from './askAdsErrors.ts';
import { type OwnBreak, PATIENCE } from './breaks.ts';
import { candidateFor, type TriedCandidate } from './candidates.ts';
import type { BreakDecider } from './view.ts';
import type { Viewer, Viewers } from './viewers.ts';

export type DeciderDeps = {
  readonly ask: (question: AdQuestion) => Promise<AdAnswer>;
  readonly tellErrors: (errors: readonly ErrorBeacon[], question: AdQuestion) => void;
  readonly library: CreativeLibrary;
  readonly sessions: SessionStore;
  readonly viewers: Viewers;
  readonly now: () => Millis;
  readonly log: (message: string, facts: Record<string, unknown>) => void;
};

/** Milliseconds before a break by which its decision is made; and before the viewer's patience ends, when it is late. */
const CLOSE_BEFORE = 700;
/** Decisions are forgotten, into the odometer, this long after they have left every window. */
const REMEMBERED = 180_000;

/** When the decision must be made, whatever is not ready by then. */
const closingTime = (own: OwnBreak, now: Millis): Millis => {
  const ahead = own.due - CLOSE_BEFORE;
  return millis(ahead > now + CLOSE_BEFORE ? ahead : Math.max(now, own.due + PATIENCE - CLOSE_BEFORE));
};

function settledOrLate(promises: readonly Promise<unknown>[], waitMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, Math.max(0, waitMs));
  });
  return Promise.race([Promise.allSettled(promises).then(() => {}), late]).finally(() => clearTimeout(timer));
}

export function createBreakDecider(deps: DeciderDeps): BreakDecider {
  const { library, sessions, viewers, now } = deps;
  const running = new Map<string, Promise<void>>();

  async function record(
    airing: Airing,
    viewer: Viewer,
    own: OwnBreak,
    parts: Omit<StoryParts, 'span' | 'joined' | 'rate'>,
  ) {
    const { span, joined } = own;
    const offset = joined > 0 ? 1 : 0;
    const ads = (parts.pod?.ads ?? []).map(
      ({ creativeId, frames }, index): StitchedAd => ({
        adId: ownClipId(span.break!.id, index + offset),
        mediaId: creativeId,
        frames,
      }),
    );
    const decision = { breakId: span.break!.id, startsAt: spanStart(span), joined, ads };
    const clips = breakClips(decision, span.break!, airing.clips).map(({ clip }) => clip);
    const stored: StoredDecision = { ...decision, shift: shiftOf(span.placed.clip, clips) };
    const story = tellBreak({ ...parts, span, joined, rate: airing.ladder.frameRate });
    const { playlistSize, timeShiftWindow } = viewer.session.reach ?? airing.channel;
    const depth = 1000 * Math.max(playlistSize, timeShiftWindow);
    const foldBefore = millis(Math.max(0, decision.startsAt - depth - REMEMBERED));
    const state = await sessions.decide(viewer.state, stored, story, foldBefore);
    if (state !== undefined) viewers.update(airing, state, now());
  }

  function questionFor(airing: Airing, viewer: Viewer, { span, joined, due }: OwnBreak): AdQuestion {
    const { id, frames, maxAds } = span.break!;
    const duration = flicksToSeconds(framesToFlicks(frames - joined, airing.ladder.frameRate));
    const asked = { id, startsAt: due, duration, ...(maxAds === undefined ? {} : { maxAds }) };
    return { source: airing.channel.adSource!, session: viewer.session, asked };
  }

  async function decide(airing: Airing, viewer: Viewer, own: OwnBreak): Promise<void> {
    await viewers.reload(airing, viewer, now());
    const { span, joined } = own;
    const { id, frames, maxAds } = span.break!;
    if (viewer.choices.decided.has(id)) return;
    if (airing.channel.adSource === undefined) {
      const reason = { code: 'NO_AD_SERVER', text: 'The channel has no adSource, so nobody was asked for ads.' };
      return record(airing, viewer, own, { tried: [], reason });
    }
    const closeAt = closingTime(own, now());
    const question = questionFor(airing, viewer, own);
    const answer = await deps.ask(question);
    const tried = answer.ads.map((resolved): TriedCandidate => candidateFor(resolved, airing.ladder, library));
    await settledOrLate(
      tried.map(({ settled }) => settled),
      closeAt - now(),
    );
    const candidates = tried.map(({ candidate }) => candidate());
    const pod = fitPod({
      breakFrames: frames - joined,
      rate: airing.ladder.frameRate,
      candidates,
      ...(maxAds === undefined ? {} : { maxAds }),
    });
    await record(airing, viewer, own, { ...answer, tried, pod });
    const lost = pod.fates.flatMap((fate, index) =>
      fate.outcome === 'skipped' ? errorsOf(tried[index]!.ad, fate) : [],
    );
    deps.tellErrors([...answer.errors, ...lost], question);
  }

  /** One at a time for a viewer's break in this process. */
  function once(viewer: Viewer, own: OwnBreak, work: () => Promise<void>): Promise<void> {
    const key = `${viewer.session.id} ${own.span.break!.id}`;
    const known = running.get(key);
    if (known !== undefined) return known;
    const started = work()
      .catch((error: unknown) => {
        deps.log('a break could not be decided', { sessionId: viewer.session.id, breakId: own.span.break!.id, error });
      })
      .finally(() => running.delete(key));
    running.set(key, started);
    return started;
  }

  return {
    begin(airing, viewer, own) {
      void once(viewer, own, () => decide(airing, viewer, own));
    },
    catchUp: (airing, viewer, at) => viewers.reload(airing, viewer, at),
    async giveUp(airing, viewer, own) {
      const text = `No decision was made within ${PATIENCE / 1000} s of the break's start.`;
      await record(airing, viewer, own, { tried: [], reason: { code: 'NOT_DECIDED_IN_TIME', text } });
    },
  };
}
