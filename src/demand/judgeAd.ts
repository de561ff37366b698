// SPDX-License-Identifier: Apache-2.0
// Whether a channel's rules allow an ad in a break. Ads are judged by what they state about themselves: an ad
// without an advertiser has none.
import type { Skip } from '../ads/pod/adOutcome.ts';
import type { AdTraits } from '../ads/record/offer.ts';
import { advertiserOf } from '../ads/record/traits.ts';
import { maskUrl } from '../ads/request/maskSecrets.ts';
import { memo } from '../cache/memo.ts';
import type { AdRules, FrequencyCap, Separation } from '../channels/demand.ts';
import { type CountShown, keysOf } from './viewerCounts.ts';

/** `name`: for sentences, such as `"Summer sale"`. */
export type NamedAd = { readonly name: string; readonly traits: AdTraits };

function withParents(name: string, parentOf: (name: string) => string): string[] {
  const names = [name];
  for (let next = parentOf(name); next !== '' && next !== names.at(-1); next = parentOf(next)) names.push(next);
  return names;
}

/** A domain and those above it: `shop.example.com`, `example.com`, `com`. */
const domains = (domain: string): string[] => withParents(domain, (text) => text.slice(text.indexOf('.') + 1));

/** A category or language and what it is a part of: `iab2-3`, `iab2`. */
const parents = (name: string): string[] => withParents(name, (text) => text.replace(/[-.][^-.]*$/, ''));

const only = (name: string): string[] => [name];

/** The id of a creative may be its URL. */
const readable = (text: string): string => text.replace(/\S+:\/\/\S+/g, (url) => maskUrl(url));

/** As ads state it: operators write names in any case, and advertisers as URLs, too. */
const listed = (stated: (name: string) => string) => memo((list: readonly string[]) => new Set(list.map(stated)));
const listedAdvertisers = listed(advertiserOf);
const listedNames = listed((name) => name.trim().toLowerCase());

const blocks = [
  ['advertiser', 'blockedAdvertisers', 'ADVERTISER_BLOCKED', domains],
  ['category', 'blockedCategories', 'CATEGORY_EXCLUDED', parents],
  ['creative', 'blockedCreatives', 'CREATIVE_BLOCKED', only],
  ['language', 'blockedLanguages', 'LANGUAGE_BLOCKED', parents],
] as const;

function blockOf({ advertisers, categories, creatives, language }: AdTraits, rules: AdRules): Skip | undefined {
  const names = {
    advertiser: advertisers,
    category: categories,
    creative: creatives,
    language: language === undefined ? [] : [language],
  };
  for (const [what, list, code, scopesOf] of blocks) {
    const written = rules[list];
    if (written === undefined) continue;
    const blocked = what === 'advertiser' ? listedAdvertisers(written) : listedNames(written);
    for (const name of names[what]) {
      const scope = scopesOf(name.toLowerCase()).find((one) => blocked.has(one));
      if (scope === undefined) continue;
      const part = scope === name.toLowerCase() ? '' : `, as a part of ${scope}`;
      return { code, text: `The rules of the channel block its ${what} ${readable(name)}${part}.` };
    }
  }
  return undefined;
}

/** Whether the rules allow the ad in no break, whatever else is shown. */
export const isBlocked = (traits: AdTraits, rules: AdRules): boolean => blockOf(traits, rules) !== undefined;

/** At most `most` ads of a break can have `key`. */
type Limit = {
  readonly key: string;
  readonly most: number;
  /** @param inBreak ads of the break that have the key; at least one, or `most` is 0 */
  readonly skip: (inBreak: readonly NamedAd[]) => Skip;
};

const ads = (count: number): string => (count === 1 ? '1 ad' : `${count} ads`);

const namesOf = (others: readonly NamedAd[]): string => others.map(({ name }) => name).join(', ');

function capOf(key: string, { max, hours }: FrequencyCap, shown: CountShown): Limit {
  const seen = shown(key, hours);
  return {
    key,
    most: Math.max(0, max - seen),
    skip(inBreak) {
      const here = inBreak.length === 0 ? '' : `, and this break has ${namesOf(inBreak)}`;
      const allowed = `${ads(max)} of the ${readable(key)} in ${hours === 1 ? 'an hour' : `${hours} hours`}`;
      const known = Number.isFinite(seen) ? `this one was shown ${seen}` : 'what this one was shown is not known';
      const text = `The channel allows a viewer ${allowed}; ${known}${here}.`;
      return { code: 'FREQUENCY_CAP', text };
    },
  };
}

/** What limits the number of ads in a break that have a trait of this one. */
export function limitsOf(traits: AdTraits, rules: AdRules, shown: CountShown): readonly Limit[] {
  const { maxPerAdvertiser: most, frequencyCaps = [] } = rules;
  const caps = frequencyCaps.flatMap((cap) => keysOf(traits, cap.per).map((key) => capOf(key, cap, shown)));
  if (most === undefined) return caps;
  const perBreak = keysOf(traits, 'advertiser').map((key): Limit => {
    const allowed = `${ads(most)} of the ${key} in a break`;
    return {
      key,
      most,
      skip: (inBreak) => ({
        code: 'ADVERTISER_LIMIT',
        text: `The channel allows ${allowed}, and this one has ${namesOf(inBreak)}.`,
      }),
    };
  });
  return [...caps, ...perBreak];
}

const keys = memo((traits: AdTraits) => new Set([...keysOf(traits, 'advertiser'), ...keysOf(traits, 'creative')]));

export const hasKey = (traits: AdTraits, key: string): boolean => keys(traits).has(key);

const scopes = memo(({ advertisers, categories }: AdTraits) => ({
  advertisers: new Set(advertisers.flatMap(domains)),
  categories: new Set(categories.flatMap(parents)),
}));

/** A name that both have, or that is a part of one of the other. */
const common = (a: AdTraits, b: AdTraits, names: 'advertisers' | 'categories'): string | undefined =>
  a[names].find((name) => scopes(b)[names].has(name)) ?? b[names].find((name) => scopes(a)[names].has(name));

/** The advertiser or category because of which the rules separate two ads in this way; undefined if they do not. */
export function competitionOf(a: AdTraits, b: AdTraits, rules: AdRules, by: Separation): string | undefined {
  const { separateAdvertisers, separateCategories } = rules;
  const advertiser = separateAdvertisers === by ? common(a, b, 'advertisers') : undefined;
  if (advertiser !== undefined) return `advertiser ${advertiser}`;
  const category = separateCategories === by ? common(a, b, 'categories') : undefined;
  return category === undefined ? undefined : `category ${category}`;
}

/**
 * Why the rules do not allow an ad besides those of a break. Whether competitors can be kept apart in it depends on their order:
 * `arrange`.
 * @param chosen empty: only what follows from the ad itself and from what the viewer was shown
 */
export function judgeAd(
  { traits }: NamedAd,
  chosen: readonly NamedAd[],
  rules: AdRules,
  shown: CountShown,
): Skip | undefined {
  const block = blockOf(traits, rules);
  if (block !== undefined) return block;
  for (const limit of limitsOf(traits, rules, shown)) {
    const inBreak = chosen.filter((one) => hasKey(one.traits, limit.key));
    if (inBreak.length >= limit.most) return limit.skip(inBreak);
  }
  for (const { name, traits: other } of chosen) {
    const competition = competitionOf(traits, other, rules, 'break');
    if (competition === undefined) continue;
    const text = `The break has ${name} of the ${competition}, and the channel shows only one of them in a break.`;
    return { code: 'COMPETITOR_IN_BREAK', text };
  }
  return undefined;
}
