// The client-side feed: which ads a session has, when, and what to call for them, in the shape that players already
// read (GET /tracking/:sessionId). It is told from the records of breaks alone; nothing is fired here. Fields of our own
// stand beside those of the shape: reason, status, breakId, firedBy, tracking, presentationZeroDateTime.
import type { AdRecord, BreakRecord } from '../../ads/record/breakRecord.ts';
import type { Millis } from '../../time/units.ts';
import type { InLineAd } from '../../vast/response.ts';
import { feedAd } from './feedAd.ts';
import { breakEvents, type FeedContext } from './feedEvents.ts';
import { feedNonLinears } from './feedOverlays.ts';
import { momentOf } from './feedTimes.ts';

/** A break of a session, and under which id its format knows it. */
export type Avail = {
  /** HLS: the media sequence number of its first segment; DASH: the id of its first Period. */
  readonly availId: string;
  readonly record: BreakRecord;
};

export const stitchedAds = (record: BreakRecord): AdRecord[] =>
  record.ads.filter(({ outcome, vast }) => outcome === 'stitched' && vast !== undefined);

function feedAvail({ availId, record }: Avail, frame: FeedContext) {
  const ads = stitchedAds(record);
  return {
    adBreakTrackingEvents: breakEvents(record, ads, frame),
    adMarkerDuration: null,
    ads: ads.map((one) => feedAd(one, frame)),
    availId,
    availProgramDateTime: record.startsAt,
    breakId: record.id,
    ...momentOf(Date.parse(record.startsAt), record.duration, frame.zero),
    meta: null,
    nonLinearAdsList: ads.flatMap((one) => {
      const vast = one.vast as InLineAd;
      const host = { adId: one.adId, startsAt: Date.parse(one.startsAt!), duration: one.duration };
      return feedNonLinears(vast.creatives, vast.adSystem?.name ?? '', one.title ?? '', host, frame.zero);
    }),
    reason: record.reason ?? null,
    status: record.status,
  };
}

export type FeedPage = {
  /** Oldest first. */
  readonly avails: readonly Avail[];
  /** Leads to the avails before them. */
  readonly nextToken: string | null;
};

export type FeedOptions = FeedContext & {
  /** DASH: the MPD's availabilityStartTime, which is the zero. */
  readonly availabilityStart?: Millis;
  /** HLS: the media sequence number of the segment whose start is the zero. */
  readonly anchor?: number;
};

export const writeFeed = ({ avails, nextToken }: FeedPage, of: FeedOptions) => ({
  avails: avails.map((one) => feedAvail(one, of)),
  dashAvailabilityStartTime: of.availabilityStart === undefined ? null : new Date(of.availabilityStart).toISOString(),
  hlsAnchorMediaSequenceNumber: of.anchor ?? null,
  nextToken,
  nonLinearAvails: [],
  presentationZeroDateTime: new Date(of.zero).toISOString(),
  tracking: of.tracking,
});
