// SPDX-License-Identifier: Apache-2.0
// Which of an ad's linear creatives is shown.
import type { Creative, InLineAd, MediaFile } from '../../vast/response.ts';
import { kindOf } from './mediaKind.ts';

/** The linear creatives in order of their `sequence` (VAST 4.2 §3.7), then those without one in document order. */
export const linearCreatives = ({ creatives }: InLineAd): LinearCreative[] => {
  const sequenceOf = ({ sequence = Number.MAX_SAFE_INTEGER }: Creative): number => sequence;
  return creatives.filter(isLinear).sort((a, b) => sequenceOf(a) - sequenceOf(b));
};

export type LinearCreative = Creative & { readonly linear: NonNullable<Creative['linear']> };

const isLinear = (creative: Creative): creative is LinearCreative => creative.linear !== undefined;

const isShowable = (media: MediaFile): boolean => ['file', 'manifest', 'audio'].includes(kindOf(media));

/** The linear creative that is or would be shown: the first that is not only scripts (VAST 4.2 §3.9). */
export function shownCreative(ad: InLineAd): LinearCreative | undefined {
  const linears = linearCreatives(ad);
  const isShown = ({ linear }: LinearCreative) => [...linear.mediaFiles, ...linear.mezzanines].some(isShowable);
  return linears.find(isShown) ?? linears[0];
}

/** The ad without the linear creatives that are not shown, so that their tracking URLs are not requested. */
export function withoutOtherLinears(ad: InLineAd, shown: Creative): InLineAd {
  const isKept = (one: Creative): boolean => one === shown || one.linear === undefined;
  if (ad.creatives.every(isKept)) return ad;
  return {
    ...ad,
    creatives: ad.creatives.flatMap((one) => {
      if (isKept(one)) return one;
      const { linear: _, ...rest } = one;
      return rest.companionAds || rest.nonLinearAds ? rest : [];
    }),
  };
}
