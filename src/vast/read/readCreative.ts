// SPDX-License-Identifier: Apache-2.0
import type { XmlElement } from '../../xml/element.ts';
import type {
  AdParameters,
  Companion,
  CompanionAds,
  Creative,
  IdentifiedUrl,
  NonLinear,
  NonLinearAds,
  TrackingEvent,
  UniversalAdId,
  VastExtension,
} from '../response.ts';
import {
  attribute,
  booleanAttribute,
  numberAttribute,
  textOf,
  visit,
  type Warn,
  wholeAttribute,
  withoutUndefined,
} from '../xml/elements.ts';
import { readLinear } from './readLinear.ts';
import {
  adParameters,
  collect,
  collectExtensions,
  collectTracking,
  identifiedUrl,
  linkIn,
  resourceReader,
  timeAttribute,
} from './readSharedElements.ts';

/** A Creative (VAST 4.2 §3.7); undefined when it is empty. */
export function readCreative(element: XmlElement, warn: Warn): Creative | undefined {
  const universalAdIds: UniversalAdId[] = [];
  const extensions: VastExtension[] = [];
  let linear: Creative['linear'];
  let nonLinearAds: NonLinearAds | undefined;
  let companionAds: CompanionAds | undefined;
  visit(element, warn, {
    UniversalAdId: collect(universalAdIds, universalAdId, warn),
    Linear: (child) => {
      if (linear) warn(child.line, 'SECOND_LINEAR', 'Creative contains a second Linear; it is ignored');
      linear ??= readLinear(child, warn);
      for (const one of child.children)
        if (/^creativeextensions$/i.test(one.local)) collectExtensions(extensions, warn)(one);
    },
    NonLinearAds: (child) => {
      nonLinearAds = readNonLinearAds(child, warn);
    },
    CompanionAds: (child) => {
      companionAds = readCompanionAds(child, warn);
    },
    CreativeExtensions: collectExtensions(extensions, warn),
  });
  const creative = withoutUndefined({
    id: attribute(element, 'id'),
    adId: attribute(element, 'adId'),
    sequence: wholeAttribute(element, 'sequence', warn),
    apiFramework: attribute(element, 'apiFramework'),
    linear,
    nonLinearAds,
    companionAds,
  });
  const isEmpty = Object.keys(creative).length + universalAdIds.length + extensions.length === 0;
  return isEmpty ? undefined : { ...creative, universalAdIds, extensions };
}

const isUnknown = (text: string | undefined): boolean => text === undefined || /^unknown$/i.test(text);

/** In VAST 4.0 the value is an attribute, and the text "unknown" when there is none. */
function universalAdId(element: XmlElement): UniversalAdId | undefined {
  const value = [textOf(element), attribute(element, 'idValue')].find((one) => !isUnknown(one));
  if (value === undefined) return undefined;
  const registry = attribute(element, 'idRegistry');
  return isUnknown(registry) ? { value } : { ...withoutUndefined({ registry }), value };
}

function readNonLinearAds(element: XmlElement, warn: Warn): NonLinearAds {
  const trackingEvents: TrackingEvent[] = [];
  const nonLinears: NonLinear[] = [];
  visit(element, warn, {
    TrackingEvents: collectTracking(trackingEvents, warn),
    NonLinear: collect(nonLinears, readNonLinear, warn),
  });
  return { trackingEvents, nonLinears };
}

/** Reads what Companion and NonLinear have in common. @param name the prefix of their click elements */
function displayAdReader(name: 'Companion' | 'NonLinear', warn: Warn) {
  const { resources, handlers } = resourceReader(warn);
  const clickTrackings: IdentifiedUrl[] = [];
  let parameters: AdParameters | undefined;
  let clickThrough: string | undefined;
  return {
    handlers: {
      ...handlers,
      AdParameters: (child: XmlElement) => {
        parameters = adParameters(child, warn);
      },
      [`${name}ClickThrough`]: (child: XmlElement) => {
        clickThrough ??= linkIn(child, warn);
      },
      [`${name}ClickTracking`]: collect(clickTrackings, identifiedUrl, warn),
    },
    lists: { ...resources, clickTrackings },
    read: (element: XmlElement) => ({
      id: attribute(element, 'id'),
      width: wholeAttribute(element, 'width', warn),
      height: wholeAttribute(element, 'height', warn),
      expandedWidth: wholeAttribute(element, 'expandedWidth', warn),
      expandedHeight: wholeAttribute(element, 'expandedHeight', warn),
      apiFramework: attribute(element, 'apiFramework'),
      adParameters: parameters,
      clickThrough,
    }),
  };
}

function readNonLinear(element: XmlElement, warn: Warn): NonLinear {
  const common = displayAdReader('NonLinear', warn);
  visit(element, warn, common.handlers);
  return {
    ...withoutUndefined({
      ...common.read(element),
      scalable: booleanAttribute(element, 'scalable', warn),
      maintainAspectRatio: booleanAttribute(element, 'maintainAspectRatio', warn),
      minSuggestedDuration: timeAttribute(element, 'minSuggestedDuration', warn),
    }),
    ...common.lists,
  };
}

function readCompanionAds(element: XmlElement, warn: Warn): CompanionAds {
  const companions: Companion[] = [];
  visit(element, warn, { Companion: collect(companions, readCompanion, warn) });
  return { ...withoutUndefined({ required: attribute(element, 'required')?.toLowerCase() }), companions };
}

function readCompanion(element: XmlElement, warn: Warn): Companion {
  const common = displayAdReader('Companion', warn);
  const trackingEvents: TrackingEvent[] = [];
  const extensions: VastExtension[] = [];
  let altText: string | undefined;
  visit(element, warn, {
    ...common.handlers,
    AltText: (child) => {
      altText = textOf(child);
    },
    TrackingEvents: collectTracking(trackingEvents, warn),
    CreativeExtensions: collectExtensions(extensions, warn),
  });
  return {
    ...withoutUndefined({
      ...common.read(element),
      assetWidth: wholeAttribute(element, 'assetWidth', warn),
      assetHeight: wholeAttribute(element, 'assetHeight', warn),
      adSlotId: attribute(element, 'adSlotId'),
      pxratio: numberAttribute(element, 'pxratio', warn),
      renderingMode: attribute(element, 'renderingMode')?.toLowerCase(),
      altText,
    }),
    ...common.lists,
    trackingEvents,
    extensions,
  };
}
