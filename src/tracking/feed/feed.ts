// SPDX-License-Identifier: Apache-2.0
// The tracking feed (GET /tracking/:sessionId): the ads of a session, their times and their tracking URLs, in the format that
// players already support. It is derived from the records of breaks and sends nothing. Midroll adds fields to the format:
// reason, status, breakId, firedBy, tracking and presentationZeroDateTime.
import { shownCreative } from '../../ads/pod/chooseMediaFiles.ts';
import { type BreakRecord, type StitchedAd, stitchedAds } from '../../ads/record/breakRecord.ts';
import type { Millis } from '../../time/units.ts';
import { formatVastTime } from '../../vast/macros.ts';
import type { InteractiveFile, MediaFile, VastOffset, Verification } from '../../vast/response.ts';
import { element, escapeText } from '../../xml/write.ts';
import { adEvents, breakEvents, type FeedContext, momentOf, shownRange } from './feedEvents.ts';
import { feedCompanions, feedIcons, feedNonLinears } from './feedOverlays.ts';

/** A break of a session with its id in the manifest format. */
export type Avail = {
  /** HLS: the media sequence number of its first segment; DASH: the id of its first Period. */
  readonly availId: string;
  readonly record: BreakRecord;
};

type FeedPage = {
  /** Oldest first. */
  readonly avails: readonly Avail[];
  /** The token of the page with earlier avails. */
  readonly nextToken: string | null;
};

export type FeedOptions = FeedContext & {
  /** DASH: the MPD's availabilityStartTime; equals `zero`. */
  readonly availabilityStart?: Millis;
  /** HLS: the media sequence number of the segment that starts at `zero`. */
  readonly anchor?: number;
};

export const writeTrackingFeed = ({ avails, nextToken }: FeedPage, options: FeedOptions) => ({
  avails: avails.map((one) => feedAvail(one, options)),
  dashAvailabilityStartTime:
    options.availabilityStart === undefined ? null : new Date(options.availabilityStart).toISOString(),
  hlsAnchorMediaSequenceNumber: options.anchor ?? null,
  nextToken,
  nonLinearAvails: [],
  presentationZeroDateTime: new Date(options.zero).toISOString(),
  tracking: options.tracking,
});

function feedAvail({ availId, record }: Avail, context: FeedContext) {
  const ads = stitchedAds(record);
  return {
    adBreakTrackingEvents: breakEvents(record, ads, context),
    adMarkerDuration: null,
    ads: ads.map((one) => feedAd(one, context)),
    availId,
    availProgramDateTime: record.startsAt,
    breakId: record.id,
    ...momentOf({ startsAt: Date.parse(record.startsAt), duration: record.duration }, context.zero),
    meta: null,
    nonLinearAdsList: ads.flatMap((one) => feedNonLinears(one, context.zero)),
    reason: record.reason ?? null,
    status: record.status,
  };
}

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

export function feedAd(record: StitchedAd, context: FeedContext) {
  const { vast } = record;
  const creative = shownCreative(vast);
  const linear = creative?.linear;
  return {
    adId: record.adId,
    adParameters: linear?.adParameters?.value ?? '',
    adProgramDateTime: record.startsAt,
    adSystem: vast.adSystem?.name ?? '',
    adTitle: record.title ?? vast.adTitle ?? '',
    adVerifications: vast.verifications.map(verification),
    companionAds: feedCompanions(record, context.zero),
    creativeId: creative?.id ?? '',
    creativeSequence: String(creative?.sequence ?? 1),
    ...momentOf(shownRange(record), context.zero),
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
    trackingEvents: adEvents(record, linear, context),
    vastAdId: vast.id ?? '',
  };
}

// The first page contains the newest avails, which a polling player needs; its token leads to earlier ones. A token contains an
// instant, so it always leads to the same avails, even if newer ones have been added.

const tokenBefore = (startsAt: number): string => Buffer.from(`before ${startsAt}`).toString('base64url');

/** @returns milliseconds since 1970; undefined if the token is invalid */
export function readToken(token: string): number | undefined {
  const text = Buffer.from(token, 'base64url').toString('latin1');
  const before = /^before (\d{1,15})$/.exec(text)?.[1];
  return before === undefined || tokenBefore(Number(before)) !== token ? undefined : Number(before);
}

/** @param avails all of them, oldest first. @param before milliseconds since 1970: only avails that start earlier */
export function pageOf(avails: readonly Avail[], before: number | undefined, limit: number): FeedPage {
  const startOf = ({ record }: Avail): number => Date.parse(record.startsAt);
  const earlier = before === undefined ? avails : avails.filter((one) => startOf(one) < before);
  const page = earlier.slice(-limit);
  const [first] = page;
  return { avails: page, nextToken: first && page.length < earlier.length ? tokenBefore(startOf(first)) : null };
}
