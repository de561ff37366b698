// SPDX-License-Identifier: Apache-2.0
// What else an ad is chosen by than its order: rules and prices, where a channel has any. Implemented in demand. Ads are named
// by their index among the candidates.
import type { Skip } from './adOutcome.ts';

/** An ad at its place in the order of a pod. */
export type PodPlace = {
  readonly ad: number;
  readonly step: number;
  /** It has a `sequence`: it keeps its place among those with one. */
  readonly isInSequence: boolean;
};

/** An ad that is ready and could be shown. */
export type ReadyAd = { readonly ad: number; readonly frames: number };

/** What is left of a break. */
export type PodSpace = {
  /** The ads that were chosen before, in the order in which they are shown. */
  readonly before: readonly number[];
  /** The most frames that ads can use; may be infinite. */
  readonly frames: number;
  /** The most ads; may be infinite. */
  readonly maxAds: number;
  /** Whether the break can contain only one of two. */
  isEither(a: number, b: number): boolean;
  /** Whether these fit together, to the frame. */
  fits(ads: readonly number[]): boolean;
  /** These and those chosen before, in the order in which they would be shown. */
  placed(ads: readonly number[]): readonly PodPlace[];
};

export type PricedChoice = {
  /** The ads that pay most together. */
  readonly best: readonly number[];
  /** The others whose prices were compared, those that pay most per second first; each with its skip if there is no room for it. */
  readonly outbid: ReadonlyMap<number, Skip>;
};

export type PodChoice = {
  /** Why an ad cannot be shown. @param pod it and those chosen before, in the order in which they would be shown */
  refusal(ad: number, pod: readonly PodPlace[]): Skip | undefined;
  /** @param ready those without a refusal */
  choose(ready: readonly ReadyAd[], space: PodSpace): PricedChoice;
  /** The final order of a pod whose ads had no refusal. */
  arrange(pod: readonly PodPlace[]): readonly PodPlace[];
};
