// SPDX-License-Identifier: Apache-2.0
// Merges a wrapper and the InLine ad behind it into one ad (VAST 4.2 §2.3.5), so that the tracking URLs of both are
// requested. A chain of wrappers is merged from the inside out.
import { withoutUndefined } from '../invariant.ts';
import type {
  Companion,
  Creative,
  InLineAd,
  Linear,
  NonLinearAds,
  VastCategory,
  ViewableImpression,
  WrapperAd,
} from './response.ts';

type Lists<Name extends string> = { readonly [K in Name]: readonly unknown[] };

/** The items of both, those of the wrapper first. */
const joined = <Name extends string, Of extends Lists<Name>>(
  outer: Lists<Name>,
  inner: Of,
  ...names: readonly Name[]
) => Object.fromEntries(names.map((name) => [name, [...outer[name], ...inner[name]]])) as unknown as Pick<Of, Name>;

/**
 * The InLine ad with the impressions, Error URLs, tracking events, clicks, icons, extensions and verifications of both, the
 * wrapper's first. The position in the pod is the wrapper's.
 */
export function mergeWrapper(wrapper: WrapperAd, ad: InLineAd): InLineAd {
  // Either of the two may declare that a script decides whether there is an ad.
  const isConditional = wrapper.conditionalAd || ad.conditionalAd;
  return {
    ...ad,
    ...(isConditional && { conditionalAd: true }),
    ...withoutUndefined({
      sequence: wrapper.sequence ?? ad.sequence,
      viewableImpression: mergeViewable(wrapper.viewableImpression, ad.viewableImpression),
      pricing: ad.pricing ?? wrapper.pricing,
    }),
    ...joined(wrapper, ad, 'impressions', 'errorUrls', 'extensions', 'verifications'),
    creatives: mergeCreatives(wrapper.creatives, ad.creatives),
  };
}

/** The category of the ad that the wrapper blocks (§3.19.2; error code 205); undefined when there is none. */
export function blockedCategory(wrapper: WrapperAd, ad: InLineAd): VastCategory | undefined {
  const blocked = wrapper.blockedCategories.flatMap(({ authority, value }) =>
    value.split(/[\s,]+/).map((one) => ({ authority, value: one })),
  );
  return ad.categories.find((category) =>
    blocked.some(
      ({ authority, value }) =>
        value === category.value && (!authority || !category.authority || authority === category.authority),
    ),
  );
}

function mergeViewable(
  outer: ViewableImpression | undefined,
  inner: ViewableImpression | undefined,
): ViewableImpression | undefined {
  if (!outer || !inner) return outer ?? inner;
  return { ...inner, ...joined(outer, inner, 'viewable', 'notViewable', 'viewUndetermined') };
}

function mergeCreatives(outer: readonly Creative[], inner: readonly Creative[]): Creative[] {
  const linears = outer.flatMap(({ linear }) => linear ?? []);
  const nonLinears = outer.flatMap(({ nonLinearAds }) => nonLinearAds ?? []);
  const companions = outer.flatMap(({ companionAds }) => companionAds?.companions ?? []);
  const merged = inner.map(
    ({ linear, nonLinearAds, companionAds, ...creative }): Creative => ({
      ...creative,
      ...(linear && { linear: linears.reduceRight(mergeLinear, linear) }),
      ...(nonLinearAds && { nonLinearAds: nonLinears.reduceRight(mergeNonLinear, nonLinearAds) }),
      ...(companionAds && {
        companionAds: {
          ...companionAds,
          companions: companionAds.companions.map((one) => withTracking(one, companions)),
        },
      }),
    }),
  );
  // Companions of the InLine ad take precedence over those of the wrapper (§2.3.5.2).
  const hasCompanions = inner.some(({ companionAds }) => companionAds?.companions.some(showsSomething));
  const fallbacks = outer.flatMap(({ companionAds, id, sequence }): Creative[] => {
    const shown = companionAds?.companions.filter(showsSomething) ?? [];
    if (hasCompanions || !companionAds || shown.length === 0) return [];
    const named = { ...(id !== undefined && { id }), ...(sequence !== undefined && { sequence }) };
    return [{ ...named, universalAdIds: [], extensions: [], companionAds: { ...companionAds, companions: shown } }];
  });
  return [...merged, ...fallbacks];
}

/** An icon of the InLine ad replaces the wrapper's icon for the same program (§2.3.7.3). */
function mergeLinear(inner: Linear, outer: Linear): Linear {
  const programs = new Set(inner.icons.flatMap(({ program }) => program ?? []));
  const clickThrough = inner.clickThrough ?? outer.clickThrough;
  return {
    ...inner,
    ...(clickThrough && { clickThrough }),
    ...joined(outer, inner, 'trackingEvents', 'clickTrackings', 'customClicks'),
    icons: [...outer.icons.filter(({ program }) => program === undefined || !programs.has(program)), ...inner.icons],
  };
}

function mergeNonLinear(inner: NonLinearAds, outer: NonLinearAds): NonLinearAds {
  const clicks = outer.nonLinears.flatMap(({ clickTrackings }) => clickTrackings);
  return {
    trackingEvents: [...outer.trackingEvents, ...inner.trackingEvents],
    nonLinears: inner.nonLinears.map((one) => ({ ...one, clickTrackings: [...clicks, ...one.clickTrackings] })),
  };
}

const showsSomething = ({ staticResources, iframeResources, htmlResources }: Companion): boolean =>
  staticResources.length + iframeResources.length + htmlResources.length > 0;

/** A wrapper's companions without resources only add tracking to those of the InLine ad. */
function withTracking(companion: Companion, outer: readonly Companion[]): Companion {
  const trackers = outer.filter((one) => !showsSomething(one));
  const add = (one: Companion, tracker: Companion): Companion => {
    return { ...one, ...joined(tracker, one, 'trackingEvents', 'clickTrackings') };
  };
  return trackers.reduceRight(add, companion);
}
