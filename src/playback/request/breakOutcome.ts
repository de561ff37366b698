// SPDX-License-Identifier: Apache-2.0
// The outcome of one break from its resolved ads: ordered and limited, or the reason why there are none.

import { isBeaconMacro } from '../../ads/record/adEvents.ts';
import type { BreakOutcome, NoAdsReason, ResolvedAd } from '../../ads/record/breakRecord.ts';
import { unknownMacros } from '../../vast/macroNotation.ts';
import { limitAd, MAX_ADS_PER_RESPONSE, nameOfAd, type ParsedAdResponse } from '../../vast/read/readAdResponse.ts';
import type { VmapBreak, VmapResponse } from '../../vast/read/readVmap.ts';
import type { InLineAd, VastResponse } from '../../vast/response.ts';
import {
  dropAd,
  emptyResolution,
  type FoundAd,
  type Leading,
  mergeResolutions,
  noAdErrors,
  placed,
  type Resolution,
  resolveAds,
  resolveWrapped,
  type WrapperFetcher,
  warningText,
} from './resolveWrappers.ts';

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

// The ads of a parsed ad response: VAST, or VMAP. For a break of a linear channel, the ads of all linear breaks of VMAP are used,
// whatever their time offsets: it requests one break at a time, but ad servers built for on-demand players return a list of
// breaks. A presentation uses the breaks one by one (requestPresentation.ts).

type ResolvedDocument = { readonly version: string; readonly resolution: Resolution };

/** @returns the ads and those dropped, or a sentence about a document that cannot be read */
export async function resolveDocument(
  document: ParsedAdResponse['document'],
  fetchWrapper: WrapperFetcher,
): Promise<ResolvedDocument | { readonly reason: string }> {
  if ('ads' in document) return resolveVast(document, fetchWrapper);
  if ('adBreaks' in document) return resolveVmap(document, fetchWrapper);
  if (document.fault === 'NOT_READ') return { reason: `The ad response is large, and ${document.reason}.` };
  return { reason: `The ad response is not valid VAST or VMAP: ${document.reason} (line ${document.line}).` };
}

async function resolveVast(vast: VastResponse, fetchWrapper: WrapperFetcher): Promise<ResolvedDocument> {
  const resolution = await resolveAds(vast.ads, [], fetchWrapper);
  const errors = vast.ads.length === 0 ? noAdErrors(vast) : resolution.errors;
  const warnings = [...warningsOf(vast), ...resolution.warnings];
  return { version: vast.version, resolution: { ...resolution, errors, warnings } };
}

async function resolveVmap(vmap: VmapResponse, fetchWrapper: WrapperFetcher): Promise<ResolvedDocument> {
  const resolutions = await Promise.all(vmap.adBreaks.map((one) => resolveVmapBreak(one, fetchWrapper)));
  const inOrder = resolutions.map((one, place) => placed(one, place));
  const resolution = mergeResolutions([{ ...emptyResolution, warnings: warningsOf(vmap) }, ...inOrder]);
  return { version: vmapVersion(vmap), resolution };
}

export const vmapVersion = ({ version }: VmapResponse): string => `VMAP ${version}`.trim();

/** The ads of one break of VMAP, with its tracking events. */
export async function resolveVmapBreak(adBreak: VmapBreak, fetchWrapper: WrapperFetcher): Promise<Resolution> {
  const resolution = await resolveBreak(adBreak, fetchWrapper);
  const { trackingEvents: breakTracking } = adBreak;
  return breakTracking.length === 0
    ? resolution
    : { ...resolution, found: resolution.found.map((found) => ({ ...found, breakTracking })) };
}

/** The warnings of the document itself, without the warnings of the VAST in it. */
export const warningsOf = ({ warnings }: Pick<VastResponse, 'warnings'>): string[] =>
  warnings.map((one) => warningText(one));

async function resolveBreak(
  { breakTypes, source, unreadable, id }: VmapBreak,
  fetchWrapper: WrapperFetcher,
): Promise<Resolution> {
  if (!breakTypes.includes('linear')) return emptyResolution;
  if (source?.kind === 'custom') return { ...emptyResolution, warnings: ['CustomAdData of VMAP is not supported'] };
  // An AdSource has the attributes of a wrapper (VMAP 1.0.1 §2.3.2), so it is handled as one without tracking.
  const asWrapper: Leading = {
    kind: 'wrapper',
    vmapSource: source?.kind === 'tag' ? 'tag' : 'inside',
    ...(id === undefined ? {} : { id }),
    ...(source?.kind === 'tag' ? { tagUrl: source.url } : {}),
    followAdditionalWrappers: source?.followRedirects ?? true,
    allowMultipleAds: source?.allowMultipleAds ?? true,
    impressions: [],
    errorUrls: [],
    extensions: [],
    verifications: [],
    creatives: [],
    blockedCategories: [],
  };
  if (!source) {
    if (!unreadable) return emptyResolution;
    const { line, reason, code } = unreadable;
    return dropAd(asWrapper, [], 'VAST_UNREADABLE', `Invalid VMAP ad break: ${reason} (line ${line}).`, code);
  }
  if (source.kind === 'tag') return resolveAds([asWrapper], [], fetchWrapper);
  if (source.vast.ads.length === 0)
    return { ...emptyResolution, errors: noAdErrors(source.vast), warnings: warningsOf(source.vast) };
  return resolveWrapped(source.vast, asWrapper, [], fetchWrapper);
}
