// SPDX-License-Identifier: Apache-2.0
// Why a break is not full, as a sentence with the reason of the first ad that was skipped.

/** `ADS_SKIPPED` only for inserted breaks, which are full when no ad was skipped. */
type ShortfallCode = 'NO_ADS' | 'NO_AD_SHOWN' | 'TOO_FEW_ADS' | 'ADS_SKIPPED';

export type Shortfall = { readonly code: ShortfallCode; readonly text: string };

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

export function noAdsReason(skips: readonly SkipReason[]): Shortfall {
  if (skips.length === 0) return { code: 'NO_ADS', text: 'The ad server returned no ads.' };
  const all = skips.length === 1 ? 'The only ad was' : `All ${skips.length} ads were`;
  return { code: 'NO_AD_SHOWN', text: withFirst(`${all} skipped`, skips) };
}

/** @param filled the length of the ads, and that of the break */
export function tooFewReason(skips: readonly SkipReason[], filled: string): Shortfall {
  const details = skips.length === 0 ? '' : ` ${withFirst(skippedNumber(skips), skips)}`;
  return { code: 'TOO_FEW_ADS', text: `The ads fill ${filled}.${details}` };
}

export const skipsReason = (skips: readonly SkipReason[]): Shortfall => ({
  code: 'ADS_SKIPPED',
  text: withFirst(skippedNumber(skips), skips),
});
