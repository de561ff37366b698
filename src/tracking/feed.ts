// The client-side feed: which ads a session has, when, and what to call for them, in the shape that players already
// read. It is told from the records of breaks alone; nothing is fired here.
import type { AdRecord, BreakRecord } from '../ads/breakRecord.ts';
import { FLICKS_PER_SECOND, type Millis } from '../time/units.ts';
import type { InLineAd, TrackingEvent } from '../vast/response.ts';

type Moment = {
  readonly startTime: string;
  readonly startTimeInSeconds: number;
  readonly duration: string;
  readonly durationInSeconds: number;
};

const rounded = (seconds: number): number => Math.round(seconds * 1000) / 1000;
const isoDuration = (seconds: number): string => `${seconds < 0 ? '-' : ''}PT${Math.abs(rounded(seconds))}S`;

/** @param from what seconds are counted from: the start of the session's presentation */
const moment = (startsAt: number, duration: number, from: Millis): Moment => ({
  startTime: isoDuration((startsAt - from) / 1000),
  startTimeInSeconds: rounded((startsAt - from) / 1000),
  duration: isoDuration(duration),
  durationInSeconds: rounded(duration),
});

const shares: Readonly<Record<string, number>> = {
  creativeView: 0,
  start: 0,
  loaded: 0,
  firstQuartile: 0.25,
  midpoint: 0.5,
  thirdQuartile: 0.75,
  complete: 1,
};

/** Seconds after the ad's start at which an event is due; 0 for those that only the player can know. */
function dueAfter({ event, offset }: TrackingEvent, duration: number): number {
  if (offset?.kind === 'time') return Math.min(duration, offset.at / FLICKS_PER_SECOND);
  if (offset?.kind === 'percent') return (duration * offset.percent) / 100;
  return duration * (shares[event] ?? 0);
}

function trackingEvents(record: AdRecord, vast: InLineAd, startsAt: number, from: Millis) {
  const linear = vast.creatives.find((creative) => creative.linear !== undefined)?.linear;
  const event = (eventType: string, url: string, after: number) => {
    const at = startsAt + after * 1000;
    return {
      eventId: `${record.adId}-${eventType}`,
      eventType,
      beaconUrls: [url],
      eventProgramDateTime: new Date(at).toISOString(),
      ...moment(at, 0, from),
    };
  };
  return [
    ...vast.impressions.map(({ url }) => event('impression', url, 0)),
    ...(linear?.trackingEvents ?? []).map((one) => event(one.event, one.url, dueAfter(one, record.duration))),
    ...(linear?.clickThrough ? [event('clickThrough', linear.clickThrough.url, 0)] : []),
    ...(linear?.clickTrackings ?? []).map(({ url }) => event('clickTracking', url, 0)),
    ...vast.errorUrls.map((url) => event('error', url, 0)),
  ];
}

function ad(record: AdRecord, from: Millis) {
  const vast = record.vast as InLineAd;
  const startsAt = Date.parse(record.startsAt!);
  const creative = vast.creatives.find(({ linear }) => linear !== undefined);
  return {
    adId: record.adId,
    adTitle: record.title ?? '',
    adSystem: vast.adSystem?.name ?? '',
    adProgramDateTime: record.startsAt!,
    creativeId: creative?.id ?? '',
    creativeSequence: String(creative?.sequence ?? 1),
    vastAdId: vast.id ?? '',
    ...moment(startsAt, record.duration, from),
    trackingEvents: trackingEvents(record, vast, startsAt, from),
  };
}

export const stitchedAds = (record: BreakRecord): AdRecord[] =>
  record.ads.filter(({ outcome, vast }) => outcome === 'stitched' && vast !== undefined);

/** The session's breaks, oldest first, as the de-facto tracking document has them. */
export const writeFeed = (breaks: readonly BreakRecord[], from: Millis) => ({
  avails: breaks.map((record) => ({
    availId: record.id,
    availProgramDateTime: record.startsAt,
    ...moment(Date.parse(record.startsAt), record.duration, from),
    adMarkerDuration: null,
    meta: null,
    adBreakTrackingEvents: [],
    ads: stitchedAds(record).map((one) => ad(one, from)),
    nonLinearAdsList: [],
  })),
  nonLinearAvails: [],
  nextToken: null,
});
