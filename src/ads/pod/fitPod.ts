// SPDX-License-Identifier: Apache-2.0
// Fits ads into a break, exact to the frame (law 5), by their lengths, order and limits. A break that is inserted into content
// is as long as its ads. Creatives are made elsewhere; only those that are ready can be shown.
import { groupBy } from '../../invariant.ts';
import type { FrameRate } from '../../time/units.ts';
import { minSlateFrames } from '../../timeline/asset/frameGrid.ts';
import { playableFrames } from '../creative/conditionedAsset.ts';
import type { ConditionedMedia } from '../creative/creative.ts';
import type { Bumper } from '../placement/decision.ts';
import { type AdOutcome, isBesideCompetitor, isFull, isNeedless, type Skip, skipped, stitched } from './adOutcome.ts';
import { type CandidateCreative, unready } from './candidateCreative.ts';
import type { PodChoice, PodPlace } from './podChoice.ts';
import { type PodPosition, positioned, repeatFillers, type Trial, trialOrder } from './podOrder.ts';
import { noAdsReason, type Shortfall, skipsReason, tooFewReason } from './shortfall.ts';

export type PodCandidate = PodPosition & {
  readonly id: string;
  /** UniversalAdId or URL: the same for the same creative. */
  readonly key: string;
  /** For the trace. */
  readonly title?: string;
  /** Seconds, from its VAST. Only for the trace, because media are measured. */
  readonly duration?: number;
  readonly creative: CandidateCreative;
};

export type PodRequest = {
  /** If the break is inserted, the most that it may have; may be infinite. */
  readonly breakFrames: number;
  /** The break has no slate: it is as long as its ads. */
  readonly isInserted?: boolean;
  readonly maxAds?: number;
  readonly rate: FrameRate;
  readonly candidates: readonly PodCandidate[];
  /**
   * The number of ads that the viewer saw after this one; undefined if it is not among the recent ads. Recent ads are used
   * only where no other fits, the one seen longest ago first.
   */
  readonly seenSince?: (mediaId: string) => number | undefined;
  /** Frames. After the first ad, a shorter remainder of the break is left to slate. Not for inserted breaks. */
  readonly minFill?: number;
  /** Default: `inPods`. */
  readonly repeats?: Repeats;
  /** Rules and prices, if the channel has any. */
  readonly choice?: PodChoice | undefined;
};

/**
 * Whether a creative may be shown twice in a break: `allow` always, `drop` never, `inPods` only for ads with a `sequence`,
 * because broadcasters open and close pods with the same creative.
 */
export type Repeats = 'allow' | 'inPods' | 'drop';

type PodAd = {
  /** Index in `candidates`. That of a filler may occur more than once. */
  readonly candidate: number;
  /** ConditionedMedia's id. */
  readonly creativeId: string;
  /** Frames shown: up to two fewer than the media has, or more if the last frame is held. */
  readonly frames: number;
  readonly mediaFrames: number;
};
/** `outbid`: its skip if there is no room for it. */
type Tried = Trial<PodCandidate> & { readonly outbid?: Skip | undefined };
type Chosen = Tried & { readonly ad: PodAd; readonly isFixed: boolean };

type Pod = {
  readonly ads: readonly PodAd[];
  /** After the ads: 0, or at least minSlateFrames. Ads and slate add up to a break that is not inserted. */
  readonly slateFrames: number;
  /** One for each candidate. */
  readonly outcomes: readonly AdOutcome[];
  /** Why the break is not full; absent when it is. An inserted break is full when no ad was skipped. */
  readonly reason?: Shortfall;
};

/** NTSC lengths are rounded, so that two ads of 450 frames may be offered for a break of 899 frames. */
const MAX_TRIMMED_FRAMES = 2;

/** A creative that is used as is can be neither cut nor extended. */
const isFixed = ({ asset }: ConditionedMedia): boolean => asset !== undefined;

/** The fewest frames for which a creative can play. */
const shortestOf = ({ frames }: ConditionedMedia, rate: FrameRate): number =>
  Math.max(frames - MAX_TRIMMED_FRAMES, playableFrames(frames, rate).min);

/** Ads that wait for another one to be between them and their competitors. */
const MAX_DEFERRED = 20;

/**
 * Chooses ads with a sequence first, in that order, then stand-alone ads, and skips those that do not fit. Ads that the viewer
 * saw recently are chosen last, but play in their usual position. Steps of ad sources are tried one after the other; in each, the
 * ads that pay most together are tried first, those whose price is unknown next. If the remainder is too short for slate, the last
 * frame of the last ad that can be extended is held. In an inserted break, nothing is held.
 * @throws Error, a bug, when a break that is not inserted is shorter than the shortest slate
 */
export function fitPod(request: PodRequest): Pod {
  const { breakFrames, isInserted = false, maxAds, rate, candidates, choice } = request;
  const { minFill = 0, repeats = 'inPods' } = request;
  const minFrames = minSlateFrames(rate);
  if (breakFrames < minFrames && !isInserted)
    throw new Error(`A break must have at least ${minFrames} frames; got ${breakFrames}.`);
  const seconds = (frames: number) => `${((frames * rate.d) / rate.n).toFixed(2)} s`;
  const chosen: Chosen[] = [];
  const outcomes = new Map<number, AdOutcome>();
  let left = breakFrames;

  /** Whether this ad or one chosen before can be cut or extended by a few frames. */
  const isFlexible = (media: ConditionedMedia): boolean => !isFixed(media) || chosen.some((one) => !one.isFixed);

  /** Why an ad does not fit into the rest of the break; undefined when it does. */
  const misfitOf = (media: ConditionedMedia): AdOutcome | undefined => {
    const { frames } = media;
    if (maxAds !== undefined && chosen.length >= maxAds) {
      return skipped('MAX_ADS_REACHED', `The break allows at most ${maxAds} ${maxAds === 1 ? 'ad' : 'ads'}.`);
    }
    if (chosen.length > 0 && left < minFrames) return skipped('BREAK_FULL', 'The break was already full.');
    if (chosen.length > 0 && left < minFill && !isInserted) {
      const text = `Only ${seconds(left)} of the break remained; a remainder under ${seconds(minFill)} is left to slate.`;
      return skipped('REMAINDER_TOO_SHORT', text);
    }
    const shortest = shortestOf(media, rate);
    if (shortest > breakFrames) {
      const text = `It lasts ${seconds(frames)}, which is longer than the break of ${seconds(breakFrames)}.`;
      return skipped('BREAK_DURATION_EXCEEDED', text);
    }
    const mustChange = isInserted ? left < frames : left !== frames && left - frames < minFrames;
    if (shortest <= left && mustChange && !isFlexible(media)) {
      const excess = Math.abs(frames - left);
      const difference = `${excess} ${excess === 1 ? 'frame' : 'frames'} too ${left < frames ? 'long' : 'short'}`;
      const text = `It is ${difference} to ${isInserted ? 'fit into' : 'fill'} the break. It is used as is, so it can be neither cut nor extended; a conditioned copy is made for later breaks.`;
      return skipped('FIXED_LENGTH', text);
    }
    if (shortest > left) {
      const text = `It lasts ${seconds(frames)}; only ${seconds(left)} of the break remained.`;
      return skipped('REMAINDER_TOO_SHORT', text);
    }
    return undefined;
  };

  const mayRepeat = ({ sequence }: PodCandidate): boolean =>
    repeats === 'allow' || (repeats === 'inPods' && sequence !== undefined);

  /** Two keys may refer to one creative: the same media at two URLs. */
  const isRepeated = (one: PodCandidate, { id }: ConditionedMedia): boolean =>
    !mayRepeat(one) && chosen.some((other) => other.one.key === one.key || other.ad.creativeId === id);

  const outcomeOf = (trial: Tried): AdOutcome => {
    const { one, index, isSeen, outbid } = trial;
    const { creative } = one;
    const shown = chosen.map((other) => other.one);
    if (isNeedless(one, shown)) return notNeeded;
    const refusal = choice?.refusal(index, placesOf(creative.state === 'ready' ? [...chosen, trial] : [trial]));
    if (refusal !== undefined) return { outcome: 'skipped', ...refusal };
    if (creative.state !== 'ready') return unready(creative);
    const { id, frames } = creative.media;
    if (frames < minFrames) {
      const text = `Its creative lasts ${seconds(frames)}; the minimum is ${seconds(minFrames)}.`;
      return skipped('CREATIVE_TOO_SHORT', text);
    }
    if (isRepeated(one, creative.media))
      return skipped('CREATIVE_REPEATED', 'The break already contains the same creative.');
    const misfit = misfitOf(creative.media);
    if (misfit !== undefined && outbid !== undefined && isFull(misfit)) return { outcome: 'skipped', ...outbid };
    if (misfit !== undefined) return isSeen && chosen.length > 0 && frames <= breakFrames ? seenRecently : misfit;
    left -= frames;
    const ad = { candidate: index, creativeId: id, frames, mediaFrames: frames };
    chosen.push({ ...trial, ad, isFixed: isFixed(creative.media) });
    return stitched;
  };

  /** Whether ready ads fit together into what is left, if the longest is tried last. */
  const fitTogether = (ads: readonly ReadyCandidate[]): boolean => {
    const media = ads.map(({ creative }) => creative.media);
    const longest = media.reduce((a, b) => (b.frames > a.frames ? b : a));
    const rest = media.reduce((sum, { frames }) => sum - frames, left);
    const count = chosen.length + ads.length;
    if (maxAds !== undefined && count > maxAds) return false;
    if (count > 1 && rest + longest.frames < (isInserted ? minFrames : Math.max(minFill, minFrames))) return false;
    if (rest === 0 || rest >= (isInserted ? 0 : minFrames)) return true;
    return rest >= shortestOf(longest, rate) - longest.frames && media.some(isFlexible);
  };

  /** The order in which the ads of a step are tried where they may have prices. */
  const byPrice = (trials: readonly Tried[], rules: PodChoice): readonly Tried[] => {
    const ready = new Map<number, Tried & { readonly one: ReadyCandidate }>();
    for (const trial of trials) {
      const { one, index } = trial;
      // Alternatives stay in the ad server's order.
      if (!isReady(one) || one.fallback !== undefined || one.creative.media.frames < minFrames) continue;
      if (isRepeated(one, one.creative.media)) continue;
      const refusal = rules.refusal(index, placesOf([...chosen, trial]));
      if (refusal !== undefined && refusal.code !== 'COMPETITOR_ADJACENT') continue;
      if (fitTogether([one])) ready.set(index, { ...trial, one, isSeen: false });
    }
    if (ready.size === 0) return trials;
    const trialsOf = (ads: Iterable<number>) => [...ads].flatMap((ad) => ready.get(ad) ?? []);
    const { best, outbid } = rules.choose(
      [...ready.values()].map(({ one, index }) => ({ ad: index, frames: one.creative.media.frames })),
      {
        before: chosen.map(({ index }) => index),
        frames: left + MAX_TRIMMED_FRAMES,
        maxAds: (maxAds ?? Number.POSITIVE_INFINITY) - chosen.length,
        isEither(a, b) {
          const pair = trialsOf([a, b]).map(({ one }) => one);
          const isSame = (idOf: (one: ReadyCandidate) => string) => new Set(pair.map(idOf)).size === 1;
          return !pair.every(mayRepeat) && (isSame(({ key }) => key) || isSame(({ creative }) => creative.media.id));
        },
        fits: (ads) => fitTogether(trialsOf(ads).map(({ one }) => one)),
        placed: (ads) => placesOf([...chosen, ...trialsOf(ads)]),
      },
    );
    return [
      ...trialsOf(best).sort((a, b) => a.one.creative.media.frames - b.one.creative.media.frames || a.place - b.place),
      ...trials.filter(({ index }) => !best.includes(index) && !outbid.has(index)),
      ...trialsOf(outbid.keys()).map((trial) =>
        best.length > 0 ? { ...trial, outbid: outbid.get(trial.index) } : trial,
      ),
    ];
  };

  const deferred: Tried[] = [];
  const attempt = (trial: Tried): void => {
    const outcome = outcomeOf(trial);
    outcomes.set(trial.index, outcome);
    if (outcome === stitched) for (const one of deferred.splice(0)) attempt(one);
    else if (isBesideCompetitor(outcome) && deferred.length < MAX_DEFERRED) deferred.push(trial);
  };

  for (const trials of groupBy(trialOrder(candidates, request.seenSince), ({ step }) => step).values())
    for (const trial of choice === undefined ? trials : byPrice(trials, choice)) attempt(trial);

  const placed = positioned(chosen);
  const again: Chosen[] = [];
  const showAgain = (filler: Chosen): boolean => {
    const { one, index, ad } = filler;
    if (!isReady(one) || misfitOf(one.creative.media) !== undefined) return false;
    if (choice?.refusal(index, inPlaces([...placed, ...again, filler])) !== undefined) return false;
    left -= ad.mediaFrames;
    chosen.push(filler);
    again.push(filler);
    return true;
  };
  if (repeats !== 'drop' && !isInserted) repeatFillers(placed, showAgain);
  const ordered = inFinalOrder([...placed, ...again], choice);
  const lastFlexible = ordered.findLastIndex((ad) => !ad.isFixed);
  // Negative when the last flexible ad has to be trimmed.
  const rest = lastFlexible >= 0 && left < (isInserted ? 0 : minFrames) ? left : 0;
  const ads = ordered.map(({ ad }, index) => (index === lastFlexible ? { ...ad, frames: ad.frames + rest } : ad));
  left -= rest;
  const pod = {
    ads,
    slateFrames: isInserted ? 0 : left,
    outcomes: candidates.map((_, index) => outcomes.get(index) ?? notNeeded),
  };
  const skips = pod.outcomes.flatMap((one) => (one.outcome === 'skipped' && one !== notNeeded ? [one] : []));
  if (ads.length === 0) return { ...pod, reason: noAdsReason(skips) };
  if (isInserted) return skips.length === 0 ? pod : { ...pod, reason: skipsReason(skips) };
  if (left === 0) return pod;
  return { ...pod, reason: tooFewReason(skips, `${seconds(breakFrames - left)} of ${seconds(breakFrames)}`) };
}

const inPlaces = (ads: readonly Trial<PodCandidate>[]): readonly PodPlace[] =>
  ads.map(({ one, index, step }) => ({ ad: index, step, isInSequence: one.sequence !== undefined }));

/** The order in which these would be shown. */
const placesOf = (ads: readonly Trial<PodCandidate>[]): readonly PodPlace[] => inPlaces(positioned(ads));

function inFinalOrder(ads: readonly Chosen[], choice: PodChoice | undefined): readonly Chosen[] {
  if (choice === undefined) return ads;
  return choice.arrange(inPlaces(ads)).flatMap(({ ad }) => ads.find(({ index }) => index === ad) ?? []);
}

type ReadyCandidate = PodCandidate & { readonly creative: Extract<CandidateCreative, { state: 'ready' }> };

const isReady = (one: PodCandidate): one is ReadyCandidate => one.creative.state === 'ready';

const seenRecently = skipped('SHOWN_LATELY', 'The viewer saw it in a recent break, and other ads were available.');

const notNeeded = skipped('FALLBACK_NOT_NEEDED', 'It is a fallback, and an earlier ad of its waterfall is shown.');

export type Bumpers = { readonly intro?: Bumper; readonly outro?: Bumper };

/** Ads, bumpers and `slateFrames` add up to the break (law 5), or to no more than its limit if it is inserted. */
export type FramedPod = Pod & Bumpers;

export const bumperFrames = ({ intro, outro }: Bumpers): number => (intro?.frames ?? 0) + (outro?.frames ?? 0);

/** Bumpers are shown whole or not at all, and never without an ad. They are omitted when they leave no space for one. */
export function fitFramedPod(order: PodRequest, bumpers: Bumpers): FramedPod {
  const breakFrames = order.breakFrames - bumperFrames(bumpers);
  if (breakFrames < minSlateFrames(order.rate)) return fitPod(order);
  const pod = fitPod({ ...order, breakFrames });
  return pod.ads.length > 0 ? { ...pod, ...bumpers } : fitPod(order);
}
