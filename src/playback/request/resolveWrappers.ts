// Follows wrappers to the ads behind them (VAST 4.2 §2.3.5, §3.19). It knows depth, loops and what a wrapper allows; it
// refuses to know how a server is asked. What is lost on the way is told, with the codes for its Error URLs.
import { type SkipCode, vastErrorOf } from '../../ads/pod/adOutcome.ts';
import type { DroppedAd, ErrorBeacon } from '../../ads/record/adRequestOutcome.ts';
import type { AdServerResponse } from '../../ads/request/ports.ts';
import { inPlayingOrder } from '../../vast/inPlayingOrder.ts';
import { blockedCategory, mergeWrapper } from '../../vast/mergeWrapper.ts';
import type { ParsedAdResponse } from '../../vast/read/readAdResponse.ts';
import type { InLineAd, TrackingEvent, VastAd, VastResponse, WrapperAd } from '../../vast/response.ts';
import type { VastWarning } from '../../vast/vastWarning.ts';

/** Wrappers in a row before an ad (VAST 4.2 §2.3.5.1). */
const DEEPEST = 5;

export type FoundAd = {
  readonly ad: InLineAd;
  readonly isPod: boolean;
  /** Of the VMAP break that the ad stands in. */
  readonly breakTracking?: readonly TrackingEvent[];
};

export type Resolution = {
  readonly found: readonly FoundAd[];
  readonly dropped: readonly DroppedAd[];
  readonly errors: readonly ErrorBeacon[];
  readonly warnings: readonly string[];
};

/** Asks the server that a wrapper names, and reads what it sends; `spent`: no more is asked or read for this break. */
export type WrapperFetcher = (
  tagUrl: string,
) => Promise<ParsedAdResponse['document'] | Extract<AdServerResponse, { ok: false }> | 'empty' | 'spent'>;

/** As it stands in the trace. @param where the document was found, when it is not the answer itself */
export function warningText({ line, text }: VastWarning, where = ''): string {
  const place = [where, line === undefined ? '' : `line ${line}`].filter((part) => part !== '').join(', ');
  return place === '' ? text : `${place[0]!.toUpperCase()}${place.slice(1)}: ${text}`;
}

export const emptyResolution: Resolution = { found: [], dropped: [], errors: [], warnings: [] };

export const mergeResolutions = (harvests: readonly Resolution[]): Resolution => ({
  found: harvests.flatMap(({ found }) => found),
  dropped: harvests.flatMap(({ dropped }) => dropped),
  errors: harvests.flatMap(({ errors }) => errors),
  warnings: harvests.flatMap(({ warnings }) => warnings),
});

/** An ad that is lost; its own and all its wrappers' Error URLs hear of it (VAST 4.2 §2.3.6). */
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
 * The ads of an answer, in playing order, those behind wrappers in their wrapper's place.
 * @param wrappers that led to this answer, outermost first
 */
export async function resolveAds(
  ads: readonly VastAd[],
  wrappers: readonly WrapperAd[],
  ask: WrapperFetcher,
): Promise<Resolution> {
  const ordered = inPlayingOrder(ads);
  const harvests = await Promise.all(
    ordered.map(async (ad): Promise<Resolution> => {
      if (ad.kind === 'inLine') return { ...emptyResolution, found: [{ ad, isPod: ad.sequence !== undefined }] };
      return placedAs(ad, ordered, await followWrapper(ad, wrappers, ask));
    }),
  );
  return mergeResolutions(withoutForbiddenFallback(ordered, harvests, wrappers));
}

/** Ads behind a wrapper of the pod are the pod's; behind a stand-alone one they may be the pod if there is no other. */
function placedAs(wrapper: WrapperAd, siblings: readonly VastAd[], harvest: Resolution): Resolution {
  const hasPod = siblings.some(({ sequence }) => sequence !== undefined);
  const isInPod = wrapper.sequence !== undefined;
  return { ...harvest, found: harvest.found.map(({ ad, isPod }) => ({ ad, isPod: isInPod || (!hasPod && isPod) })) };
}

/** `fallbackOnNoAd="false"` (§3.19): when a wrapper of the pod leads to no ad, no stand-alone ad takes its place. */
function withoutForbiddenFallback(
  ads: readonly VastAd[],
  harvests: readonly Resolution[],
  wrappers: readonly WrapperAd[],
): readonly Resolution[] {
  const isForbidden = ads.some(
    (ad, index) =>
      ad.kind === 'wrapper' &&
      ad.sequence !== undefined &&
      ad.fallbackOnNoAd === false &&
      harvests[index]!.found.length === 0,
  );
  if (!isForbidden) return harvests;
  const text = 'It stands by, but a wrapper of the pod that led to no ad wants no substitute (fallbackOnNoAd="false").';
  return harvests.map((harvest, index) =>
    ads[index]!.sequence === undefined && harvest.found.length > 0
      ? mergeResolutions([
          { ...harvest, found: [] },
          ...harvest.found.map(({ ad }) => dropAd(ad, wrappers, 'FALLBACK_FORBIDDEN', text)),
        ])
      : harvest,
  );
}

async function followWrapper(
  wrapper: WrapperAd,
  outer: readonly WrapperAd[],
  ask: WrapperFetcher,
): Promise<Resolution> {
  const drop = (code: SkipCode, text: string, vastCode?: number) => dropAd(wrapper, outer, code, text, vastCode);
  const { tagUrl } = wrapper;
  if (tagUrl === undefined) {
    const { malformedTagUrl: malformed } = wrapper;
    const what = malformed === undefined ? 'names no URL to follow' : `names "${malformed}", which is no URL to follow`;
    return drop('WRAPPER_FAILED', `Its wrapper ${what}.`);
  }
  if (outer.at(-1)?.followAdditionalWrappers === false) {
    return drop('WRAPPER_FORBIDS', 'It is a wrapper behind a wrapper that allows no other (followAdditionalWrappers).');
  }
  if (outer.length >= DEEPEST) return drop('WRAPPER_LIMIT', `It lies behind more than ${DEEPEST} wrappers.`);
  if (outer.some((one) => one.tagUrl === tagUrl)) {
    return drop('WRAPPER_LOOP', 'Its wrappers lead back to a URL that was already asked.');
  }
  const answer = await ask(tagUrl);
  if (answer === 'spent')
    return drop('WRAPPER_LIMIT', 'Too many or too large answers of wrappers were read for this break already.');
  if (answer === 'empty') return drop('WRAPPER_EMPTY', 'The server that its wrapper names sent nothing.');
  if ('ok' in answer) {
    const code = answer.error === 'timeout' ? 'WRAPPER_TIMEOUT' : 'WRAPPER_FAILED';
    return drop(code, `The server that its wrapper names ${answer.reason}.`, 301);
  }
  if ('adBreaks' in answer) {
    return drop('VAST_UNREADABLE', 'The server that its wrapper names sent VMAP, where VAST is expected.', 101);
  }
  if ('ads' in answer) return resolveWrapped(answer, wrapper, outer, ask);
  if (answer.fault === 'NOT_READ') {
    const text = `The answer of the server that its wrapper names is large, and ${answer.reason}.`;
    return drop('VAST_UNREADABLE', text, answer.code);
  }
  const text = `The server that its wrapper names did not send VAST: ${answer.reason} (line ${answer.line}).`;
  return drop('VAST_UNREADABLE', text, answer.code);
}

/** The ads of an answer that a wrapper led to, as far as it allows them, with its tracking. */
export async function resolveWrapped(
  response: VastResponse,
  wrapper: WrapperAd,
  outer: readonly WrapperAd[],
  ask: WrapperFetcher,
): Promise<Resolution> {
  const warnings = response.warnings.map((one) => warningText(one, 'behind a wrapper'));
  if (response.ads.length === 0) {
    const empty = dropAd(wrapper, outer, 'WRAPPER_EMPTY', 'The server that its wrapper names sent VAST without an ad.');
    return { ...empty, warnings, errors: [...empty.errors, ...noAdErrors(response)] };
  }
  const { taken, left } = allowedBy(wrapper, response.ads);
  const wrappers = [...outer, wrapper];
  const inner = await resolveAds(taken, wrappers, ask);
  const text = 'Its wrapper allows one ad, and another was taken (allowMultipleAds).';
  return mergeResolutions([
    { ...inner, found: [], warnings: [...warnings, ...inner.warnings] },
    ...inner.found.map((found) => unlessBlocked(found, wrapper, wrappers)),
    ...left.map((ad) => dropAd(ad, [], 'WRAPPER_FORBIDS', text, 0)),
  ]);
}

/** §3.19.2: an ad of a category that its wrapper will not have. */
function unlessBlocked({ ad, isPod }: FoundAd, wrapper: WrapperAd, wrappers: readonly WrapperAd[]): Resolution {
  const blocked = blockedCategory(wrapper, ad);
  if (!blocked) return { ...emptyResolution, found: [{ ad: mergeWrapper(wrapper, ad), isPod }] };
  return dropAd(ad, wrappers, 'CATEGORY_BLOCKED', `Its wrapper blocks ads of its category, ${blocked.value}.`);
}

/** The Error URLs of an answer without ads (§3.2.1, §2.3.6.4). */
export const noAdErrors = ({ errorUrls }: VastResponse): ErrorBeacon[] => errorUrls.map((url) => ({ url, code: 303 }));

/** Without `allowMultipleAds` only the first stand-alone ad (§3.19); a pod alone still gives its first. */
function allowedBy({ allowMultipleAds }: WrapperAd, ads: readonly VastAd[]): { taken: VastAd[]; left: VastAd[] } {
  if (allowMultipleAds) return { taken: [...ads], left: [] };
  const one = ads.find(({ sequence }) => sequence === undefined) ?? inPlayingOrder(ads)[0]!;
  return { taken: [one], left: ads.filter((ad) => ad !== one) };
}
