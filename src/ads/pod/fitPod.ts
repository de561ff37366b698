// SPDX-License-Identifier: Apache-2.0
// Fits ads into a break, exact to the frame (law 5), by their lengths, order and limits. A break that is inserted into content
// is as long as its ads. Creatives are made elsewhere; only those that are ready can be shown.
import type { FrameRate } from '../../time/units.ts';
import { minSlateFrames } from '../../timeline/asset/frameGrid.ts';
import { playableFrames } from '../creative/conditionedAsset.ts';
import { type ConditionedMedia, type CreativeState, failureText, preparingText } from '../creative/creative.ts';
import type { Bumper } from '../placement/decision.ts';
import { type AdOutcome, type FallbackPath, isNeedless, type SkipCode, skipped, stitched } from './adOutcome.ts';

export type PodCandidate = {
  readonly id: string;
  /** UniversalAdId or URL: the same for the same creative. */
  readonly key: string;
  /** For the trace. */
  readonly title?: string;
  /** Seconds, from its VAST. Only for the trace, because media are measured. */
  readonly duration?: number;
  /** Position in the ad server's pod; absent for a stand-alone ad (VAST 4.2 §3.3.1). */
  readonly sequence?: number;
  /** Absent unless it is one of several alternatives. */
  readonly fallback?: FallbackPath;
  /** `none`: the ad has no media file that can be shown. `code` defaults to NO_MEDIA_FILE. */
  readonly creative: CreativeState | { readonly state: 'none'; readonly reason: string; readonly code?: SkipCode };
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
};

/**
 * Whether a creative may be shown twice in a break: `allow` always, `drop` never, `inPods` only for ads with a `sequence`,
 * because broadcasters open and close pods with the same creative.
 */
export type Repeats = 'allow' | 'inPods' | 'drop';

type PodAd = {
  /** Index in `candidates`. */
  readonly candidate: number;
  /** ConditionedMedia's id. */
  readonly creativeId: string;
  /** Frames shown: up to two fewer than the media has, or more if the last frame is held. */
  readonly frames: number;
  readonly mediaFrames: number;
};
type Chosen = Pick<PodCandidate, 'sequence' | 'fallback'> & { readonly ad: PodAd; readonly isFixed: boolean };

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

/**
 * Chooses ads with a sequence first, in that order, then stand-alone ads, and skips those that do not fit. Ads that the viewer
 * saw recently are chosen last, but play in their usual position. If the remainder is too short for slate, the last frame of
 * the last ad that can be extended is held. In an inserted break, nothing is held.
 * @throws Error, a bug, when a break that is not inserted is shorter than the shortest slate
 */
export function fitPod(request: PodRequest): Pod {
  const { breakFrames, isInserted = false, maxAds, rate, candidates, minFill = 0, repeats = 'inPods' } = request;
  const minFrames = minSlateFrames(rate);
  if (breakFrames < minFrames && !isInserted)
    throw new Error(`A break must have at least ${minFrames} frames; got ${breakFrames}.`);
  const seconds = (frames: number) => `${((frames * rate.d) / rate.n).toFixed(2)} s`;
  const chosen: Chosen[] = [];
  const outcomes = new Map<number, AdOutcome>();
  const used = new Set<string>();
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
    const shortest = Math.max(frames - MAX_TRIMMED_FRAMES, playableFrames(frames, rate).min);
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

  const mayRepeat = (sequence: number | undefined): boolean =>
    repeats === 'allow' || (repeats === 'inPods' && sequence !== undefined);

  const outcomeOf = (one: PodCandidate, candidate: number, isSeen: boolean): AdOutcome => {
    const { key, creative, sequence, fallback } = one;
    if (isNeedless(one, chosen)) return notNeeded;
    if (creative.state === 'none') return skipped(creative.code ?? 'NO_MEDIA_FILE', creative.reason);
    if (creative.state === 'failed')
      return skipped('CREATIVE_FAILED', `Its creative ${failureText(creative)}`, creative.fault);
    if (creative.state === 'preparing' && creative.failure !== undefined) {
      const text = `Its creative failed and is being tried again now: ${creative.failure.reason}`;
      return skipped('CREATIVE_FAILED', text, creative.failure.fault);
    }
    if (creative.state === 'preparing') {
      return skipped('CREATIVE_PREPARING', `Its creative ${preparingText(creative)}.`);
    }
    const { id, frames } = creative.media;
    if (frames < minFrames) {
      const text = `Its creative lasts ${seconds(frames)}; the minimum is ${seconds(minFrames)}.`;
      return skipped('CREATIVE_TOO_SHORT', text);
    }
    // Two keys may refer to one creative: the same media at two URLs.
    if (!mayRepeat(sequence) && (used.has(`key ${key}`) || used.has(`media ${id}`))) {
      return skipped('CREATIVE_REPEATED', 'The break already contains the same creative.');
    }
    const misfit = misfitOf(creative.media);
    if (misfit !== undefined) return isSeen && chosen.length > 0 && frames <= breakFrames ? seenRecently : misfit;
    used.add(`key ${key}`).add(`media ${id}`);
    left -= frames;
    const ad = { candidate, creativeId: id, frames, mediaFrames: frames };
    chosen.push({
      ad,
      isFixed: isFixed(creative.media),
      ...(sequence !== undefined && { sequence }),
      ...(fallback && { fallback }),
    });
    return stitched;
  };

  for (const { one, index, isSeen } of trialOrder(request)) outcomes.set(index, outcomeOf(one, index, isSeen));

  const ordered = positioned(chosen);
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

const seenRecently = skipped('SHOWN_LATELY', 'The viewer saw it in a recent break, and other ads were available.');

const notNeeded = skipped('FALLBACK_NOT_NEEDED', 'It is a fallback, and an earlier ad of its waterfall is shown.');

type Trial = { readonly one: PodCandidate; readonly index: number; readonly isSeen: boolean };

/**
 * The order in which candidates are tried; equal ones keep the order of the response. Alternatives are tried together, when it is the
 * turn of the first of them that is ready.
 */
function trialOrder({ candidates, seenSince = () => undefined }: PodRequest): Trial[] {
  const firstReady = new Map<string, PodCandidate>();
  for (const one of candidates) {
    const [outermost] = one.fallback ?? [];
    if (outermost !== undefined && one.creative.state === 'ready' && !firstReady.has(outermost.group))
      firstReady.set(outermost.group, one);
  }
  return candidates
    .map((one, index) => {
      const { sequence, creative } = firstReady.get(one.fallback?.[0]?.group ?? '') ?? one;
      const since = creative.state === 'ready' ? seenSince(creative.media.id) : undefined;
      return {
        one,
        index,
        isSeen: since !== undefined,
        since: since ?? 0,
        sequence: sequence ?? Number.POSITIVE_INFINITY,
      };
    })
    .sort(
      (a, b) =>
        Number(a.isSeen) - Number(b.isSeen) ||
        b.since - a.since ||
        compare(a.sequence, b.sequence) ||
        a.index - b.index,
    );
}

/** Handles Infinity, which minus itself is NaN. */
const compare = (a: number, b: number): number => (a === b ? 0 : a - b);

/** Ads with a sequence in that order, then stand-alone ads in the order in which they were chosen. */
const positioned = (ads: readonly Chosen[]): Chosen[] => {
  const inPod = ads.filter(({ sequence }) => sequence !== undefined);
  const alone = ads.filter(({ sequence }) => sequence === undefined);
  const sequenceOf = ({ sequence = 0 }: Chosen): number => sequence;
  return [...inPod.sort((a, b) => sequenceOf(a) - sequenceOf(b) || a.ad.candidate - b.ad.candidate), ...alone];
};

/** `ADS_SKIPPED` only for inserted breaks, which are full when no ad was skipped. */
type ShortfallCode = 'NO_ADS' | 'NO_AD_SHOWN' | 'TOO_FEW_ADS' | 'ADS_SKIPPED';

type Shortfall = { readonly code: ShortfallCode; readonly text: string };

/** The reason for which an ad was skipped. */
type SkipReason = { readonly code: string; readonly text: string };

/** Adds the first reason, and states whether there are different ones. */
function withFirst(sentence: string, skips: readonly SkipReason[]): string {
  const [first] = skips;
  if (first === undefined) return sentence;
  return `${sentence}${skips.every(({ code }) => code === first.code) ? '' : '; the first'}: ${first.text}`;
}

const skippedNumber = ({ length }: readonly unknown[]): string =>
  length === 1 ? '1 ad was skipped' : `${length} ads were skipped`;

function noAdsReason(skips: readonly SkipReason[]): Shortfall {
  if (skips.length === 0) return { code: 'NO_ADS', text: 'The ad server returned no ads.' };
  const all = skips.length === 1 ? 'The only ad was' : `All ${skips.length} ads were`;
  return { code: 'NO_AD_SHOWN', text: withFirst(`${all} skipped`, skips) };
}

/** @param filled the length of the ads, and that of the break */
function tooFewReason(skips: readonly SkipReason[], filled: string): Shortfall {
  const details = skips.length === 0 ? '' : ` ${withFirst(skippedNumber(skips), skips)}`;
  return { code: 'TOO_FEW_ADS', text: `The ads fill ${filled}.${details}` };
}

export const skipsReason = (skips: readonly SkipReason[]): Shortfall => ({
  code: 'ADS_SKIPPED',
  text: withFirst(skippedNumber(skips), skips),
});

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
