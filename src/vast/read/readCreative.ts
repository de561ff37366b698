// SPDX-License-Identifier: Apache-2.0
import { withoutUndefined } from '../../invariant.ts';
import type { XmlElement } from '../../xml/element.ts';
import type {
  Companion,
  CompanionAds,
  Creative,
  DisplayAd,
  NonLinear,
  NonLinearAds,
  UniversalAdId,
} from '../response.ts';
import { attribute, booleans, numberAttribute, textOf, texts, visit, type Warn, wholes } from '../xml/elements.ts';
import { readLinear } from './readLinear.ts';
import {
  adParameters,
  collect,
  collectExtensions,
  collectTracking,
  type Growing,
  identifiedUrl,
  keepFirst,
  keepLast,
  linkIn,
  noResources,
  resourceHandlers,
  timeAttribute,
} from './readSharedElements.ts';

/** A Creative (VAST 4.2 §3.7); undefined when it is empty. */
export function readCreative(element: XmlElement, warn: Warn): Creative | undefined {
  const creative: Growing<Creative> = { universalAdIds: [], extensions: [] };
  const readExtensions = collectExtensions(creative.extensions, warn);
  visit(element, warn, {
    UniversalAdId: collect(creative.universalAdIds, universalAdId, warn),
    Linear: (child) => {
      if (creative.linear) warn(child.line, 'SECOND_LINEAR', 'Creative contains a second Linear; it is ignored');
      creative.linear ??= readLinear(child, warn);
      for (const one of child.children) if (/^creativeextensions$/i.test(one.local)) readExtensions(one);
    },
    NonLinearAds: keepLast(creative, 'nonLinearAds', readNonLinearAds, warn),
    CompanionAds: keepLast(creative, 'companionAds', readCompanionAds, warn),
    CreativeExtensions: readExtensions,
  });
  Object.assign(
    creative,
    texts(element, warn, 'id', 'adId'),
    wholes(element, warn, 'sequence'),
    texts(element, warn, 'apiFramework'),
  );
  const { universalAdIds, extensions, ...others } = creative;
  const isEmpty = Object.keys(others).length + universalAdIds.length + extensions.length === 0;
  return isEmpty ? undefined : creative;
}

const isUnknown = (text: string | undefined): boolean => text === undefined || /^unknown$/i.test(text);

/** In VAST 4.0 the value is an attribute, and the text "unknown" when there is none. */
function universalAdId(element: XmlElement): UniversalAdId | undefined {
  const value = [textOf(element), attribute(element, 'idValue')].find((one) => !isUnknown(one));
  if (value === undefined) return undefined;
  const registry = attribute(element, 'idRegistry');
  return registry === undefined || isUnknown(registry) ? { value } : { registry, value };
}

function readNonLinearAds(element: XmlElement, warn: Warn): NonLinearAds {
  const ads: Growing<NonLinearAds> = { trackingEvents: [], nonLinears: [] };
  visit(element, warn, {
    TrackingEvents: collectTracking(ads.trackingEvents, warn),
    NonLinear: collect(ads.nonLinears, readNonLinear, warn),
  });
  return ads;
}

/** Handlers for what Companion and NonLinear have in common. @param name the prefix of their click elements */
const displayAdHandlers = (ad: Growing<DisplayAd>, name: 'Companion' | 'NonLinear', warn: Warn) => ({
  ...resourceHandlers(ad, warn),
  AdParameters: keepLast(ad, 'adParameters', adParameters, warn),
  [`${name}ClickThrough`]: keepFirst(ad, 'clickThrough', linkIn, warn),
  [`${name}ClickTracking`]: collect(ad.clickTrackings, identifiedUrl, warn),
});

const displayAdAttributes = (element: XmlElement, warn: Warn) => ({
  ...texts(element, warn, 'id', 'apiFramework'),
  ...wholes(element, warn, 'width', 'height', 'expandedWidth', 'expandedHeight'),
});

function readNonLinear(element: XmlElement, warn: Warn): NonLinear {
  const ad: Growing<NonLinear> = { ...noResources(), clickTrackings: [] };
  visit(element, warn, displayAdHandlers(ad, 'NonLinear', warn));
  return Object.assign(
    ad,
    displayAdAttributes(element, warn),
    booleans(element, warn, 'scalable', 'maintainAspectRatio'),
    withoutUndefined({ minSuggestedDuration: timeAttribute(element, 'minSuggestedDuration', warn) }),
  );
}

function readCompanionAds(element: XmlElement, warn: Warn): CompanionAds {
  const companions: Companion[] = [];
  visit(element, warn, { Companion: collect(companions, readCompanion, warn) });
  return { ...withoutUndefined({ required: attribute(element, 'required')?.toLowerCase() }), companions };
}

function readCompanion(element: XmlElement, warn: Warn): Companion {
  const ad: Growing<Companion> = { ...noResources(), clickTrackings: [], trackingEvents: [], extensions: [] };
  visit(element, warn, {
    ...displayAdHandlers(ad, 'Companion', warn),
    AltText: keepLast(ad, 'altText', textOf, warn),
    TrackingEvents: collectTracking(ad.trackingEvents, warn),
    CreativeExtensions: collectExtensions(ad.extensions, warn),
  });
  const renderingMode = attribute(element, 'renderingMode')?.toLowerCase();
  return Object.assign(
    ad,
    displayAdAttributes(element, warn),
    wholes(element, warn, 'assetWidth', 'assetHeight'),
    texts(element, warn, 'adSlotId'),
    withoutUndefined({ pxratio: numberAttribute(element, 'pxratio', warn), renderingMode }),
  );
}
