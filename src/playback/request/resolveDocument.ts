// SPDX-License-Identifier: Apache-2.0
// The ads of a parsed ad response: VAST, or VMAP. For a break of a linear channel, the ads of all linear breaks of VMAP are used,
// whatever their time offsets: it requests one break at a time, but ad servers built for on-demand players return a list of
// breaks. A presentation uses the breaks one by one (requestPresentation.ts).
import type { ParsedAdResponse } from '../../vast/read/readAdResponse.ts';
import type { VmapBreak, VmapResponse } from '../../vast/read/readVmap.ts';
import type { VastResponse } from '../../vast/response.ts';
import {
  dropAd,
  emptyResolution,
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

export type ResolvedDocument = { readonly version: string; readonly resolution: Resolution };

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

/** Of the document itself, without those of the VAST in it. */
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
