// SPDX-License-Identifier: Apache-2.0
// The tracking feed (GET /tracking/:sessionId): the ads of a session, their times and their tracking URLs, in the format that
// players already support. It is derived from the records of breaks and sends nothing. Midroll adds fields to the format:
// reason, status, breakId, firedBy, tracking and presentationZeroDateTime.
import type { AdRecord, BreakRecord } from '../../ads/record/breakRecord.ts';
import type { Millis } from '../../time/units.ts';
import type { InLineAd } from '../../vast/response.ts';
import { feedAd } from './feedAd.ts';
import { breakEvents, type FeedContext, shownSeconds } from './feedEvents.ts';
import { feedNonLinears } from './feedOverlays.ts';
import { momentOf } from './feedTimes.ts';

/** A break of a session with its id in the manifest format. */
export type Avail = {
  /** HLS: the media sequence number of its first segment; DASH: the id of its first Period. */
  readonly availId: string;
  readonly record: BreakRecord;
};

export const stitchedAds = (record: BreakRecord): AdRecord[] =>
  record.ads.filter(({ outcome, vast }) => outcome === 'stitched' && vast !== undefined);

function feedAvail({ availId, record }: Avail, context: FeedContext) {
  const ads = stitchedAds(record);
  return {
    adBreakTrackingEvents: breakEvents(record, ads, context),
    adMarkerDuration: null,
    ads: ads.map((one) => feedAd(one, context)),
    availId,
    availProgramDateTime: record.startsAt,
    breakId: record.id,
    ...momentOf(Date.parse(record.startsAt), record.duration, context.zero),
    meta: null,
    nonLinearAdsList: ads.flatMap((one) => {
      const vast = one.vast as InLineAd;
      const host = { adId: one.adId, startsAt: Date.parse(one.startsAt!), duration: shownSeconds(one) };
      return feedNonLinears(vast.creatives, vast.adSystem?.name ?? '', one.title ?? '', host, context.zero);
    }),
    reason: record.reason ?? null,
    status: record.status,
  };
}

export type FeedPage = {
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

export const writeFeed = ({ avails, nextToken }: FeedPage, options: FeedOptions) => ({
  avails: avails.map((one) => feedAvail(one, options)),
  dashAvailabilityStartTime:
    options.availabilityStart === undefined ? null : new Date(options.availabilityStart).toISOString(),
  hlsAnchorMediaSequenceNumber: options.anchor ?? null,
  nextToken,
  nonLinearAvails: [],
  presentationZeroDateTime: new Date(options.zero).toISOString(),
  tracking: options.tracking,
});
