// SPDX-License-Identifier: Apache-2.0
// Writes ads as a VAST 4.2 document that is valid against its schema. readVast returns the same ads (law 8), except for what
// VAST 4.2 does not allow: unknown events, and elements of InLine ads in wrappers.
import { cdata, element, escapeText, xmlDeclaration } from '../../xml/write.ts';
import type {
  Companion,
  Creative,
  DisplayAd,
  InLineAd,
  NonLinear,
  NonLinearAds,
  UniversalAdId,
  VastAd,
  Verification,
  WrapperAd,
} from '../response.ts';
import { NO_URL } from '../values.ts';
import {
  adParameters,
  extensions,
  fields,
  identifiedUrls,
  listElement,
  optionalUrl,
  resources,
  textElement,
  time,
  trackingEvents,
  url,
  urls,
  writeLinear,
} from './writeLinear.ts';

const NAMESPACE = 'http://www.iab.com/VAST';

export const writeVast = (ads: readonly VastAd[]): string =>
  `${xmlDeclaration}${element('VAST', { version: '4.2', xmlns: NAMESPACE }, ...ads.map(ad))}\n`;

function ad(one: VastAd): string {
  const adType = oneOf(one.adType, 'video', 'audio', 'hybrid');
  return element(
    'Ad',
    { ...fields(one, 'id', 'sequence', 'conditionalAd'), adType },
    one.kind === 'inLine' ? inLine(one) : wrapper(one),
  );
}

/** AdDefinitionBase_type, in schema order. */
const common = (one: VastAd): string[] => [
  element('AdSystem', { version: one.adSystem?.version }, escapeText(one.adSystem?.name ?? '')),
  ...urls('Error', one.errorUrls),
  extensions('Extension', one.extensions),
  ...identifiedUrls('Impression', one.impressions.length > 0 ? one.impressions : [{ url: NO_URL }]),
  pricing(one),
  viewableImpression(one),
];

const inLine = (one: InLineAd): string =>
  element(
    'InLine',
    {},
    ...common(one),
    element('AdServingId', {}, escapeText(one.adServingId ?? '')),
    element('AdTitle', {}, escapeText(one.adTitle ?? '')),
    verifications(one.verifications),
    textElement('Advertiser', one.advertiser),
    ...one.categories.map(({ authority = '', value }) => element('Category', { authority }, escapeText(value))),
    element(
      'Creatives',
      {},
      ...(one.creatives.length > 0 ? one.creatives : [{ universalAdIds: [], extensions: [] }]).map((creative) =>
        writeCreative(creative, 'inLine'),
      ),
    ),
    textElement('Description', one.description),
    textElement('Expires', one.expires === undefined ? undefined : String(one.expires)),
    one.survey ? url('Survey', one.survey.url, { type: one.survey.type }) : '',
  );

const wrapper = (one: WrapperAd): string =>
  element(
    'Wrapper',
    fields(one, 'followAdditionalWrappers', 'allowMultipleAds', 'fallbackOnNoAd'),
    ...common(one),
    verifications(one.verifications),
    ...one.blockedCategories.map(({ authority, value }) =>
      element('BlockedAdCategories', { authority }, escapeText(value)),
    ),
    listElement(
      'Creatives',
      one.creatives.map((creative) => writeCreative(creative, 'wrapper')),
    ),
    url('VASTAdTagURI', one.tagUrl ?? NO_URL),
  );

/** Omitted when the schema does not allow the model or the currency. */
function pricing({ pricing: price }: VastAd): string {
  if (!price || !/^cp[cmev]$/.test(price.model ?? '') || !/^[A-Z]{3}$/i.test(price.currency ?? '')) return '';
  const value = price.value.toFixed(9).replace(/\.?0+$/, '');
  return element('Pricing', { model: price.model, currency: price.currency }, value);
}

function viewableImpression({ viewableImpression: seen }: VastAd): string {
  if (!seen) return '';
  return element(
    'ViewableImpression',
    { id: seen.id },
    ...urls('Viewable', seen.viewable),
    ...urls('NotViewable', seen.notViewable),
    ...urls('ViewUndetermined', seen.viewUndetermined),
  );
}

const verifications = (all: readonly Verification[]): string => listElement('AdVerifications', all.map(verification));

const verification = (one: Verification): string =>
  element(
    'Verification',
    fields(one, 'vendor'),
    ...one.executableResources.map((code) => url('ExecutableResource', code.url, fields(code, 'apiFramework', 'type'))),
    ...one.javaScriptResources.map((code) =>
      url('JavaScriptResource', code.url, fields(code, 'apiFramework', 'browserOptional')),
    ),
    listElement(
      'TrackingEvents',
      one.trackingEvents.map((event) => url('Tracking', event.url, fields(event, 'event'))),
    ),
    textElement('VerificationParameters', one.parameters),
  );

/** A Creative. Inside a Wrapper, elements that VAST 4.2 §3.19 does not allow are omitted. */
function writeCreative(creative: Creative, within: VastAd['kind']): string {
  const { id, adId, sequence, apiFramework, linear, nonLinearAds, companionAds, universalAdIds } = creative;
  const isInLine = within === 'inLine';
  return element(
    'Creative',
    { id, sequence, adId, apiFramework },
    companionAds
      ? element(
          'CompanionAds',
          { required: oneOf(companionAds.required, 'all', 'any', 'none') },
          ...companionAds.companions.map(companion),
        )
      : '',
    isInLine ? extensions('CreativeExtension', creative.extensions) : '',
    linear ? writeLinear(linear, within) : '',
    nonLinearAds ? nonLinear(nonLinearAds, isInLine ? inLineNonLinear : wrapperNonLinear) : '',
    ...(isInLine ? universalIds(universalAdIds) : []),
  );
}

/** The schema requires at least one; "unknown" means none (§3.7.1). */
const universalIds = (ids: readonly UniversalAdId[]): string[] =>
  (ids.length > 0 ? ids : [{ value: 'unknown' }]).map(({ registry = 'unknown', value }) =>
    element('UniversalAdId', { idRegistry: registry }, escapeText(value)),
  );

const oneOf = (value: string | undefined, ...allowed: string[]): string | undefined =>
  value !== undefined && allowed.includes(value) ? value : undefined;

/** The schema requires a size. */
const idAndSize = ({ id, width = 0, height = 0 }: DisplayAd) => ({ id, width, height });

const companion = (one: Companion): string =>
  element(
    'Companion',
    {
      ...idAndSize(one),
      ...fields(
        one,
        'assetWidth',
        'assetHeight',
        'expandedWidth',
        'expandedHeight',
        'apiFramework',
        'adSlotId',
        'pxratio',
      ),
      renderingMode: oneOf(one.renderingMode, 'default', 'end-card', 'concurrent'),
    },
    ...resources(one),
    adParameters(one.adParameters),
    textElement('AltText', one.altText),
    optionalUrl('CompanionClickThrough', one.clickThrough),
    ...one.clickTrackings.map(({ id = '', url: target }) => url('CompanionClickTracking', target, { id })),
    extensions('CreativeExtension', one.extensions),
    trackingEvents(one.trackingEvents),
  );

const nonLinear = (ads: NonLinearAds, write: (one: NonLinear) => string[]): string =>
  element('NonLinearAds', {}, trackingEvents(ads.trackingEvents), ...ads.nonLinears.flatMap(write));

const inLineNonLinear = (one: NonLinear): string[] => [
  element(
    'NonLinear',
    {
      ...idAndSize(one),
      ...fields(one, 'expandedWidth', 'expandedHeight', 'scalable', 'maintainAspectRatio'),
      minSuggestedDuration: time(one.minSuggestedDuration),
      apiFramework: one.apiFramework,
    },
    ...resources(one),
    adParameters(one.adParameters),
    optionalUrl('NonLinearClickThrough', one.clickThrough),
    ...identifiedUrls('NonLinearClickTracking', one.clickTrackings),
  ),
];

/** In a Wrapper, a NonLinear contains one click tracking URL and nothing else. */
const wrapperNonLinear = ({ clickTrackings }: NonLinear): string[] =>
  clickTrackings.map(({ id, url: target }) =>
    element('NonLinear', {}, element('NonLinearClickTracking', { id }, cdata(target))),
  );
