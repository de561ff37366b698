// SPDX-License-Identifier: Apache-2.0
import type { Flicks } from '../../time/units.ts';
import { cdata, element, escapeText } from '../../xml/write.ts';
import { formatVastTime } from '../macros.ts';
import type { Companion, Creative, NonLinear, NonLinearAds, UniversalAdId, VastAd } from '../response.ts';
import { writeLinear } from './writeLinear.ts';
import {
  adParameters,
  extensions,
  identifiedUrls,
  optionalUrl,
  resources,
  textElement,
  trackingEvents,
  url,
} from './writeSharedElements.ts';

/** A Creative. Inside a Wrapper, elements that VAST 4.2 §3.19 does not allow are omitted. */
export function writeCreative(creative: Creative, within: VastAd['kind']): string {
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
