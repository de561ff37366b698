// SPDX-License-Identifier: Apache-2.0
// The events of an ad, a break or an overlay in the format of the feed. URLs of the same event at the same instant are
// grouped under one event id.
import { shareOf } from '../../ads/record/adEvents.ts';
import type { AdRecord, BreakRecord, StitchedAd } from '../../ads/record/breakRecord.ts';
import { FLICKS_PER_SECOND, type Millis } from '../../time/units.ts';
import type { Linear, TrackingEvent } from '../../vast/response.ts';

export type FeedContext = {
  /** The origin of presentation times. */
  readonly zero: Millis;
  readonly tracking: 'server' | 'client';
};

/** `startsAt` in milliseconds since 1970, `duration` in seconds. */
type TimeRange = { readonly startsAt: number; readonly duration: number };

export const shownRange = ({ startsAt, duration, shown = duration }: StitchedAd): TimeRange => ({
  startsAt: Date.parse(startsAt),
  duration: shown,
});

const rounded = (seconds: number): number => Math.round(seconds * 1000) / 1000;
const isoDuration = (seconds: number): string => `${seconds < 0 ? '-' : ''}PT${Math.abs(rounded(seconds))}S`;

/** A time in the feed, as ISO 8601 durations and in seconds. @param zero the origin of presentation times */
export const momentOf = ({ startsAt, duration }: TimeRange, zero: Millis) => ({
  startTime: isoDuration((startsAt - zero) / 1000),
  startTimeInSeconds: rounded((startsAt - zero) / 1000),
  duration: isoDuration(duration),
  durationInSeconds: rounded(duration),
});

const playbackEvents = new Set(
  'impression loaded creativeView start firstQuartile midpoint thirdQuartile complete progress breakStart breakEnd'.split(
    ' ',
  ),
);

/**
 * Who sends the beacon of an event. With `tracking: server`, the server sends the events that follow from playback; events that
 * only a player can observe (clicks, mute, OMID) are left to the player. With `tracking: client`, the player sends all events.
 * @param event of a linear ad or a break
 */
export const eventSender = (event: string, tracking: FeedContext['tracking']): 'server' | 'player' =>
  tracking === 'server' && playbackEvents.has(event) ? 'server' : 'player';

type TimedUrl = {
  readonly eventType: string;
  readonly url: string;
  /** Seconds after the ad's start. */
  readonly after: number;
  /** Whether it may happen at any time during the ad. */
  readonly isAnyTime?: boolean;
};

/** @returns nothing for progress without an offset, and for events after the end of what is shown of the ad */
function timeEvent({ event, url, offset }: TrackingEvent, { duration, shown }: AdRecord): TimedUrl[] {
  const isShown = (after: number) => (shown === undefined ? after <= duration : after < shown);
  if (event !== 'progress') {
    const share = shareOf(event);
    if (share === undefined) return [{ eventType: event, url, after: 0, isAnyTime: true }];
    return isShown(duration * share) ? [{ eventType: event, url, after: duration * share }] : [];
  }
  if (offset === undefined) return [];
  const after = offset.kind === 'time' ? offset.at / FLICKS_PER_SECOND : (duration * offset.percent) / 100;
  return isShown(after) ? [{ eventType: event, url, after }] : [];
}

/** Whether an event occurs in what is shown of an ad that was cut. */
export const isBeforeCut = (event: TrackingEvent, ad: AdRecord): boolean =>
  ad.shown === undefined || timeEvent(event, ad).length > 0;

/** @param tracking by default, the player sends all events */
function feedEvents(
  idPrefix: string,
  events: readonly TimedUrl[],
  { startsAt, duration }: TimeRange,
  zero: Millis,
  tracking: FeedContext['tracking'] = 'client',
) {
  const groups = new Map<string, TimedUrl & { urls: string[] }>();
  for (const event of events) {
    const ms = Math.round(event.after * 1000);
    const id = `${idPrefix}-${event.eventType}${event.eventType === 'progress' ? `-${ms}` : ''}`;
    const group = groups.get(id);
    if (group === undefined) groups.set(id, { ...event, urls: [event.url] });
    else group.urls.push(event.url);
  }
  return [...groups].map(([eventId, { eventType, after, isAnyTime = false, urls }]) => {
    const at = startsAt + after * 1000;
    const firedBy = eventSender(eventType, tracking);
    return {
      beaconUrls: firedBy === 'player' ? urls : [],
      ...momentOf({ startsAt: at, duration: isAnyTime ? duration : 0 }, zero),
      eventId,
      eventProgramDateTime: new Date(at).toISOString(),
      eventType,
      firedBy,
    };
  });
}

const anyTime = (eventType: string, urls: readonly (string | { readonly url: string })[]): TimedUrl[] =>
  urls.map((one) => ({ eventType, url: typeof one === 'string' ? one : one.url, after: 0, isAnyTime: true }));

/** Events of the linear ad as stitched, including clicks and errors. */
export function adEvents(record: StitchedAd, linear: Linear | undefined, { zero, tracking }: FeedContext) {
  const { viewableImpression, impressions, errorUrls } = record.vast;
  const { viewable = [], notViewable = [], viewUndetermined = [] } = viewableImpression ?? {};
  const events = [
    ...anyTime('impression', impressions),
    ...(linear?.trackingEvents ?? []).flatMap((event) => timeEvent(event, record)),
    ...anyTime('clickThrough', linear?.clickThrough ? [linear.clickThrough] : []),
    ...anyTime('clickTracking', linear?.clickTrackings ?? []),
    ...anyTime('customClick', linear?.customClicks ?? []),
    ...anyTime('viewable', viewable),
    ...anyTime('notViewable', notViewable),
    ...anyTime('viewUndetermined', viewUndetermined),
    ...anyTime('error', errorUrls),
  ];
  return feedEvents(record.adId, events, shownRange(record), zero, tracking);
}

/**
 * Events of the break (VMAP 1.0.1 §2.4), from its first ad to the end of its last. A break without ads has none, and one whose
 * last ad was cut no end, as with beacons of the server.
 */
export function breakEvents(record: BreakRecord, ads: readonly StitchedAd[], { zero, tracking }: FeedContext) {
  const [first, last] = [ads[0], ads.at(-1)];
  if (first === undefined || last === undefined) return [];
  const { startsAt } = shownRange(first);
  const end = shownRange(last);
  const duration = (end.startsAt - startsAt) / 1000 + end.duration;
  const events = (record.tracking ?? [])
    .filter(({ event }) => last.shown === undefined || event !== 'breakEnd')
    .map(({ event, url }) => ({
      eventType: event,
      url,
      after: event === 'breakEnd' ? duration : 0,
      isAnyTime: event === 'error',
    }));
  return feedEvents(record.id, events, { startsAt, duration }, zero, tracking);
}

/** Events of companions and non-linear ads. Only the player can observe them. */
export const overlayEvents = (
  idPrefix: string,
  tracking: readonly Pick<TrackingEvent, 'event' | 'url'>[],
  range: TimeRange,
  zero: Millis,
) =>
  feedEvents(
    idPrefix,
    tracking.flatMap(({ event, url }) => anyTime(event, [url])),
    range,
    zero,
  );
