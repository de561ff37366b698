// SPDX-License-Identifier: Apache-2.0
// Companions, icons and non-linear ads in the format of the feed. In this format numbers are strings, and missing values are
// null.
import type { StitchedAd } from '../../ads/record/breakRecord.ts';
import { FLICKS_PER_SECOND, type Millis } from '../../time/units.ts';
import { formatVastTime } from '../../vast/macros.ts';
import type {
  Companion,
  Creative,
  Icon,
  IdentifiedUrl,
  NonLinear,
  NonLinearAds,
  Resources,
} from '../../vast/response.ts';
import { overlayEvents, shownRange } from './feedEvents.ts';

const text = (value: string | number | undefined): string | null => (value === undefined ? null : String(value));

const resources = ({ staticResources, iframeResources, htmlResources }: Resources) => ({
  htmlResource: text(htmlResources[0]),
  iFrameResource: text(iframeResources[0]),
  staticResource: text(staticResources[0]?.url),
});

/** The format has a field for one URL; the others become separate events. */
const firstOf = (urls: readonly IdentifiedUrl[]): string | null => text(urls[0]?.url);
const furtherClicks = (urls: readonly IdentifiedUrl[]) =>
  urls.slice(1).map(({ url }) => ({ event: 'clickTracking', url }));

export function feedCompanions(ad: StitchedAd, zero: Millis) {
  const companion = (one: Companion, sequence: number | undefined, place: number) => ({
    adParameters: text(one.adParameters?.value),
    altText: text(one.altText),
    attributes: {
      adSlotId: text(one.adSlotId),
      apiFramework: text(one.apiFramework),
      assetHeight: text(one.assetHeight),
      assetWidth: text(one.assetWidth),
      expandedHeight: text(one.expandedHeight),
      expandedWidth: text(one.expandedWidth),
      height: text(one.height),
      id: text(one.id),
      pxratio: text(one.pxratio),
      renderingMode: text(one.renderingMode),
      width: text(one.width),
    },
    companionClickThrough: text(one.clickThrough),
    companionClickTracking: firstOf(one.clickTrackings),
    ...resources(one),
    sequence: text(sequence),
    trackingEvents: overlayEvents(
      `${ad.adId}-companion-${place}`,
      [...one.trackingEvents, ...furtherClicks(one.clickTrackings)],
      shownRange(ad),
      zero,
    ),
  });
  return ad.vast.creatives
    .flatMap(({ companionAds, sequence }) => (companionAds?.companions ?? []).map((one) => ({ one, sequence })))
    .map(({ one, sequence }, index) => companion(one, sequence, index + 1));
}

export const feedIcons = (icons: readonly Icon[]) =>
  icons.map((one) => ({
    attributes: {
      apiFramework: text(one.apiFramework),
      duration: one.duration === undefined ? null : formatVastTime(one.duration),
      height: text(one.height),
      offset: one.offset === undefined ? null : formatVastTime(one.offset),
      program: text(one.program),
      pxratio: text(one.pxratio),
      width: text(one.width),
      xPosition: text(one.xPosition),
      yPosition: text(one.yPosition),
    },
    ...resources(one),
    iconClicks: {
      iconClickFallbackImages: one.fallbackImages.map(({ url, altText, width, height }) => ({
        altText: text(altText),
        height: text(height),
        staticResource: text(url),
        width: text(width),
      })),
      iconClickThrough: text(one.clickThrough),
      iconClickTracking: one.clickTrackings.map(({ url }) => url),
    },
    iconViewTracking: [...one.viewTrackings],
  }));

const nonLinear = (one: NonLinear, { id, adId, sequence }: Creative, ad: StitchedAd) => ({
  adId: one.id ?? '',
  adParameters: text(one.adParameters?.value),
  adSystem: ad.vast.adSystem?.name ?? '',
  adTitle: ad.title ?? '',
  apiFramework: text(one.apiFramework),
  clickThrough: text(one.clickThrough),
  clickTracking: firstOf(one.clickTrackings),
  clickTrackingId: text(one.clickTrackings[0]?.id),
  creativeAdId: adId ?? '',
  creativeId: id ?? '',
  creativeSequence: sequence === undefined ? '' : String(sequence),
  duration: null,
  durationInSeconds: 0,
  expandedHeight: text(one.expandedHeight),
  expandedWidth: text(one.expandedWidth),
  height: text(one.height),
  ...resources(one),
  maintainAspectRatio: one.maintainAspectRatio ?? false,
  minSuggestedDuration:
    one.minSuggestedDuration === undefined ? null : `PT${one.minSuggestedDuration / FLICKS_PER_SECOND}S`,
  scalable: one.scalable ?? false,
  staticResourceCreativeType: text(one.staticResources[0]?.creativeType),
  width: text(one.width),
});

export function feedNonLinears(ad: StitchedAd, zero: Millis) {
  const list = (ads: NonLinearAds, creative: Creative, place: number) => ({
    extensions: null,
    nonLinearAdList: ads.nonLinears.map((one) => nonLinear(one, creative, ad)),
    trackingEvents: overlayEvents(
      `${ad.adId}-nonlinear-${place}`,
      [...ads.trackingEvents, ...ads.nonLinears.flatMap(({ clickTrackings }) => furtherClicks(clickTrackings))],
      shownRange(ad),
      zero,
    ),
  });
  return ad.vast.creatives.flatMap((creative, index) =>
    creative.nonLinearAds === undefined ? [] : [list(creative.nonLinearAds, creative, index + 1)],
  );
}
