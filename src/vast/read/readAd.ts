// SPDX-License-Identifier: Apache-2.0
import { withoutUndefined } from '../../invariant.ts';
import type { XmlElement } from '../../xml/element.ts';
import type {
  AdBase,
  InLineAd,
  VastAd,
  VastCategory,
  Verification,
  ViewableImpression,
  WrapperAd,
} from '../response.ts';
import {
  attribute,
  booleans,
  isNamed,
  NUMBER,
  shortened,
  textOf,
  texts,
  visit,
  type Warn,
  warnOfValue,
  wholeAttribute,
} from '../xml/elements.ts';
import { upgradeVast1 } from '../xml/upgradeVast1.ts';
import { readCreative } from './readCreative.ts';
import {
  collect,
  collectExtensions,
  collectTracking,
  type Growing,
  identifiedUrl,
  keepFirst,
  keepLast,
  malformedIn,
  urlIn,
} from './readSharedElements.ts';

/** An Ad (VAST 4.2 §3.3). One without InLine and Wrapper is returned as an InLine ad with `holdsInstead`, for the trace. */
export function readAd(element: XmlElement, warn: Warn): VastAd {
  const inLine = element.children.find((child) => isNamed(child, 'InLine'));
  const wrapper = element.children.find((child) => isNamed(child, 'Wrapper'));
  for (const child of element.children) {
    if (child !== inLine && (child !== wrapper || inLine) && (inLine || wrapper || !isNamed(child, 'Error'))) {
      const beside = inLine ? ' in addition to InLine' : wrapper ? ' in addition to Wrapper' : '';
      const text = `Ad contains ${child.local}${beside}; it is ignored`;
      warn(child.line, 'EXTRA_ELEMENT', text);
    }
  }
  const isNeither = !inLine && !wrapper;
  if (isNeither)
    warn(element.line, 'NEITHER_INLINE_NOR_WRAPPER', 'Ad must contain InLine or Wrapper; it contains neither');
  const adType = attribute(element, 'adType')?.toLowerCase();
  const own = {
    ...texts(element, warn, 'id'),
    ...withoutUndefined({ sequence: sequenceOf(element, warn), adType }),
    ...booleans(element, warn, 'conditionalAd'),
  };
  // Not by spreading: a spread after another property copies one property at a time.
  if (wrapper && !inLine) return Object.assign(readWrapper(upgradeVast1(wrapper), warn), own);
  if (inLine) return Object.assign(readInLine(upgradeVast1(inLine), warn), own);
  const errors = element.children.filter((child) => isNamed(child, 'Error'));
  const holdsInstead = element.children.map(({ local }) => shortened(local));
  return Object.assign(readInLine({ ...element, children: errors }, warn), own, { holdsInstead });
}

/** Starts at 1 in VAST, but at 0 for some ad servers. */
function sequenceOf(element: XmlElement, warn: Warn): number | undefined {
  return attribute(element, 'sequence') === '0' ? 0 : wholeAttribute(element, 'sequence', warn);
}

const emptyAd = (): Growing<AdBase> => ({
  impressions: [],
  errorUrls: [],
  extensions: [],
  verifications: [],
  creatives: [],
});

/** Reads an InLine or a Wrapper: what they have in common, and the elements of `others`. */
function readInto(ad: Growing<AdBase>, element: XmlElement, warn: Warn, others: Parameters<typeof visit>[2]): void {
  const inExtensions: Verification[] = [];
  visit(element, warn, {
    AdSystem: (child) => {
      const name = textOf(child);
      if (name !== undefined) ad.adSystem = { name, ...texts(child, warn, 'version') };
    },
    Impression: collect(ad.impressions, identifiedUrl, warn),
    Error: collect(ad.errorUrls, urlIn, warn),
    ViewableImpression: keepLast(ad, 'viewableImpression', viewableImpression, warn),
    Pricing: (child) => {
      const pricing = readPricing(child, warn);
      if (pricing) ad.pricing = pricing;
    },
    Extensions: (list) => {
      inExtensions.push(...verificationsIn(list, warn));
      collectExtensions(ad.extensions, warn)(withoutVerifications(list));
    },
    AdVerifications: (list) => visit(list, warn, { Verification: collect(ad.verifications, readVerification, warn) }),
    Creatives: (list) => visit(list, warn, { Creative: collect(ad.creatives, readCreative, warn) }),
    ...others,
  });
  ad.verifications = withOthers(ad.verifications, inExtensions);
}

function readInLine(element: XmlElement, warn: Warn): InLineAd {
  const ad: Growing<InLineAd> = { kind: 'inLine', ...emptyAd(), categories: [] };
  const written: { expires?: string } = {};
  readInto(ad, element, warn, {
    AdTitle: keepFirst(ad, 'adTitle', textOf, warn),
    AdServingId: keepFirst(ad, 'adServingId', textOf, warn),
    Description: keepFirst(ad, 'description', textOf, warn),
    Advertiser: keepFirst(ad, 'advertiser', textOf, warn),
    Expires: keepFirst(written, 'expires', textOf, warn),
    Category: collect(ad.categories, category, warn),
    Survey: (child) => {
      const url = urlIn(child, warn);
      if (url) ad.survey = { url, ...texts(child, warn, 'type') };
    },
  });
  if (/^\d{1,9}$/.test(written.expires ?? '')) ad.expires = Number(written.expires);
  return ad;
}

function readWrapper(element: XmlElement, warn: Warn): WrapperAd {
  const defaults = { followAdditionalWrappers: true, allowMultipleAds: false };
  const ad: Growing<WrapperAd> = { kind: 'wrapper', ...emptyAd(), ...defaults, blockedCategories: [] };
  readInto(ad, element, warn, {
    VASTAdTagURI: (child) => {
      keepFirst(ad, 'tagUrl', urlIn, warn)(child);
      if (ad.tagUrl === undefined) keepFirst(ad, 'malformedTagUrl', malformedIn, warn)(child);
    },
    BlockedAdCategories: collect(ad.blockedCategories, category, warn),
    // VAST 2 and 3 allow these elements, which do not describe the ad behind the wrapper.
    AdTitle: () => {},
    Description: () => {},
  });
  if (ad.tagUrl === undefined) warn(element.line, 'MISSING_TAG_URL', 'Wrapper has no valid VASTAdTagURI');
  else delete ad.malformedTagUrl;
  return Object.assign(ad, booleans(element, warn, 'fallbackOnNoAd', 'followAdditionalWrappers', 'allowMultipleAds'));
}

const category = (element: XmlElement, warn: Warn): VastCategory | undefined => {
  const value = textOf(element);
  return value === undefined ? undefined : { ...texts(element, warn, 'authority'), value };
};

function viewableImpression(element: XmlElement, warn: Warn): ViewableImpression {
  const seen: Growing<ViewableImpression> = { viewable: [], notViewable: [], viewUndetermined: [] };
  visit(element, warn, {
    Viewable: collect(seen.viewable, urlIn, warn),
    NotViewable: collect(seen.notViewable, urlIn, warn),
    ViewUndetermined: collect(seen.viewUndetermined, urlIn, warn),
  });
  return Object.assign(seen, texts(element, warn, 'id'));
}

function readPricing(element: XmlElement, warn: Warn): VastAd['pricing'] {
  const text = textOf(element) ?? '';
  if (!/^\d{1,12}(\.\d{1,9})?$/.test(text)) {
    warnOfValue(warn, element.line, 'Pricing', NUMBER, text);
    return undefined;
  }
  const model = attribute(element, 'model')?.toLowerCase();
  return {
    value: Number(text),
    ...withoutUndefined({ model, currency: attribute(element, 'currency')?.toUpperCase() }),
  };
}

/**
 * Verification resources (VAST 4.2 §3.16). Before VAST 4.1 they were in an Extension of the type "AdVerifications" (Open
 * Measurement, "Compatibility with VAST"), and many servers still send them there.
 */
function readVerification(element: XmlElement, warn: Warn): Verification {
  const found: Growing<Verification> = { javaScriptResources: [], executableResources: [], trackingEvents: [] };
  visit(element, warn, {
    JavaScriptResource: (child) => {
      const url = urlIn(child, warn);
      const browserOptional = booleans(child, warn, 'browserOptional');
      if (url) found.javaScriptResources.push({ url, ...texts(child, warn, 'apiFramework'), ...browserOptional });
    },
    ExecutableResource: (child) => {
      const url = urlIn(child, warn);
      if (url) found.executableResources.push({ url, ...texts(child, warn, 'apiFramework', 'type', 'language') });
    },
    TrackingEvents: collectTracking(found.trackingEvents, warn),
    VerificationParameters: keepLast(found, 'parameters', textOf, warn),
  });
  return Object.assign(found, texts(element, warn, 'vendor'));
}

const isList = (element: XmlElement): boolean => isNamed(element, 'AdVerifications');
const isTyped = (extension: XmlElement): boolean => /^adverifications?$/i.test(attribute(extension, 'type') ?? '');

/** The elements of an Extension that contain Verification elements: lists, or the Extension itself. */
const listsIn = (extension: XmlElement): XmlElement[] => [
  ...extension.children.filter(isList),
  ...(isTyped(extension) && extension.children.some((child) => isNamed(child, 'Verification')) ? [extension] : []),
];

function verificationsIn(extensions: XmlElement, warn: Warn): Verification[] {
  const found: Verification[] = [];
  for (const list of extensions.children.flatMap(listsIn)) {
    for (const child of list.children) {
      if (isNamed(child, 'Verification')) found.push(readVerification(child, warn));
    }
  }
  return found;
}

/** The Extensions without the elements that verificationsIn reads. With both, a player would verify twice. */
function withoutVerifications(extensions: XmlElement): XmlElement {
  const children = extensions.children.flatMap((extension): XmlElement[] => {
    if (listsIn(extension).length === 0) return [extension];
    const { mixed: _, ...own } = extension;
    const others = extension.children.filter((child) => !isList(child) && !isNamed(child, 'Verification'));
    return others.length === 0 ? [] : [{ ...own, children: others, text: '' }];
  });
  return { ...extensions, children };
}

const keyOf = ({ vendor = '', javaScriptResources, executableResources }: Verification): string =>
  [vendor, ...[...javaScriptResources, ...executableResources].map(({ url }) => url)].join(' ');

/** Adds the verifications from extensions that the ad does not have itself: servers send both, for old and new players. */
function withOthers(own: readonly Verification[], others: readonly Verification[]): Verification[] {
  const known = new Set(own.map(keyOf));
  return [...own, ...others.filter((one) => !known.has(keyOf(one)))];
}
