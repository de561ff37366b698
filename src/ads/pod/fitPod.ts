// Fits ads into a break, exact to the frame. It knows lengths, order and limits; it refuses to know viewers, clocks,
// and how an ad or slate is made: a creative is ready or it is not.
import type { FrameRate } from '../../time/units.ts';
import { shortestSlate } from '../../timeline/frameGrid.ts';
import { playableFrames } from '../creative/conditionedAsset.ts';
import type { ConditionedMedia, CreativeState } from '../creative/creative.ts';
import { type AdOutcome, type ShortfallCode, type SkipCode, skipped, stitched } from './adOutcome.ts';

export type PodCandidate = {
  readonly id: string;
  /** UniversalAdId or URL: the same creative has the same key. */
  readonly key: string;
  /** For the trace. */
  readonly title?: string;
  /** Seconds, as its VAST says; for the trace, because media are measured. */
  readonly duration?: number;
  /** Its place in the ad server's pod; a stand-alone ad has none (VAST 4.2 §3.3.1). */
  readonly sequence?: number;
  /** `none`: the ad names no media file that can be shown; `code` where more is known than that. */
  readonly creative: CreativeState | { readonly state: 'none'; readonly reason: string; readonly code?: SkipCode };
};

export type PodRequest = {
  readonly breakFrames: number;
  readonly maxAds?: number;
  readonly rate: FrameRate;
  /** In the order in which they came back. */
  readonly candidates: readonly PodCandidate[];
  /**
   * How many others the viewer saw after this media, when they saw it lately. Such an ad is taken only where no other
   * fits, and the one that was seen longest ago before the rest.
   */
  readonly seenSince?: (mediaId: string) => number | undefined;
  /** Once there is an ad, a rest of the break shorter than this is left to slate. */
  readonly minFill?: number;
  /** `inPods` when absent. */
  readonly repeats?: Repeats;
};

/**
 * Whether a creative may be shown twice in a break: `allow` always, `drop` never, `inPods` where the ad server put it by a
 * `sequence`, as broadcasters do with the opening and the closing of their pods.
 */
export type Repeats = 'allow' | 'inPods' | 'drop';

type PodAd = {
  /** Its place in `candidates`. */
  readonly candidate: number;
  /** ConditionedMedia's id. */
  readonly creativeId: string;
  /** Frames on air: those of the media, less a trim of at most two, or more by a last frame that is held. */
  readonly frames: number;
  readonly mediaFrames: number;
};
type Chosen = PodAd & { readonly isFixed: boolean };

export type Pod = {
  readonly ads: readonly PodAd[];
  /** After the ads: 0, or at least timeline/frameGrid's shortestSlate. Ads and slate are the break, to the frame. */
  readonly slateFrames: number;
  /** One for each candidate. */
  readonly outcomes: readonly AdOutcome[];
  /** Why the break is not full; absent when it is. */
  readonly reason?: { readonly code: ShortfallCode; readonly text: string };
};

/** NTSC lengths are rounded: two ads of 450 frames meet a break of 899. More than this is a different length. */
const MOST_TRIMMED = 2;

/** The segments of a creative that is used as it is are somebody else's: they can't be cut or held. */
const isFixed = ({ asset }: ConditionedMedia): boolean => asset !== undefined;

/**
 * Ads with a sequence first, in that order, then stand-alone ads; one that does not fit is passed over and a later one
 * taken. What the viewer saw lately is taken last of all, and plays where it would have played. A rest too short for
 * slate is closed by holding the last frame of the last ad that can be held.
 * @throws Error, a bug, when the break itself is shorter than the shortest slate
 */
export function fitPod(order: PodRequest): Pod {
  const { breakFrames, maxAds, rate, candidates, minFill = 0, repeats = 'inPods' } = order;
  const least = shortestSlate(rate);
  if (breakFrames < least) throw new Error(`a break needs at least ${least} frames, got ${breakFrames}`);
  const seconds = (frames: number) => `${((frames * rate.d) / rate.n).toFixed(2)} s`;
  const chosen: Chosen[] = [];
  const outcomes = new Map<number, AdOutcome>();
  const used = new Set<string>();
  let left = breakFrames;

  /** Whether one of the ads, the next one too, can give or take a few frames. */
  const isFlexible = (media: ConditionedMedia): boolean => !isFixed(media) || chosen.some((one) => !one.isFixed);

  /** Why there is no place for such an ad; undefined when there is one. */
  const crowdedOut = (media: ConditionedMedia): AdOutcome | undefined => {
    const { frames } = media;
    if (maxAds !== undefined && chosen.length >= maxAds) {
      return skipped('MAX_ADS_REACHED', `The break takes at most ${maxAds} ${maxAds === 1 ? 'ad' : 'ads'}.`);
    }
    if (left < least) return skipped('BREAK_FULL', 'The break was already full.');
    if (chosen.length > 0 && left < minFill) {
      const text = `Only ${seconds(left)} of the break were left, and a rest under ${seconds(minFill)} is not filled.`;
      return skipped('REMAINDER_TOO_SHORT', text);
    }
    const shortest = Math.max(frames - MOST_TRIMMED, playableFrames(frames, rate).min);
    if (shortest > breakFrames) {
      const text = `It lasts ${seconds(frames)}, longer than the break of ${seconds(breakFrames)}.`;
      return skipped('BREAK_DURATION_EXCEEDED', text);
    }
    if (shortest <= left && !isFlexible(media) && left !== frames && left - frames < least) {
      const apart = left < frames ? `${frames - left} too many` : `${left - frames} too few`;
      const text = `It is shown from its own segments, which can be neither cut nor held, and has ${apart} frames to close the break; a copy that can is made for later ones.`;
      return skipped('FIXED_LENGTH', text);
    }
    if (shortest > left) {
      const text = `It lasts ${seconds(frames)}, and only ${seconds(left)} of the break were left.`;
      return skipped('REMAINDER_TOO_SHORT', text);
    }
    return undefined;
  };

  const mayRepeat = (sequence: number | undefined): boolean =>
    repeats === 'allow' || (repeats === 'inPods' && sequence !== undefined);

  const fateOf = ({ key, creative, sequence }: PodCandidate, candidate: number, isSeen: boolean): AdOutcome => {
    if (creative.state === 'none') return skipped(creative.code ?? 'NO_MEDIA_FILE', creative.reason);
    if (creative.state === 'failed')
      return skipped('CREATIVE_FAILED', `Its creative cannot be shown: ${creative.reason}`, creative.fault);
    if (creative.state === 'preparing') {
      return skipped('CREATIVE_PREPARING', 'Its creative is still being prepared and can be shown in a later break.');
    }
    const { id, frames } = creative.media;
    if (frames < least) {
      return skipped(
        'CREATIVE_TOO_SHORT',
        `Its creative lasts ${seconds(frames)}; at least ${seconds(least)} are needed.`,
      );
    }
    // Two keys may name one creative: the same media under two URLs.
    if (!mayRepeat(sequence) && (used.has(`key ${key}`) || used.has(`media ${id}`))) {
      return skipped('CREATIVE_REPEATED', 'The same creative is already in this break.');
    }
    const crowded = crowdedOut(creative.media);
    if (crowded !== undefined) return isSeen && chosen.length > 0 && frames <= breakFrames ? seenLately : crowded;
    used.add(`key ${key}`).add(`media ${id}`);
    left -= frames;
    chosen.push({ candidate, creativeId: id, frames, mediaFrames: frames, isFixed: isFixed(creative.media) });
    return stitched;
  };

  for (const { index, isSeen } of trialOrder(order)) outcomes.set(index, fateOf(candidates[index]!, index, isSeen));

  const ordered = inPlayingOrder(chosen, candidates);
  const closing = ordered.findLastIndex((ad) => !ad.isFixed);
  // Less than nothing is left when the one that closes the break is to be trimmed.
  const rest = closing >= 0 && left < least ? left : 0;
  const ads = ordered.map(({ isFixed: _, ...ad }, index) =>
    index === closing ? { ...ad, frames: ad.frames + rest } : ad,
  );
  left -= rest;
  const pod = { ads, slateFrames: left, outcomes: candidates.map((_, index) => outcomes.get(index)!) };
  if (left === 0) return pod;
  return { ...pod, reason: shortfallReason(pod, `${seconds(breakFrames - left)} of ${seconds(breakFrames)}`) };
}

const seenLately = skipped('SHOWN_LATELY', 'The viewer saw it in one of their last breaks, and others took its place.');

/** The order in which candidates are tried; whoever is equal keeps the order of the answer. */
function trialOrder({ candidates, seenSince = () => undefined }: PodRequest): { index: number; isSeen: boolean }[] {
  return candidates
    .map(({ sequence, creative }, index) => {
      const since = creative.state === 'ready' ? seenSince(creative.media.id) : undefined;
      return { index, isSeen: since !== undefined, since: since ?? 0, sequence: sequence ?? Number.POSITIVE_INFINITY };
    })
    .sort(
      (a, b) =>
        Number(a.isSeen) - Number(b.isSeen) ||
        b.since - a.since ||
        compare(a.sequence, b.sequence) ||
        a.index - b.index,
    );
}

/** Infinity less Infinity is no number. */
const compare = (a: number, b: number): number => (a === b ? 0 : a - b);

/** The pod by its sequence, then stand-alone ads as they were chosen. */
const inPlayingOrder = (ads: readonly Chosen[], candidates: readonly PodCandidate[]): Chosen[] => {
  const placeOf = ({ candidate }: PodAd) => candidates[candidate]!.sequence ?? Number.POSITIVE_INFINITY;
  const inPod = ads.filter((ad) => placeOf(ad) < Number.POSITIVE_INFINITY);
  const alone = ads.filter((ad) => placeOf(ad) === Number.POSITIVE_INFINITY);
  return [...inPod.sort((a, b) => placeOf(a) - placeOf(b) || a.candidate - b.candidate), ...alone];
};

/** Why a break is not full, in a sentence or two. */
function shortfallReason({ ads, outcomes }: Pick<Pod, 'ads' | 'outcomes'>, filled: string): NonNullable<Pod['reason']> {
  const skips = outcomes.flatMap((fate) => (fate.outcome === 'skipped' ? [fate] : []));
  const first = skips[0];
  if (ads.length > 0) {
    const why = first ? ` ${skips.length === 1 ? 'One was' : `${skips.length} were`} not shown: ${first.text}` : '';
    return { code: 'TOO_FEW_ADS', text: `The ads that could be shown fill ${filled}.${why}` };
  }
  if (!first) return { code: 'NO_ADS', text: 'No ad came back.' };
  if (skips.length === 1) {
    return { code: 'NO_AD_SHOWN', text: `The only ad that came back was not shown: ${first.text}` };
  }
  const which = skips.every(({ code }) => code === first.code) ? '' : '; the first';
  const text = `None of the ${skips.length} ads that came back could be shown${which}: ${first.text}`;
  return { code: 'NO_AD_SHOWN', text };
}
