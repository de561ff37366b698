// SPDX-License-Identifier: Apache-2.0
// What an ad states about itself, for rules.
import { withoutUndefined } from '../../invariant.ts';
import type { InLineAd } from '../../vast/response.ts';
import type { AdTraits } from './offer.ts';

/** Rules compare all names of two ads, so their number is limited. */
const MAX_NAMES = 20;
const MAX_LENGTH = 256;

const bounded = (names: readonly string[]): string[] =>
  [...new Set(names.map((name) => name.trim()))]
    .filter(({ length }) => length > 0 && length <= MAX_LENGTH)
    .slice(0, MAX_NAMES);

/** Each name once, without those that are empty, too long, or too many. */
export const boundedTraits = ({ advertisers, categories, creatives, language }: AdTraits): AdTraits => ({
  advertisers: bounded(advertisers),
  categories: bounded(categories),
  creatives: bounded(creatives),
  ...withoutUndefined({ language }),
});

/** The domain of a URL or of a domain, without `www.`: `https://www.Example.com/offers` is `example.com`. Other texts are names. */
export function advertiserOf(text: string): string {
  const lower = text.trim().toLowerCase();
  const url = /^(?:https?:)?\/\/(?:[^/?#]*@)?([^/?#:]+)/.exec(lower) ?? /^(?=[^\s/]*\.)([^\s/]+)\//.exec(lower);
  return (url?.[1] ?? lower).replace(/^www\./, '');
}

export function traitsOfVast({ advertiser = '', categories, creatives }: InLineAd): AdTraits {
  const linear = creatives.filter((one) => one.linear !== undefined);
  const ids = linear.flatMap(({ id, adId, universalAdIds }) => [...universalAdIds.map(({ value }) => value), adId, id]);
  return boundedTraits({
    advertisers: [advertiserOf(advertiser)],
    categories: categories.map(({ value }) => value.toLowerCase()),
    creatives: ids.flatMap((id) => id ?? []),
  });
}
