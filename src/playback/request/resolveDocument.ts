// What an ad server sent, read: VAST, or VMAP, of which the linear breaks' ads are taken, whatever their time. A linear
// channel asks for one break; servers that were made for on-demand players answer with a list.
import type { ParsedAdResponse } from '../../vast/read/readAdResponse.ts';
import type { VmapBreak, VmapResponse } from '../../vast/read/readVmap.ts';
import type { VastResponse, WrapperAd } from '../../vast/response.ts';
import {
  dropAd,
  emptyResolution,
  mergeResolutions,
  noAdErrors,
  type Resolution,
  resolveAds,
  resolveWrapped,
  type WrapperFetcher,
  warningText,
} from './resolveWrappers.ts';

export type ResolvedDocument = { readonly version: string; readonly harvest: Resolution };

/** @returns the ads and what was lost on the way, or one sentence about a document that cannot be read */
export async function resolveDocument(
  document: ParsedAdResponse['document'],
  ask: WrapperFetcher,
): Promise<ResolvedDocument | { readonly reason: string }> {
  if ('ads' in document) return readVastAds(document, ask);
  if ('adBreaks' in document) return readVmapAds(document, ask);
  if (document.fault === 'NOT_READ') return { reason: `The answer of the ad server is large, and ${document.reason}.` };
  return { reason: `The ad server did not send VAST or VMAP: ${document.reason} (line ${document.line}).` };
}

async function readVastAds(vast: VastResponse, ask: WrapperFetcher): Promise<ResolvedDocument> {
  const harvest = await resolveAds(vast.ads, [], ask);
  const errors = vast.ads.length === 0 ? noAdErrors(vast) : harvest.errors;
  return { version: vast.version, harvest: { ...harvest, errors, warnings: [...linesOf(vast), ...harvest.warnings] } };
}

async function readVmapAds(vmap: VmapResponse, ask: WrapperFetcher): Promise<ResolvedDocument> {
  const harvests = await Promise.all(
    vmap.adBreaks.map(async (adBreak) => {
      const harvest = await breakAds(adBreak, ask);
      const { trackingEvents: breakTracking } = adBreak;
      return breakTracking.length === 0
        ? harvest
        : { ...harvest, found: harvest.found.map((found) => ({ ...found, breakTracking })) };
    }),
  );
  const harvest = mergeResolutions([{ ...emptyResolution, warnings: linesOf(vmap) }, ...harvests]);
  return { version: `VMAP ${vmap.version}`.trim(), harvest };
}

const linesOf = ({ warnings }: Pick<VastResponse, 'warnings'>): string[] => warnings.map((one) => warningText(one));

async function breakAds({ breakTypes, source, unreadable, id }: VmapBreak, ask: WrapperFetcher): Promise<Resolution> {
  if (!breakTypes.includes('linear')) return emptyResolution;
  if (source?.kind === 'custom') return { ...emptyResolution, warnings: ['CustomAdData of VMAP is not read'] };
  // A source allows and forbids what a wrapper does (VMAP 1.0.1 §2.3.2), so it is one without tracking.
  const asWrapper: WrapperAd = {
    kind: 'wrapper',
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
    return dropAd(
      asWrapper,
      [],
      'VAST_UNREADABLE',
      `A break of the VMAP answer is lost: ${reason} (line ${line}).`,
      code,
    );
  }
  if (source.kind === 'tag') return resolveAds([asWrapper], [], ask);
  if (source.vast.ads.length === 0)
    return { ...emptyResolution, errors: noAdErrors(source.vast), warnings: linesOf(source.vast) };
  return resolveWrapped(source.vast, asWrapper, [], ask);
}
