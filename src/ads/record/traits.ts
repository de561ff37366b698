// SPDX-License-Identifier: Apache-2.0
// What a VAST ad states about itself.
import type { InLineAd } from '../../vast/response.ts';
import type { AdTraits } from './offer.ts';

/** @returns lower-case traits; empty lists where the ad says nothing */
export function traitsOfVast({ advertiser, categories, creatives, id }: InLineAd): AdTraits {
  const ids = creatives.flatMap((one) => [...one.universalAdIds.map(({ value }) => value), one.id, one.adId]);
  return {
    advertisers: advertiser === undefined ? [] : [advertiser.toLowerCase()],
    categories: categories.map(({ value }) => value.toLowerCase()),
    creatives: [...new Set([...ids, id].filter((one) => one !== undefined && one !== ''))] as string[],
  };
}
