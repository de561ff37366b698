// SPDX-License-Identifier: Apache-2.0
import type { InLineAd } from '../../vast/response.ts';
import type { AdTraits } from './offer.ts';

/** Of each trait, and the characters of each value: an ad server may send any number. */
const MAX_VALUES = 20;
const MAX_CHARACTERS = 256;

/** The values, each once, without those that are empty. */
export const traitValues = (values: readonly string[]): string[] =>
  [...new Set(values.map((value) => value.trim().slice(0, MAX_CHARACTERS)).filter((value) => value !== ''))].slice(
    0,
    MAX_VALUES,
  );

/** The domain of an advertiser from a domain or a URL; any other text is a name. In lower case. */
export function advertiserOf(text: string): string {
  const lower = text.trim().toLowerCase();
  const [, host = lower] =
    /^(?:https?:)?\/\/(?:[^/?#]*@)?([^/?#:]+)/.exec(lower) ?? /^([^\s/]+\.[^\s/]+)\//.exec(lower) ?? [];
  return host.replace(/^www\.(?=.)/, '').replace(/\.$/, '');
}

/** What an ad of a VAST document states about itself. */
export const traitsOfVast = ({ advertiser, categories, creatives }: InLineAd): AdTraits => ({
  advertisers: traitValues([advertiserOf(advertiser ?? '')]),
  categories: traitValues(categories.map(({ value }) => value.toLowerCase())),
  creatives: traitValues(
    creatives.flatMap(({ id = '', adId = '', universalAdIds, linear }) =>
      linear === undefined ? [] : [...universalAdIds.map(({ value }) => value), adId, id],
    ),
  ),
});
