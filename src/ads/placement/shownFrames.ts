// SPDX-License-Identifier: Apache-2.0
// What a live break has shown of a pod, once its end is known. It is computed from the placed clips alone, so all nodes agree.
import { FLICKS_PER_SECOND, type FrameRate } from '../../time/units.ts';
import { minSlateFrames } from '../../timeline/asset/frameGrid.ts';
import type { BreakClip } from './breakClips.ts';
import type { Decision } from './decision.ts';

/** All counts are frames. */
export type ShownFrames = {
  readonly rate: FrameRate;
  /** The length of the break. */
  readonly frames: number;
  /** One count for each ad of the decision, in order; 0 for an ad that did not start. */
  readonly ads: readonly number[];
  /** The intro and the outro together. */
  readonly bumpers: number;
};

type EndedBreak = {
  /** In flicks. */
  readonly length: number;
  /** The announced frames; absent where content follows the ads, because its end does not follow from theirs. */
  readonly planned?: number;
};

/** The last clip of a break may be a frame longer or shorter, to end with the break. */
const ROUNDING = 1;

/** @param length in flicks */
export const framesIn = (length: number, { n, d }: FrameRate): number =>
  Math.round((length * n) / (d * FLICKS_PER_SECOND));

/** @returns undefined if the break was shown as decided: all ads in full, and within half a second as long as announced */
export function shownFrames(
  { ads, intro, outro }: Pick<Decision, 'ads' | 'intro' | 'outro'>,
  clips: readonly BreakClip[],
  { length, planned }: EndedBreak,
  rate: FrameRate,
): ShownFrames | undefined {
  const shown = (own: readonly BreakClip[], whole: number): number => {
    const frames = own.reduce((sum, { clip }) => sum + framesIn(clip.duration, rate), 0);
    return whole - frames <= ROUNDING ? whole : frames;
  };
  const ofAds = ads.map((ad) =>
    shown(
      clips.filter((one) => one.ad?.adId === ad.adId),
      ad.frames,
    ),
  );
  const around = (intro?.frames ?? 0) + (outro?.frames ?? 0);
  const bumpers = shown(
    clips.filter(({ ad, clip }) => ad === undefined && clip.kind !== 'slate'),
    around,
  );
  const frames = framesIn(length, rate);
  const isWhole = bumpers === around && ads.every((ad, index) => ofAds[index] === ad.frames);
  if (isWhole && Math.abs(frames - (planned ?? frames)) < minSlateFrames(rate)) return undefined;
  return { rate, frames, ads: ofAds, bumpers };
}

export function isSameShown(one: ShownFrames | undefined, other: ShownFrames | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  return (
    one.frames === other.frames &&
    one.bumpers === other.bumpers &&
    one.ads.length === other.ads.length &&
    one.ads.every((frames, index) => frames === other.ads[index])
  );
}
