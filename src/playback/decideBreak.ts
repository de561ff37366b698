// Deciding a viewer's break: ask, choose creatives, wait for those that are nearly ready, fit the pod, record. The first
// record wins, whoever wrote it. Whatever fails on the way ends in slate, with the reason in the break's record.
import { breakClips } from '../ads/breakClips.ts';
import type { BreakRecord } from '../ads/breakRecord.ts';
import { ownClipId, type StoryParts, tellBreak } from '../ads/breakStory.ts';
import type { CreativeLibrary, CreativeOwner } from '../ads/creative.ts';
import type { Decision, StitchedAd } from '../ads/decision.ts';
import { decidedFor, shiftOf } from '../ads/personalise.ts';
import type { PodOrder } from '../ads/pod.ts';
import { bumperFrames, fitFramedPod } from '../ads/podBumpers.ts';
import { seenBefore, seenSince } from '../ads/recentAds.ts';
import type { Channel } from '../channels/channel.ts';
import type { SessionStore, StoredDecision } from '../sessions/ports.ts';
import { sleep, type Timers, within } from '../time/clock.ts';
import { flicksToSeconds, framesToFlicks, type Millis, millis } from '../time/units.ts';
import { secondsToFrames } from '../timeline/frameGrid.ts';
import { type Span, spanStart } from '../timeline/span.ts';
import { leastWindow } from '../timeline/window.ts';
import type { Airing } from './airing.ts';
import type { AdQuestion } from './askAds.ts';
import type { AdAnswer, ErrorBeacon } from './askAdsAnswer.ts';
import { errorsOf } from './askAdsErrors.ts';
import { type OwnBreak, PATIENCE } from './breaks.ts';
import { candidateFor, type TriedCandidate } from './candidates.ts';
import { channelBumpers } from './channelBumpers.ts';
import { foldBefore } from './foldBefore.ts';
import { createTurns } from './turns.ts';
import type { BreakDecider } from './view.ts';
import type { Viewer, Viewers } from './viewers.ts';

export type RecordedBreak = {
  readonly airing: Pick<Airing, 'channel' | 'ladder'>;
  readonly span: Span;
  readonly decision: Decision;
  readonly story: BreakRecord;
};

export type DeciderDeps = {
  readonly ask: (question: AdQuestion) => Promise<AdAnswer>;
  readonly tellErrors: (errors: readonly ErrorBeacon[], question: AdQuestion) => void;
  readonly library: CreativeLibrary;
  readonly sessions: SessionStore;
  readonly viewers: Viewers;
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
/** A rest of a break shorter than this is not filled, unless the channel says otherwise; seconds. */
const LEAST_FILL = 1;
/** Who was turned away at the ad server's door comes again after so many milliseconds, or twice as many. */
const COME_AGAIN = 1500;
/** Questions under way in this process, as long as there are more than so many milliseconds until the break. */
const MOST_AT_ONCE = 250;
const HURRY = 6000;
/** A decision that failed, which is a bug or a store that is away, is not tried again at every poll. */
const AFTER_FAILURE = 2000;

/** When the decision must be made, whatever is not ready by then. */
const closingTime = (own: OwnBreak, now: Millis): Millis => {
  const ahead = own.due - CLOSE_BEFORE;
  return millis(ahead > now + CLOSE_BEFORE ? ahead : Math.max(now, own.due + PATIENCE - CLOSE_BEFORE));
};

const keyOf = (sessionId: string, breakId: string): string => `${sessionId} ${breakId}`;
const ownerOf = ({ channel }: Airing): CreativeOwner => ({ tenant: channel.tenant, channelId: channel.id });

export function createBreakDecider(deps: DeciderDeps): BreakDecider {
  const { library, sessions, viewers, now, timers } = deps;
  const running = new Map<string, Promise<void>>();
  const latest = new Map<string, Promise<void>>();
  const isTurn = createTurns();
  let asking = 0;

  async function record(
    airing: Airing,
    viewer: Viewer,
    own: OwnBreak,
    parts: Omit<StoryParts, 'span' | 'joined' | 'rate'>,
  ) {
    const { span, joined } = own;
    const { ads: fitted = [], intro, outro } = parts.pod ?? {};
    const offset = joined > 0 || intro !== undefined ? 1 : 0;
    const ads = fitted.map(
      ({ creativeId, frames }, index): StitchedAd => ({
        adId: ownClipId(span.break!.id, index + offset),
        mediaId: creativeId,
        frames,
      }),
    );
    const decision: Decision = {
      breakId: span.break!.id,
      startsAt: spanStart(span),
      joined,
      ads,
      ...(intro ? { intro } : {}),
      ...(outro ? { outro } : {}),
    };
    const clips = breakClips(decision, span.break!, airing.clips).map(({ clip }) => clip);
    const before = seenBefore(viewer.state.decisions, decision.startsAt);
    const stored: StoredDecision = {
      ...decision,
      shift: shiftOf(span.placed.clip, clips),
      ...(before === '' ? {} : { before }),
    };
    const story = tellBreak({ ...parts, span, joined, rate: airing.ladder.frameRate });
    const { playlistSize, timeShiftWindow } = viewer.session.reach ?? airing.channel;
    const depth = 1000 * Math.max(playlistSize, timeShiftWindow, leastWindow(airing.ladder));
    const foldable = foldBefore(viewer.choices, decision.startsAt - depth - REMEMBERED);
    const decided = await sessions.decide(viewer.state, stored, story, foldable);
    if (decided !== undefined) viewers.update(airing, decided.state, now());
    if (decided?.isFirst) deps.onRecorded?.({ airing, span, decision, story });
    deps.onDecided?.(airing.channel, ads);
  }

  /** @param taken frames that are not the ads' */
  function questionFor(airing: Airing, viewer: Viewer, { span, due }: OwnBreak, taken: number): AdQuestion {
    const { id, frames, maxAds } = span.break!;
    const duration = flicksToSeconds(framesToFlicks(Math.max(0, frames - taken), airing.ladder.frameRate));
    const asked = { id, startsAt: due, duration, ...(maxAds === undefined ? {} : { maxAds }) };
    return { source: airing.channel.adSource!, session: viewer.session, asked };
  }

  /** Whoever was not asked at all, because too many others were, is asked again while there is time. */
  async function ask(question: AdQuestion, until: number): Promise<AdAnswer> {
    for (;;) {
      asking += 1;
      const answer = await deps.ask(question).finally(() => {
        asking -= 1;
      });
      const wait = COME_AGAIN * (1 + Math.random());
      if (answer.reason?.code !== 'AD_SERVER_NOT_ASKED' || now() + wait > until) return answer;
      await sleep(timers, wait);
    }
  }

  async function decide(airing: Airing, viewer: Viewer, own: OwnBreak): Promise<void> {
    await viewers.reload(airing, viewer, now());
    const { span, joined } = own;
    const { id, frames, maxAds } = span.break!;
    if (decidedFor(viewer.choices.decided, id) !== undefined) return;
    if (airing.channel.adSource === undefined) {
      const reason = { code: 'NO_AD_SERVER', text: 'The channel has no adSource, so nobody was asked for ads.' };
      return record(airing, viewer, own, { tried: [], reason });
    }
    const closeAt = closingTime(own, now());
    const { bumpers, warnings } = channelBumpers(airing, joined > 0, library);
    const question = questionFor(airing, viewer, own, joined + bumperFrames(bumpers));
    const answer = await ask(question, closeAt - (question.source.timeoutMs ?? 0));
    const tried = answer.ads.map(
      (resolved): TriedCandidate => candidateFor(resolved, airing.ladder, library, answer.variables, ownerOf(airing)),
    );
    await within(timers, closeAt - now(), Promise.allSettled(tried.map(({ settled }) => settled)));
    const candidates = tried.map(({ candidate }) => candidate());
    const rate = airing.ladder.frameRate;
    const seen = seenBefore(viewer.state.decisions, spanStart(span));
    const order: PodOrder = {
      breakFrames: frames - joined,
      rate,
      candidates,
      seenSince: (mediaId) => seenSince(seen, mediaId),
      leastFill: secondsToFrames(airing.channel.fillThreshold ?? LEAST_FILL, rate),
      ...(maxAds === undefined ? {} : { maxAds }),
      ...(airing.channel.repeats === undefined ? {} : { repeats: airing.channel.repeats }),
    };
    const pod = fitFramedPod(order, bumpers);
    const told = tried.map((one, index) => {
      const { creative } = candidates[index]!;
      return creative.state === 'ready' ? { ...one, media: creative.media } : one;
    });
    await record(airing, viewer, own, { ...answer, warnings: [...warnings, ...answer.warnings], tried: told, pod });
    pod.fates.forEach((fate, index) => {
      if (fate.outcome === 'skipped' && fate.code === 'FIXED_LENGTH') tried[index]!.loosen();
    });
    const lost = pod.fates.flatMap((fate, index) =>
      fate.outcome === 'skipped' ? errorsOf(tried[index]!.ad, fate) : [],
    );
    // Where the player tracks, the server tells nobody anything.
    if (airing.channel.tracking !== 'client') deps.tellErrors([...answer.errors, ...lost], question);
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

  /** While the store is away the edge waits on, and what was published is still listed: better than an error. */
  const unlessAway = (viewer: Viewer, work: () => Promise<void>): Promise<void> =>
    work().catch((error: unknown) => {
      deps.log('a session could not be read or written', { sessionId: viewer.session.id, error });
    });

  return {
    begin(airing, viewer, own, at) {
      // Manifests come first: whoever can wait a moment is taken when their player asks again.
      if (asking >= MOST_AT_ONCE && own.due - at > HURRY) return;
      if (running.has(keyOf(viewer.session.id, own.span.break!.id))) return;
      if (!isTurn(airing.life, viewer, own, at)) return;
      void once(viewer, own, () => decide(airing, viewer, own));
    },
    catchUp: (airing, viewer, at) => unlessAway(viewer, () => viewers.reload(airing, viewer, at)),
    async giveUp(airing, viewer, own) {
      const text = `No decision was made within ${PATIENCE / 1000} s of the break's start.`;
      const reason = { code: 'NOT_DECIDED_IN_TIME', text };
      await unlessAway(viewer, () => record(airing, viewer, own, { tried: [], reason }));
    },
  };
}
