// SPDX-License-Identifier: Apache-2.0
// The outcome of one break from its resolved ads: ordered and limited, or the reason why there are none.

import { isBeaconMacro } from '../../ads/record/beaconVariables.ts';
import type { BreakOutcome, NoAdsReason, ResolvedAd } from '../../ads/record/breakRecord.ts';
import { unknownMacros } from '../../vast/macros.ts';
import { limitAd, MAX_ADS_PER_RESPONSE, nameOfAd } from '../../vast/read/readAdResponse.ts';
import type { InLineAd } from '../../vast/response.ts';
import type { FoundAd, Resolution } from './resolveWrappers.ts';

const MAX_WARNINGS = 200;
/** Dropped ads listed in the trace. */
const MAX_DROPPED = 200;

export const limitWarnings = (warnings: readonly string[]): readonly string[] => warnings.slice(0, MAX_WARNINGS);

/**
 * @param what without ads, for the reason, such as "The ad server returned VAST without ads."
 * @param maxUrls tracking URLs for each event of an ad
 */
export function breakOutcome(resolution: Resolution, what: string, maxUrls: number): BreakOutcome {
  const { errors, found } = resolution;
  const notes: string[] = [];
  const ads = inPlayingOrder(found)
    .slice(0, MAX_ADS_PER_RESPONSE)
    .map((one) => ({ ...one, ad: limitAd(one.ad, maxUrls, nameOfAd(one.ad), (text) => notes.push(text)) }));
  const dropped = resolution.dropped.slice(0, MAX_DROPPED);
  const tooMany =
    found.length > MAX_ADS_PER_RESPONSE
      ? [`the response contains ${found.length} ads; only the first ${MAX_ADS_PER_RESPONSE} are used`]
      : [];
  const warnings = limitWarnings([...tooMany, ...notes, ...macroWarnings(ads), ...resolution.warnings]);
  const outcome = { warnings, ads, dropped, errors };
  return ads.length > 0 ? outcome : { ...outcome, reason: noAdsReason(resolution, what) };
}

const MAX_MACRO_WARNINGS = 20;

/** URLs that Midroll requests. */
const requestedUrls = ({ impressions, errorUrls, creatives }: InLineAd): string[] => [
  ...[
    ...impressions,
    ...creatives.flatMap(({ linear }) => [...(linear?.trackingEvents ?? []), ...(linear?.mediaFiles ?? [])]),
  ].map(({ url }) => url),
  ...errorUrls,
];

/** Each unknown macro once, with the first ad that has it. */
function macroWarnings(ads: readonly ResolvedAd[]): string[] {
  const warnings = new Map<string, string>();
  for (const { ad } of ads)
    for (const macro of requestedUrls(ad).flatMap((url) => unknownMacros(url, isBeaconMacro)))
      if (!warnings.has(macro))
        warnings.set(macro, `${nameOfAd(ad)} has a URL with the unknown macro ${macro}; it is sent as it is`);
  return [...warnings.values()].slice(0, MAX_MACRO_WARNINGS);
}

/** The pod first. It is renumbered, because wrappers may have contributed pods of their own. Alternatives share a position. */
function inPlayingOrder(found: readonly FoundAd[]): ResolvedAd[] {
  let sequence = 0;
  let last: string | undefined;
  const pod = found
    .filter(({ isPod }) => isPod)
    .map(({ isPod: _, ...one }) => {
      const group = one.fallback?.[0]?.group;
      if (group === undefined || group !== last) sequence += 1;
      last = group;
      return { ...one, sequence };
    });
  return [...pod, ...found.filter(({ isPod }) => !isPod).map(({ isPod: _, ...one }) => one)];
}

export function noAdsReason({ dropped }: Pick<Resolution, 'dropped'>, what: string): NoAdsReason {
  const first = dropped[0];
  if (!first) return { code: 'NO_ADS', text: what };
  const text =
    dropped.length === 1
      ? `Nothing in the response can be shown: ${first.skip.text}`
      : `Nothing in the response can be shown, for ${dropped.length} reasons. The first: ${first.skip.text}`;
  return { code: 'NO_AD_SHOWN', text };
}
