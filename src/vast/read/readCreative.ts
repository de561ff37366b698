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

/** A Creative (VAST 4.2 §3.7), or nothing when it says nothing at all. */
export function readCreative(element: XmlElement, warn: Warn): Creative | undefined {
  const universalAdIds: UniversalAdId[] = [];
  const extensions: VastExtension[] = [];
  let linear: Creative['linear'];
  let nonLinearAds: NonLinearAds | undefined;
  let companionAds: CompanionAds | undefined;
  visit(element, warn, {
    UniversalAdId: collect(universalAdIds, universalAdId, warn),
    Linear: (child) => {
      if (linear) warn(child.line, 'Creative holds a second Linear, which is not read');
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
  const saysNothing = Object.keys(creative).length + universalAdIds.length + extensions.length === 0;
  return saysNothing ? undefined : { ...creative, universalAdIds, extensions };
}

const isUnknown = (text: string | undefined): boolean => text === undefined || /^unknown$/i.test(text);

/** VAST 4.0 had the value in an attribute, with "unknown" for none. */
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

function readNonLinear(element: XmlElement, warn: Warn): NonLinear {
  const { resources, handlers } = resourceReader(warn);
  const clickTrackings: IdentifiedUrl[] = [];
  let parameters: AdParameters | undefined;
  let clickThrough: string | undefined;
  visit(element, warn, {
    ...handlers,
    AdParameters: (child) => {
      parameters = adParameters(child, warn);
    },
    NonLinearClickThrough: (child) => {
      clickThrough ??= linkIn(child, warn);
    },
    NonLinearClickTracking: collect(clickTrackings, identifiedUrl, warn),
  });
  return {
    ...withoutUndefined({
      id: attribute(element, 'id'),
      width: wholeAttribute(element, 'width', warn),
      height: wholeAttribute(element, 'height', warn),
      expandedWidth: wholeAttribute(element, 'expandedWidth', warn),
      expandedHeight: wholeAttribute(element, 'expandedHeight', warn),
      scalable: booleanAttribute(element, 'scalable', warn),
      maintainAspectRatio: booleanAttribute(element, 'maintainAspectRatio', warn),
      minSuggestedDuration: timeAttribute(element, 'minSuggestedDuration', warn),
      apiFramework: attribute(element, 'apiFramework'),
      adParameters: parameters,
      clickThrough,
    }),
    ...resources,
    clickTrackings,
  };
}

function readCompanionAds(element: XmlElement, warn: Warn): CompanionAds {
  const companions: Companion[] = [];
  visit(element, warn, { Companion: collect(companions, readCompanion, warn) });
  return { ...withoutUndefined({ required: attribute(element, 'required')?.toLowerCase() }), companions };
}

function readCompanion(element: XmlElement, warn: Warn): Companion {
  const { resources, handlers } = resourceReader(warn);
  const clickTrackings: IdentifiedUrl[] = [];
  const trackingEvents: TrackingEvent[] = [];
  const extensions: VastExtension[] = [];
  let parameters: AdParameters | undefined;
  let altText: string | undefined;
  let clickThrough: string | undefined;
  visit(element, warn, {
    ...handlers,
    AdParameters: (child) => {
      parameters = adParameters(child, warn);
    },
    AltText: (child) => {
      altText = textOf(child);
    },
    CompanionClickThrough: (child) => {
      clickThrough ??= linkIn(child, warn);
    },
    CompanionClickTracking: collect(clickTrackings, identifiedUrl, warn),
    TrackingEvents: collectTracking(trackingEvents, warn),
    CreativeExtensions: collectExtensions(extensions, warn),
  });
  const size = (name: string) => wholeAttribute(element, name, warn);
  return {
    ...withoutUndefined({
      id: attribute(element, 'id'),
      width: size('width'),
      height: size('height'),
      assetWidth: size('assetWidth'),
      assetHeight: size('assetHeight'),
      expandedWidth: size('expandedWidth'),
      expandedHeight: size('expandedHeight'),
      apiFramework: attribute(element, 'apiFramework'),
      adSlotId: attribute(element, 'adSlotId'),
      pxratio: numberAttribute(element, 'pxratio', warn),
      renderingMode: attribute(element, 'renderingMode')?.toLowerCase(),
      adParameters: parameters,
      altText,
      clickThrough,
    }),
    ...resources,
    clickTrackings,
    trackingEvents,
    extensions,
  };
}
