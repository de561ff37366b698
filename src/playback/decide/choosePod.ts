// SPDX-License-Identifier: Apache-2.0
// The pod of a viewer's break: the creatives of the requested ads are looked up, awaited until the decision is due, and fitted to
// the break.
import type { CreativeLibrary, CreativeOwner } from '../../ads/creative/creative.ts';
import { fitFramedPod } from '../../ads/pod/fitFramedPod.ts';
import type { PodRequest } from '../../ads/pod/fitPod.ts';
import { seenBefore, seenSince } from '../../ads/pod/recentAds.ts';
import type { AdRequestOutcome, ErrorBeacon } from '../../ads/record/adRequestOutcome.ts';
import { type Timers, within } from '../../time/clock.ts';
import type { Millis } from '../../time/units.ts';
import { secondsToFrames } from '../../timeline/asset/frameGrid.ts';
import { spanStart } from '../../timeline/programme/span.ts';
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
  readonly outcome: AdRequestOutcome;
  readonly bumpers: ReturnType<typeof channelBumpers>['bumpers'];
  /** When the decision is due. Creatives that are not ready by then are skipped. */
  readonly closeAt: Millis;
  /** Called if creatives are not ready at once. */
  readonly onWait: () => Promise<void>;
};

export type ChosenPod = {
  readonly parts: DecisionParts;
  /** Error URLs of the ads that could not be shown. */
  readonly errors: readonly ErrorBeacon[];
  /** Conditions creatives that could not be cut, for later breaks. */
  readonly conditionCopies: () => void;
};

/** Seconds. A shorter rest of a break is not filled; `fillThreshold` of the channel overrides it. */
const DEFAULT_FILL_THRESHOLD = 1;
/** Time to look up creatives that are ready. */
const LOOKUP_MS = 100;

const ownerOf = ({ channel }: Airing): CreativeOwner => ({ tenant: channel.tenant, channelId: channel.id });

export async function choosePod(
  airing: Airing,
  viewer: Viewer,
  { span, joined }: OwnBreak,
  { outcome, bumpers, closeAt, onWait }: PodInput,
  { library, now, timers }: PodDeps,
): Promise<ChosenPod> {
  const { frames, maxAds } = span.break!;
  const tried = outcome.ads.map(
    (resolved): TriedCandidate => candidateFor(resolved, airing.ladder, library, outcome.variables, ownerOf(airing)),
  );
  const settled = Promise.allSettled(tried.map((one) => one.settled)).then(() => true);
  if (!(await within(timers, Math.min(LOOKUP_MS, closeAt - now()), settled))) {
    await onWait();
    await within(timers, closeAt - now(), settled);
  }
  const candidates = tried.map(({ candidate }) => candidate());
  const rate = airing.ladder.frameRate;
  const seen = seenBefore(viewer.state.decisions, spanStart(span));
  const order: PodRequest = {
    breakFrames: frames - joined,
    rate,
    candidates,
    seenSince: (mediaId) => seenSince(seen, mediaId),
    minFill: secondsToFrames(airing.channel.fillThreshold ?? DEFAULT_FILL_THRESHOLD, rate),
    ...(maxAds === undefined ? {} : { maxAds }),
    ...(airing.channel.repeats === undefined ? {} : { repeats: airing.channel.repeats }),
  };
  const pod = fitFramedPod(order, bumpers);
  const withMedia = tried.map((one, index) => {
    const { creative } = candidates[index]!;
    return creative.state === 'ready' ? { ...one, media: creative.media } : one;
  });
  const skippedErrors = pod.outcomes.flatMap((result, index) =>
    result.outcome === 'skipped' ? errorBeaconsOf(tried[index]!.ad, result) : [],
  );
  return {
    parts: { ...outcome, tried: withMedia, pod },
    errors: [...outcome.errors, ...skippedErrors],
    conditionCopies: () =>
      pod.outcomes.forEach((result, index) => {
        if (result.outcome === 'skipped' && result.code === 'FIXED_LENGTH') tried[index]!.conditionCopy();
      }),
  };
}
