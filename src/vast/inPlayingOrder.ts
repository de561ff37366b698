// SPDX-License-Identifier: Apache-2.0
import type { VastAd } from './response.ts';

/** The pod in order of its sequence, then stand-alone ads in document order (VAST 4.2 §3.3.1). */
export const inPlayingOrder = (ads: readonly VastAd[]): VastAd[] => [
  ...ads.filter(({ sequence }) => sequence !== undefined).sort((a, b) => a.sequence! - b.sequence!),
  ...ads.filter(({ sequence }) => sequence === undefined),
];
