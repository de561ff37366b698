// SPDX-License-Identifier: Apache-2.0
import type { XmlElement } from '../../xml/element.ts';
import type {
  Creative,
  IdentifiedUrl,
  InLineAd,
  TrackingEvent,
  VastAd,
  VastCategory,
  VastExtension,
  Verification,
  ViewableImpression,
  WrapperAd,
} from '../response.ts';
import {
  attribute,
  booleanAttribute,
  isNamed,
  NUMBER,
  shortened,
  textOf,
  visit,
  type Warn,
  warnOfValue,
  wholeAttribute,
  withoutUndefined,
} from '../xml/elements.ts';
import { upgradeVast1 } from '../xml/upgradeVast1.ts';
import { readCreative } from './readCreative.ts';
import {
  collect,
  collectExtensions,
  collectTracking,
  identifiedUrl,
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
  const own = withoutUndefined({
    id: attribute(element, 'id'),
    sequence: sequenceOf(element, warn),
    adType: attribute(element, 'adType')?.toLowerCase(),
    conditionalAd: booleanAttribute(element, 'conditionalAd', warn),
  });
  if (wrapper && !inLine) return Object.assign(own, readWrapper(upgradeVast1(wrapper), warn));
  if (inLine) return Object.assign(own, readInLine(upgradeVast1(inLine), warn));
  const errors = element.children.filter((child) => isNamed(child, 'Error'));
  const holdsInstead = element.children.map(({ local }) => shortened(local));
  return { ...own, ...readInLine({ ...element, children: errors }, warn), holdsInstead };
}

/** Starts at 1 in VAST, but at 0 for some ad servers. */
function sequenceOf(element: XmlElement, warn: Warn): number | undefined {
  return attribute(element, 'sequence') === '0' ? 0 : wholeAttribute(element, 'sequence', warn);
}

type Common = Omit<VastAd, 'kind'>;

/** The common part of InLine and Wrapper, and the handlers that read it. */
function commonReader(warn: Warn) {
  const impressions: IdentifiedUrl[] = [];
  const errorUrls: string[] = [];
  const extensions: VastExtension[] = [];
  const verifications: Verification[] = [];
  const inExtensions: Verification[] = [];
  const creatives: Creative[] = [];
  const optional: { -readonly [K in 'adSystem' | 'viewableImpression' | 'pricing']?: Exclude<Common[K], undefined> } =
    {};
  const handlers = {
    AdSystem: (child: XmlElement) => {
      const name = textOf(child);
      if (name !== undefined)
        optional.adSystem = { name, ...withoutUndefined({ version: attribute(child, 'version') }) };
    },
    Impression: collect(impressions, identifiedUrl, warn),
    Error: collect(errorUrls, urlIn, warn),
    ViewableImpression: (child: XmlElement) => {
      optional.viewableImpression = viewableImpression(child, warn);
    },
    Pricing: (child: XmlElement) => {
      const pricing = readPricing(child, warn);
      if (pricing) optional.pricing = pricing;
    },
    Extensions: (list: XmlElement) => {
      inExtensions.push(...verificationsIn(list, warn));
      collectExtensions(extensions, warn)(withoutVerifications(list));
    },
    AdVerifications: (list: XmlElement) =>
      visit(list, warn, { Verification: collect(verifications, readVerification, warn) }),
    Creatives: (list: XmlElement) => visit(list, warn, { Creative: collect(creatives, readCreative, warn) }),
  };
  // Not by spreading: a spread after another property copies one property at a time.
  const read = () =>
    Object.assign(optional, {
      impressions,
      errorUrls,
      extensions,
      verifications: withOthers(verifications, inExtensions),
      creatives,
    });
  return { handlers, read };
}

function readInLine(element: XmlElement, warn: Warn): Omit<InLineAd, 'id' | 'sequence' | 'adType' | 'conditionalAd'> {
  const common = commonReader(warn);
  const categories: VastCategory[] = [];
  const texts: Record<string, string | undefined> = {};
  const keep = (name: string) => (child: XmlElement) => {
    texts[name] ??= textOf(child);
  };
  let survey: InLineAd['survey'];
  visit(element, warn, {
    ...common.handlers,
    AdTitle: keep('adTitle'),
    AdServingId: keep('adServingId'),
    Description: keep('description'),
    Advertiser: keep('advertiser'),
    Expires: keep('expires'),
    Category: collect(categories, category, warn),
    Survey: (child) => {
      const url = urlIn(child, warn);
      if (url) survey = { url, ...withoutUndefined({ type: attribute(child, 'type') }) };
    },
  });
  const { adTitle, adServingId, description, advertiser, expires } = texts;
  const seconds = /^\d{1,9}$/.test(expires ?? '') ? Number(expires) : undefined;
  const described = { adTitle, adServingId, description, advertiser, survey, expires: seconds };
  return Object.assign({ kind: 'inLine' as const }, common.read(), withoutUndefined(described), { categories });
}

function readWrapper(element: XmlElement, warn: Warn): Omit<WrapperAd, 'id' | 'sequence' | 'adType' | 'conditionalAd'> {
  const common = commonReader(warn);
  const blockedCategories: VastCategory[] = [];
  let tagUrl: string | undefined;
  let malformedTagUrl: string | undefined;
  visit(element, warn, {
    ...common.handlers,
    VASTAdTagURI: (child) => {
      tagUrl ??= urlIn(child, warn);
      if (tagUrl === undefined) malformedTagUrl ??= malformedIn(child);
    },
    BlockedAdCategories: collect(blockedCategories, category, warn),
    // Allowed by VAST 2 and 3. They do not describe the ad behind the wrapper.
    AdTitle: () => {},
    Description: () => {},
  });
  if (tagUrl === undefined) warn(element.line, 'MISSING_TAG_URL', 'Wrapper has no valid VASTAdTagURI');
  return {
    kind: 'wrapper',
    ...common.read(),
    ...(tagUrl === undefined ? withoutUndefined({ malformedTagUrl }) : {}),
    ...withoutUndefined({ tagUrl, fallbackOnNoAd: booleanAttribute(element, 'fallbackOnNoAd', warn) }),
    followAdditionalWrappers: booleanAttribute(element, 'followAdditionalWrappers', warn) ?? true,
    allowMultipleAds: booleanAttribute(element, 'allowMultipleAds', warn) ?? false,
    blockedCategories,
  };
}

const category = (element: XmlElement): VastCategory | undefined => {
  const value = textOf(element);
  return value === undefined
    ? undefined
    : { ...withoutUndefined({ authority: attribute(element, 'authority') }), value };
};

function viewableImpression(element: XmlElement, warn: Warn): ViewableImpression {
  const [viewable, notViewable, viewUndetermined]: [string[], string[], string[]] = [[], [], []];
  visit(element, warn, {
    Viewable: collect(viewable, urlIn, warn),
    NotViewable: collect(notViewable, urlIn, warn),
    ViewUndetermined: collect(viewUndetermined, urlIn, warn),
  });
  return { ...withoutUndefined({ id: attribute(element, 'id') }), viewable, notViewable, viewUndetermined };
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

// Reads verification resources (VAST 4.2 §3.16). Before VAST 4.1 they were in an Extension of the type "AdVerifications" (Open
// Measurement, "Compatibility with VAST"), and many servers still send them there.

function readVerification(element: XmlElement, warn: Warn): Verification {
  const javaScriptResources: Verification['javaScriptResources'][number][] = [];
  const executableResources: Verification['executableResources'][number][] = [];
  const trackingEvents: TrackingEvent[] = [];
  let parameters: string | undefined;
  visit(element, warn, {
    JavaScriptResource: (child) => {
      const url = urlIn(child, warn);
      const browserOptional = booleanAttribute(child, 'browserOptional', warn);
      const apiFramework = attribute(child, 'apiFramework');
      if (url) javaScriptResources.push({ url, ...withoutUndefined({ apiFramework, browserOptional }) });
    },
    ExecutableResource: (child) => {
      const url = urlIn(child, warn);
      const [apiFramework, type, language] = ['apiFramework', 'type', 'language'].map((name) => attribute(child, name));
      if (url) executableResources.push({ url, ...withoutUndefined({ apiFramework, type, language }) });
    },
    TrackingEvents: collectTracking(trackingEvents, warn),
    VerificationParameters: (child) => {
      parameters = textOf(child);
    },
  });
  const vendor = attribute(element, 'vendor');
  return { ...withoutUndefined({ vendor, parameters }), javaScriptResources, executableResources, trackingEvents };
}

const isList = (element: XmlElement): boolean => isNamed(element, 'AdVerifications');
const isTyped = (extension: XmlElement): boolean => /^adverifications?$/i.test(attribute(extension, 'type') ?? '');

/** The elements of an Extension that contain Verification elements: lists, or the Extension itself. */
const listsIn = (extension: XmlElement): XmlElement[] => [
  ...extension.children.filter(isList),
  ...(isTyped(extension) && extension.children.some((child) => isNamed(child, 'Verification')) ? [extension] : []),
];

/** @param extensions the element Extensions */
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
