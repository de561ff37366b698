// SPDX-License-Identifier: Apache-2.0
// What a VAST ad states about itself, for rules.
import type { InLineAd } from '../../vast/response.ts';
import type { AdTraits } from './offer.ts';

/** Without the parts of a URL that do not name its owner: `https://www.example.com/offers` is `example.com`. */
const advertiserOf = (text: string): string =>
  text
    .trim()
    .toLowerCase()
    .replace(/^https?:\/\/([^/?#]*).*$/s, '$1')
    .replace(/^www\./, '');

const MAX_NAMES = 20;
const MAX_LENGTH = 256;

/** The names that an ad states, each once. Rules compare each with those of other ads, so there are not any number of them. */
export const namesIn = (values: readonly (string | undefined)[]): string[] => {
  const names = values.flatMap((value = '') => value.trim() || []).filter(({ length }) => length <= MAX_LENGTH);
  return [...new Set(names)].slice(0, MAX_NAMES);
};

export function traitsOfVast({ advertiser, categories, creatives }: InLineAd): AdTraits {
  const linear = creatives.filter((one) => one.linear !== undefined);
  return {
    advertisers: namesIn([advertiser && advertiserOf(advertiser)]),
    categories: namesIn(categories.map(({ value }) => value.toLowerCase())),
    creatives: namesIn(
      linear.flatMap(({ id, adId, universalAdIds }) => [...universalAdIds.map(({ value }) => value), id, adId]),
    ),
  };
}
