// SPDX-License-Identifier: Apache-2.0
// The events of an ad, a break or an overlay in the format of the feed. URLs of the same event at the same instant are
// grouped under one event id.
import { shareOf } from '../../ads/record/adEvents.ts';
import type { AdRecord, BreakRecord } from '../../ads/record/breakRecord.ts';
import { FLICKS_PER_SECOND, type Millis } from '../../time/units.ts';
import type { InLineAd, Linear, TrackingEvent } from '../../vast/response.ts';
import { type EventSender, eventSender } from './eventSender.ts';
import { momentOf } from './feedTimes.ts';

export type FeedContext = {
  /** The origin of presentation times. */
  readonly zero: Millis;
  readonly tracking: 'server' | 'client';
};

/** `startsAt` in milliseconds since 1970, `duration` in seconds. */
type TimeRange = { readonly startsAt: number; readonly duration: number };

type TimedUrl = {
  readonly eventType: string;
  readonly url: string;
  /** Seconds after the ad's start. */
  readonly after: number;
  /** Whether it may happen at any time during the ad. */
  readonly isAnyTime?: boolean;
};

/** Seconds for which an ad is shown. */
export const shownSeconds = ({ duration, shown = duration }: AdRecord): number => shown;

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

function feedEvents(
  idPrefix: string,
  events: readonly TimedUrl[],
  { startsAt, duration }: TimeRange,
  zero: Millis,
  senderOf: (eventType: string) => EventSender,
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
    const firedBy = senderOf(eventType);
    return {
      beaconUrls: firedBy === 'player' ? urls : [],
      ...momentOf(at, isAnyTime ? duration : 0, zero),
      eventId,
      eventProgramDateTime: new Date(at).toISOString(),
      eventType,
      firedBy,
    };
  });
}

/** Events of the linear ad as stitched, including clicks and errors. */
export function adEvents(record: AdRecord, vast: InLineAd, linear: Linear | undefined, context: FeedContext) {
  const untimed = (eventType: string, urls: readonly string[]): TimedUrl[] =>
    urls.map((url) => ({ eventType, url, after: 0, isAnyTime: true }));
  const { viewable = [], notViewable = [], viewUndetermined = [] } = vast.viewableImpression ?? {};
  const events = [
    ...untimed(
      'impression',
      vast.impressions.map(({ url }) => url),
    ),
    ...(linear?.trackingEvents ?? []).flatMap((event) => timeEvent(event, record)),
    ...untimed('clickThrough', linear?.clickThrough ? [linear.clickThrough.url] : []),
    ...untimed(
      'clickTracking',
      (linear?.clickTrackings ?? []).map(({ url }) => url),
    ),
    ...untimed(
      'customClick',
      (linear?.customClicks ?? []).map(({ url }) => url),
    ),
    ...untimed('viewable', viewable),
    ...untimed('notViewable', notViewable),
    ...untimed('viewUndetermined', viewUndetermined),
    ...untimed('error', vast.errorUrls),
  ];
  const range = { startsAt: Date.parse(record.startsAt!), duration: shownSeconds(record) };
  return feedEvents(record.adId, events, range, context.zero, (event) => eventSender(event, context.tracking));
}

/**
 * Events of the break (VMAP 1.0.1 §2.4), from its first ad to the end of its last. A break without ads has none, and one whose
 * last ad was cut no end, as with beacons of the server.
 */
export function breakEvents({ id, tracking = [] }: BreakRecord, ads: readonly AdRecord[], context: FeedContext) {
  const [first, last] = [ads[0], ads.at(-1)];
  if (first === undefined || last === undefined) return [];
  const startsAt = Date.parse(first.startsAt!);
  const duration = (Date.parse(last.startsAt!) - startsAt) / 1000 + shownSeconds(last);
  const own = last.shown === undefined ? tracking : tracking.filter(({ event }) => event !== 'breakEnd');
  const events = own.map(({ event, url }) => ({
    eventType: event,
    url,
    after: event === 'breakEnd' ? duration : 0,
    isAnyTime: event === 'error',
  }));
  return feedEvents(id, events, { startsAt, duration }, context.zero, (event) => eventSender(event, context.tracking));
}

/** Events of companions and non-linear ads. Only the player can observe them. */
export function overlayEvents(idPrefix: string, tracking: readonly TrackingEvent[], range: TimeRange, zero: Millis) {
  const events = tracking.map(({ event, url }) => ({ eventType: event, url, after: 0, isAnyTime: true }));
  return feedEvents(idPrefix, events, range, zero, () => 'player');
}
