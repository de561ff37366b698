// SPDX-License-Identifier: Apache-2.0
// Follows wrappers to the ads behind them (VAST 4.2 §2.3.5, §3.19): depth, loops and what each wrapper allows. Requests are sent
// by the caller. Every ad that is dropped on the way is returned with its reason and the codes for its Error URLs.

import { inPlace, type SkipCode, vastErrorOf } from '../../ads/pod/adOutcome.ts';
import type { DroppedAd, ErrorBeacon, ResolvedAd } from '../../ads/record/breakRecord.ts';
import type { AdServerResponse } from '../../ads/request/ports.ts';
import { defined } from '../../invariant.ts';
import { blockedCategory, mergeWrapper } from '../../vast/mergeWrapper.ts';
import type { ParsedAdResponse } from '../../vast/read/readAdResponse.ts';
import type { VastAd, VastResponse, WrapperAd } from '../../vast/response.ts';
import { playingUnits } from '../../vast/response.ts';
import type { VastWarning } from '../../vast/vastWarning.ts';

/** Wrappers in a row before an ad (VAST 4.2 §2.3.5.1). */
const MAX_WRAPPER_DEPTH = 5;

export type FoundAd = Omit<ResolvedAd, 'sequence'> & { readonly isPod: boolean };

/** The ads of a response, those dropped, the Error URLs to call, and warnings for the trace. */
export type Resolution = {
  readonly found: readonly FoundAd[];
  readonly dropped: readonly DroppedAd[];
  readonly errors: readonly ErrorBeacon[];
  readonly warnings: readonly string[];
};

/** Requests and parses the response for a wrapper's tag URL. `limitReached`: the break's limit of requests or bytes. */
export type WrapperFetcher = (
  tagUrl: string,
) => Promise<ParsedAdResponse['document'] | Extract<AdServerResponse, { ok: false }> | 'empty' | 'limitReached'>;

/** A warning as the trace shows it. @param where names the document, unless it is the ad response itself */
export function warningText({ line, text }: VastWarning, where = ''): string {
  const place = [where, line === undefined ? '' : `line ${line}`].filter((part) => part !== '').join(', ');
  return place === '' ? text : `${place.charAt(0).toUpperCase()}${place.slice(1)}: ${text}`;
}

export const emptyResolution: Resolution = { found: [], dropped: [], errors: [], warnings: [] };

export const mergeResolutions = (resolutions: readonly Resolution[]): Resolution => ({
  found: resolutions.flatMap(({ found }) => found),
  dropped: resolutions.flatMap(({ dropped }) => dropped),
  errors: resolutions.flatMap(({ errors }) => errors),
  warnings: resolutions.flatMap(({ warnings }) => warnings),
});

/** A dropped ad, with its own and all its wrappers' Error URLs (VAST 4.2 §2.3.6). */
export function dropAd(
  ad: VastAd,
  wrappers: readonly WrapperAd[],
  code: SkipCode,
  text: string,
  vastCode = vastErrorOf(code),
): Resolution {
  const title = ad.kind === 'inLine' ? ad.adTitle : undefined;
  const dropped: DroppedAd = { id: ad.id ?? '', ...(title === undefined ? {} : { title }), skip: { code, text } };
  const urls = [...wrappers, ad].flatMap(({ errorUrls }) => errorUrls);
  const errors = vastCode ? urls.map((url) => ({ url, code: vastCode })) : [];
  return { ...emptyResolution, dropped: [dropped], errors };
}

/**
 * The ads of a response in playing order; ads behind a wrapper take the wrapper's place. Wrappers of alternatives are requested
 * together, so that a fallback is there when it is needed.
 * @param wrappers that led to this response, outermost first
 */
export async function resolveAds(
  ads: readonly VastAd[],
  wrappers: readonly WrapperAd[],
  fetchWrapper: WrapperFetcher,
): Promise<Resolution> {
  const units = playingUnits(ads);
  const resolutions = await Promise.all(
    units.map((unit) =>
      Promise.all(
        unit.map(async (ad): Promise<Resolution> => {
          if (ad.kind === 'inLine') return { ...emptyResolution, found: [{ ad, isPod: ad.sequence !== undefined }] };
          return inPlaceOf(ad, ads, await followWrapper(ad, wrappers, fetchWrapper));
        }),
      ),
    ),
  );
  const resolutionAt = (place: number, rank: number): Resolution =>
    defined(resolutions[place]?.[rank], 'each ad has a resolution');
  const isForbidding = (ad: VastAd, { found }: Resolution): boolean =>
    ad.kind === 'wrapper' && ad.fallbackOnNoAd === false && found.length === 0;
  const endsPod = units.some((unit, place) =>
    unit.some((ad, rank) => ad.sequence !== undefined && isForbidding(ad, resolutionAt(place, rank))),
  );
  return mergeResolutions(
    units.flatMap((unit, place) => {
      let isForbidden = endsPod && unit[0]?.sequence === undefined;
      return unit.map((ad, rank) => {
        const resolution = resolutionAt(place, rank);
        const allowed = isForbidden ? withoutFallback(resolution, wrappers) : resolution;
        isForbidden ||= isForbidding(ad, resolution);
        return placed(allowed, place, unit.length > 1 ? rank : undefined);
      });
    }),
  );
}

export const placed = (resolution: Resolution, place: number, rank?: number): Resolution => ({
  ...resolution,
  found: resolution.found.map((one) => inPlace(one, place, rank)),
  errors: resolution.errors.map((one) => inPlace(one, place, rank)),
});

/**
 * Ads behind a wrapper of the pod belong to the pod. Ads behind a stand-alone wrapper form the pod if there is no
 * other.
 */
function inPlaceOf(wrapper: WrapperAd, siblings: readonly VastAd[], resolution: Resolution): Resolution {
  const hasPod = siblings.some(({ sequence }) => sequence !== undefined);
  const isInPod = wrapper.sequence !== undefined;
  const found = resolution.found.map((one) => ({ ...one, isPod: isInPod || (!hasPod && one.isPod) }));
  return { ...resolution, found };
}

/**
 * `fallbackOnNoAd="false"` (§3.19): if the wrapper leads to no ad, no later alternative replaces it, and if it is in the pod, no
 * stand-alone ad does.
 */
function withoutFallback(resolution: Resolution, wrappers: readonly WrapperAd[]): Resolution {
  const text = 'It is a fallback, and a wrapper that led to no ad forbids one (fallbackOnNoAd="false").';
  return mergeResolutions([
    { ...resolution, found: [] },
    ...resolution.found.map(({ ad }) => dropAd(ad, wrappers, 'FALLBACK_FORBIDDEN', text)),
  ]);
}

/** What leads to a response: a Wrapper, or the AdSource of a VMAP break, which has the same rules. */
export type Leading = WrapperAd & {
  /** `tag`: its ad tag is requested. `inside`: the response is in the VMAP document. */
  readonly vmapSource?: 'tag' | 'inside';
};

const nameOf = ({ vmapSource }: Leading): string =>
  vmapSource === undefined ? 'The wrapper' : 'The AdSource of the VMAP break';

const serverOf = ({ vmapSource }: Leading): string =>
  vmapSource === undefined ? "The server of the wrapper's tag URL" : "The server of the VMAP break's ad tag";

const placeOf = ({ vmapSource }: Leading): string =>
  vmapSource === undefined ? 'behind a wrapper' : vmapSource === 'tag' ? 'behind an ad tag of VMAP' : 'in a VMAP break';

function refusalOf({ tagUrl }: WrapperAd, outer: readonly Leading[]): { code: SkipCode; text: string } | undefined {
  const last = outer.at(-1);
  if (last?.followAdditionalWrappers === false) {
    const text =
      last.vmapSource === undefined
        ? 'It is behind a wrapper that forbids further wrappers (followAdditionalWrappers).'
        : 'It is in a VMAP break that forbids wrappers (followRedirects).';
    return { code: 'WRAPPER_FORBIDS', text };
  }
  if (outer.filter(({ vmapSource }) => vmapSource === undefined).length >= MAX_WRAPPER_DEPTH)
    return { code: 'WRAPPER_LIMIT', text: `It is behind more than ${MAX_WRAPPER_DEPTH} wrappers.` };
  return outer.some((one) => one.tagUrl === tagUrl)
    ? { code: 'WRAPPER_LOOP', text: 'The wrapper leads back to a tag URL that was already requested.' }
    : undefined;
}

async function followWrapper(
  wrapper: Leading,
  outer: readonly Leading[],
  fetchWrapper: WrapperFetcher,
): Promise<Resolution> {
  const drop = (code: SkipCode, text: string, vastCode?: number) => dropAd(wrapper, outer, code, text, vastCode);
  const { tagUrl } = wrapper;
  if (tagUrl === undefined) {
    const { malformedTagUrl: malformed } = wrapper;
    const text =
      malformed === undefined ? 'The wrapper has no tag URL.' : `Invalid tag URL of the wrapper: "${malformed}".`;
    return drop('WRAPPER_FAILED', text);
  }
  const refusal = refusalOf(wrapper, outer);
  if (refusal !== undefined) return drop(refusal.code, refusal.text);
  const received = await fetchWrapper(tagUrl);
  const server = serverOf(wrapper);
  if (received === 'limitReached') {
    return drop('WRAPPER_LIMIT', 'The limit of further requests, or of their total size, was reached for this break.');
  }
  if (received === 'empty') return drop('WRAPPER_EMPTY', `${server} returned an empty response.`);
  if ('ok' in received) {
    const code = received.error === 'timeout' ? 'WRAPPER_TIMEOUT' : 'WRAPPER_FAILED';
    return drop(code, `${server} ${received.reason}.`, 301);
  }
  if ('adBreaks' in received) return drop('VAST_UNREADABLE', `${server} returned VMAP; expected VAST.`, 101);
  if ('ads' in received) return resolveWrapped(received, wrapper, outer, fetchWrapper);
  if (received.fault === 'NOT_READ') {
    const text = `${server} returned a large response, and ${received.reason}.`;
    return drop('VAST_UNREADABLE', text, received.code);
  }
  const text = `${server} returned a response that is not valid VAST: ${received.reason} (line ${received.line}).`;
  return drop('VAST_UNREADABLE', text, received.code);
}

/** The ads of a wrapper's response that the wrapper allows, with its tracking merged into them. */
export async function resolveWrapped(
  response: VastResponse,
  wrapper: Leading,
  outer: readonly Leading[],
  fetchWrapper: WrapperFetcher,
): Promise<Resolution> {
  const warnings = response.warnings.map((one) => warningText(one, placeOf(wrapper)));
  if (response.ads.length === 0) {
    const empty = dropAd(wrapper, outer, 'WRAPPER_EMPTY', `${serverOf(wrapper)} returned VAST without ads.`);
    return { ...empty, warnings, errors: [...empty.errors, ...noAdErrors(response)] };
  }
  const { allowed, excess } = allowedBy(wrapper, response.ads);
  const wrappers = [...outer, wrapper];
  const inner = await resolveAds(allowed, wrappers, fetchWrapper);
  const text = `${nameOf(wrapper)} allows only one ad, and another one was used (allowMultipleAds).`;
  return mergeResolutions([
    { ...inner, found: [], warnings: [...warnings, ...inner.warnings] },
    ...inner.found.map((found) => unlessBlocked(found, wrapper, wrappers)),
    ...excess.map((ad) => dropAd(ad, [], 'WRAPPER_FORBIDS', text, 0)),
  ]);
}

/** Drops an ad of a category that its wrapper blocks (§3.19.2). */
function unlessBlocked(found: FoundAd, wrapper: WrapperAd, wrappers: readonly WrapperAd[]): Resolution {
  const { ad } = found;
  const blocked = blockedCategory(wrapper, ad);
  if (!blocked) return { ...emptyResolution, found: [{ ...found, ad: mergeWrapper(wrapper, ad) }] };
  return dropAd(ad, wrappers, 'CATEGORY_BLOCKED', `The wrapper blocks ads of category ${blocked.value}.`);
}

/** The Error URLs of a response without ads (§3.2.1, §2.3.6.4). */
export const noAdErrors = ({ errorUrls }: VastResponse): ErrorBeacon[] => errorUrls.map((url) => ({ url, code: 303 }));

/** Without `allowMultipleAds`: the first stand-alone ad, or the first of the pod if there is none (§3.19), with its alternatives. */
function allowedBy({ allowMultipleAds }: WrapperAd, ads: readonly VastAd[]): { allowed: VastAd[]; excess: VastAd[] } {
  if (allowMultipleAds) return { allowed: [...ads], excess: [] };
  const units = playingUnits(ads);
  const allowed = units.find(([ad]) => ad?.sequence === undefined) ?? units[0] ?? [];
  return { allowed, excess: ads.filter((ad) => !allowed.includes(ad)) };
}
