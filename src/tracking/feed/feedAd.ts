// SPDX-License-Identifier: Apache-2.0
// An ad in the format of the feed.
import { shownCreative } from '../../ads/pod/chooseMediaFiles.ts';
import type { AdRecord } from '../../ads/record/breakRecord.ts';
import { formatVastTime } from '../../vast/macros.ts';
import type { InLineAd, InteractiveFile, MediaFile, VastOffset, Verification } from '../../vast/response.ts';
import { element, escapeText } from '../../xml/write.ts';
import { adEvents, type FeedContext, shownSeconds } from './feedEvents.ts';
import { feedCompanions, feedIcons } from './feedOverlays.ts';
import { momentOf } from './feedTimes.ts';

const verification = (one: Verification) => ({
  executableResource: one.executableResources.map(({ apiFramework = '', type = '', url, language = '' }) => ({
    apiFramework,
    type,
    uri: url,
    language,
  })),
  javaScriptResource: one.javaScriptResources.map(({ apiFramework = '', browserOptional, url }) => ({
    apiFramework,
    browserOptional: browserOptional === undefined ? '' : String(browserOptional),
    uri: url,
  })),
  trackingEvents: one.trackingEvents.map(({ event, url }) => ({ event, uri: url })),
  vendor: one.vendor ?? '',
  verificationParameters: one.parameters ?? '',
});

const mediaFile = (one: MediaFile) => ({
  apiFramework: one.apiFramework ?? null,
  bitrate: one.bitrate ?? 0,
  codec: one.codec ?? null,
  delivery: one.delivery,
  height: one.height ?? 0,
  id: one.id ?? '',
  maintainAspectRatio: one.maintainAspectRatio ?? false,
  maxBitrate: one.maxBitrate ?? 0,
  mediaFileUri: one.url,
  mediaType: one.type ?? '',
  minBitrate: one.minBitrate ?? 0,
  scalable: one.scalable ?? false,
  width: one.width ?? 0,
});

/** The format has no field for interactive files; players that support them read the extensions. */
const interactive = ({ url, type, apiFramework, variableDuration }: InteractiveFile) => ({
  type: 'InteractiveCreativeFile',
  content: element('InteractiveCreativeFile', { type, apiFramework, variableDuration }, escapeText(url)),
});

const skipOffset = (offset: VastOffset): string =>
  offset.kind === 'time' ? formatVastTime(offset.at).replace(/\.000$/, '') : `${offset.percent}%`;

export function feedAd(record: AdRecord, context: FeedContext) {
  const vast = record.vast as InLineAd;
  const startsAt = Date.parse(record.startsAt!);
  const creative = shownCreative(vast);
  const linear = creative?.linear;
  const host = { adId: record.adId, startsAt, duration: shownSeconds(record) };
  return {
    adId: record.adId,
    adParameters: linear?.adParameters?.value ?? '',
    adProgramDateTime: record.startsAt!,
    adSystem: vast.adSystem?.name ?? '',
    adTitle: record.title ?? vast.adTitle ?? '',
    adVerifications: vast.verifications.map(verification),
    companionAds: feedCompanions(vast.creatives, host, context.zero),
    creativeId: creative?.id ?? '',
    creativeSequence: String(creative?.sequence ?? 1),
    ...momentOf(startsAt, shownSeconds(record), context.zero),
    extensions: [
      ...vast.extensions.map(({ type = '', content }) => ({ type, content })),
      ...(linear?.interactiveFiles ?? []).map(interactive),
    ],
    icons: feedIcons(linear?.icons ?? []),
    mediaFiles: {
      mezzanine: linear?.mezzanines[0]?.url ?? '',
      mediaFilesList: (linear?.mediaFiles ?? []).map(mediaFile),
    },
    skipOffset: linear?.skipOffset === undefined ? null : skipOffset(linear.skipOffset),
    trackingEvents: adEvents(record, vast, linear, context),
    vastAdId: vast.id ?? '',
  };
}
