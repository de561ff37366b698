// SPDX-License-Identifier: Apache-2.0
// Writes ads as a VAST 4.2 document that is valid against its schema. readVast returns the same ads (law 8), except for what
// VAST 4.2 does not allow: unknown events, and elements of InLine ads in wrappers.
import type { Flicks } from '../../time/units.ts';
import { cdata, element, escapeText, xmlDeclaration } from '../../xml/write.ts';
import { formatVastTime } from '../macros.ts';
import type {
  Companion,
  Creative,
  InLineAd,
  NonLinear,
  NonLinearAds,
  UniversalAdId,
  VastAd,
  VastCategory,
  Verification,
  WrapperAd,
} from '../response.ts';
import { NO_URL } from '../values.ts';
import {
  adParameters,
  extensions,
  identifiedUrls,
  listElement,
  optionalUrl,
  resources,
  textElement,
  trackingEvents,
  url,
  urls,
  writeLinear,
} from './writeLinear.ts';

const NAMESPACE = 'http://www.iab.com/VAST';

/** @param errorUrls written only when there are no ads (VAST 4.2 §3.2.1) */
export function writeVast(ads: readonly VastAd[], errorUrls: readonly string[] = []): string {
  const content = ads.length > 0 ? ads.map(ad) : urls('Error', errorUrls);
  return `${xmlDeclaration}${element('VAST', { version: '4.2', xmlns: NAMESPACE }, ...content)}\n`;
}

function ad(one: VastAd): string {
  const adType = ['video', 'audio', 'hybrid'].includes(one.adType ?? '') ? one.adType : undefined;
  return element(
    'Ad',
    { id: one.id, sequence: one.sequence, conditionalAd: one.conditionalAd, adType },
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
    {
      followAdditionalWrappers: one.followAdditionalWrappers,
      allowMultipleAds: one.allowMultipleAds,
      fallbackOnNoAd: one.fallbackOnNoAd,
    },
    ...common(one),
    verifications(one.verifications),
    ...one.blockedCategories.map(blockedCategory),
    listElement(
      'Creatives',
      one.creatives.map((creative) => writeCreative(creative, 'wrapper')),
    ),
    url('VASTAdTagURI', one.tagUrl ?? NO_URL),
  );

const blockedCategory = ({ authority, value }: VastCategory): string =>
  element('BlockedAdCategories', { authority }, escapeText(value));

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

function verification({
  vendor,
  javaScriptResources,
  executableResources,
  trackingEvents,
  parameters,
}: Verification): string {
  return element(
    'Verification',
    { vendor },
    ...executableResources.map(({ url: target, apiFramework, type }) =>
      url('ExecutableResource', target, { apiFramework, type }),
    ),
    ...javaScriptResources.map(({ url: target, apiFramework, browserOptional }) =>
      url('JavaScriptResource', target, { apiFramework, browserOptional }),
    ),
    listElement(
      'TrackingEvents',
      trackingEvents.map(({ event, url: target }) => url('Tracking', target, { event })),
    ),
    textElement('VerificationParameters', parameters),
  );
}

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
          { required: requirement(companionAds.required) },
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
const requirement = (value: string | undefined): string | undefined => oneOf(value, 'all', 'any', 'none');

const companion = (one: Companion): string =>
  element(
    'Companion',
    {
      id: one.id,
      width: one.width ?? 0,
      height: one.height ?? 0,
      assetWidth: one.assetWidth,
      assetHeight: one.assetHeight,
      expandedWidth: one.expandedWidth,
      expandedHeight: one.expandedHeight,
      apiFramework: one.apiFramework,
      adSlotId: one.adSlotId,
      pxratio: one.pxratio,
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

const time = (value: Flicks | undefined): string | undefined =>
  value === undefined ? undefined : formatVastTime(value);

const inLineNonLinear = (one: NonLinear): string[] => [
  element(
    'NonLinear',
    {
      id: one.id,
      width: one.width ?? 0,
      height: one.height ?? 0,
      expandedWidth: one.expandedWidth,
      expandedHeight: one.expandedHeight,
      scalable: one.scalable,
      maintainAspectRatio: one.maintainAspectRatio,
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
