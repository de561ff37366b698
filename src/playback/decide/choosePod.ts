// The pod of a viewer's break from the ads that came back: their creatives are looked up, waited for until the decision has to
// be made, and fitted.
import type { CreativeLibrary, CreativeOwner } from '../../ads/creative/creative.ts';
import { fitFramedPod } from '../../ads/pod/fitFramedPod.ts';
import type { PodOrder } from '../../ads/pod/fitPod.ts';
import { seenBefore, seenSince } from '../../ads/pod/recentAds.ts';
import type { AdRequestOutcome, ErrorBeacon } from '../../ads/record/adRequestOutcome.ts';
import { type Timers, within } from '../../time/clock.ts';
import type { Millis } from '../../time/units.ts';
import { secondsToFrames } from '../../timeline/frameGrid.ts';
import { spanStart } from '../../timeline/span.ts';
import type { Airing } from '../onAir/airing.ts';
import { errorBeaconsOf } from '../request/errorUrls.ts';
import type { OwnBreak } from '../viewers/breaks.ts';
import type { Viewer } from '../viewers/viewers.ts';
import { candidateFor, type TriedCandidate } from './candidates.ts';
import type { channelBumpers } from './channelBumpers.ts';
import type { DecisionParts } from './composeDecision.ts';

export type PodDeps = {
  readonly library: CreativeLibrary;
  readonly now: () => Millis;
  readonly timers: Timers;
};

export type PodInput = {
  readonly answer: AdRequestOutcome;
  readonly bumpers: ReturnType<typeof channelBumpers>['bumpers'];
  /** When the decision has to be made, whatever is not ready by then. */
  readonly closeAt: Millis;
  /** Called when creatives have to be waited for. */
  readonly onWait: () => Promise<void>;
};

export type ChosenPod = {
  readonly parts: DecisionParts;
  /** Of the ads that could not be shown. */
  readonly errors: readonly ErrorBeacon[];
  /** Has copies made of creatives that could not be cut, for the breaks to come. */
  readonly conditionCopies: () => void;
};

/** A rest of a break shorter than this is not filled, unless the channel says otherwise; seconds. */
const LEAST_FILL = 1;
/** Milliseconds in which creatives that are ready are found to be so. */
const AT_ONCE = 100;

const ownerOf = ({ channel }: Airing): CreativeOwner => ({ tenant: channel.tenant, channelId: channel.id });

export async function choosePod(
  airing: Airing,
  viewer: Viewer,
  { span, joined }: OwnBreak,
  { answer, bumpers, closeAt, onWait }: PodInput,
  { library, now, timers }: PodDeps,
): Promise<ChosenPod> {
  const { frames, maxAds } = span.break!;
  const tried = answer.ads.map(
    (resolved): TriedCandidate => candidateFor(resolved, airing.ladder, library, answer.variables, ownerOf(airing)),
  );
  const settled = Promise.allSettled(tried.map((one) => one.settled)).then(() => true);
  if (!(await within(timers, Math.min(AT_ONCE, closeAt - now()), settled))) {
    await onWait();
    await within(timers, closeAt - now(), settled);
  }
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
  const lost = pod.outcomes.flatMap((fate, index) =>
    fate.outcome === 'skipped' ? errorBeaconsOf(tried[index]!.ad, fate) : [],
  );
  return {
    parts: { ...answer, tried: told, pod },
    errors: [...answer.errors, ...lost],
    conditionCopies: () =>
      pod.outcomes.forEach((fate, index) => {
        if (fate.outcome === 'skipped' && fate.code === 'FIXED_LENGTH') tried[index]!.conditionCopy();
      }),
  };
}
