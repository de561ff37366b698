// The events of an ad, a break or an overlay, in the feed's shape: URLs of one event at one instant together, each event
// under an id of its own.
import { shareOf } from '../../ads/record/adEvents.ts';
import type { AdRecord, BreakRecord } from '../../ads/record/breakRecord.ts';
import { FLICKS_PER_SECOND, type Millis } from '../../time/units.ts';
import type { InLineAd, Linear, TrackingEvent } from '../../vast/response.ts';
import { type EventSender, eventSender } from './eventSender.ts';
import { momentOf } from './feedTimes.ts';

export type FeedContext = {
  /** What presentation times are counted from. */
  readonly zero: Millis;
  readonly tracking: 'server' | 'client';
};

/** A stretch on the clock: milliseconds since 1970, seconds. */
type Stretch = { readonly startsAt: number; readonly duration: number };

type DueEvent = {
  readonly eventType: string;
  readonly url: string;
  /** Seconds after the ad's start. */
  readonly after: number;
  /** Whether it may happen at any time of the ad. */
  readonly lasts?: boolean;
};

/** Nothing when it lies behind the end, or says of its progress not how far. */
function due({ event, url, offset }: TrackingEvent, duration: number): DueEvent[] {
  if (event !== 'progress') {
    const share = shareOf(event);
    return [{ eventType: event, url, after: duration * (share ?? 0), lasts: share === undefined }];
  }
  if (offset === undefined) return [];
  const after = offset.kind === 'time' ? offset.at / FLICKS_PER_SECOND : (duration * offset.percent) / 100;
  return after > duration ? [] : [{ eventType: event, url, after }];
}

function feedEvents(
  of: string,
  events: readonly DueEvent[],
  { startsAt, duration }: Stretch,
  zero: Millis,
  whose: (eventType: string) => EventSender,
) {
  const together = new Map<string, DueEvent & { urls: string[] }>();
  for (const event of events) {
    const ms = Math.round(event.after * 1000);
    const id = `${of}-${event.eventType}${event.eventType === 'progress' ? `-${ms}` : ''}`;
    const known = together.get(id);
    if (known === undefined) together.set(id, { ...event, urls: [event.url] });
    else known.urls.push(event.url);
  }
  return [...together].map(([eventId, { eventType, after, lasts = false, urls }]) => {
    const at = startsAt + after * 1000;
    const firing = whose(eventType);
    return {
      beaconUrls: firing === 'player' ? urls : [],
      ...momentOf(at, lasts ? duration : 0, zero),
      eventId,
      eventProgramDateTime: new Date(at).toISOString(),
      eventType,
      firedBy: firing,
    };
  });
}

/** Those of the linear ad as it plays here, its clicks and errors. */
export function adEvents(record: AdRecord, vast: InLineAd, linear: Linear | undefined, frame: FeedContext) {
  const any = (eventType: string, urls: readonly string[]): DueEvent[] =>
    urls.map((url) => ({ eventType, url, after: 0, lasts: true }));
  const { viewable = [], notViewable = [], viewUndetermined = [] } = vast.viewableImpression ?? {};
  const events = [
    ...any(
      'impression',
      vast.impressions.map(({ url }) => url),
    ),
    ...(linear?.trackingEvents ?? []).flatMap((event) => due(event, record.duration)),
    ...any('clickThrough', linear?.clickThrough ? [linear.clickThrough.url] : []),
    ...any(
      'clickTracking',
      (linear?.clickTrackings ?? []).map(({ url }) => url),
    ),
    ...any(
      'customClick',
      (linear?.customClicks ?? []).map(({ url }) => url),
    ),
    ...any('viewable', viewable),
    ...any('notViewable', notViewable),
    ...any('viewUndetermined', viewUndetermined),
    ...any('error', vast.errorUrls),
  ];
  const stretch = { startsAt: Date.parse(record.startsAt!), duration: record.duration };
  return feedEvents(record.adId, events, stretch, frame.zero, (event) => eventSender(event, frame.tracking));
}

/** Those of the break (VMAP 1.0.1 §2.4), from its first ad to the end of its last; of a break without ads there are none. */
export function breakEvents({ id, tracking = [] }: BreakRecord, ads: readonly AdRecord[], frame: FeedContext) {
  const [first, last] = [ads[0], ads.at(-1)];
  if (first === undefined || last === undefined) return [];
  const startsAt = Date.parse(first.startsAt!);
  const duration = (Date.parse(last.startsAt!) - startsAt) / 1000 + last.duration;
  const events = tracking.map(({ event, url }) => ({
    eventType: event,
    url,
    after: event === 'breakEnd' ? duration : 0,
    lasts: event === 'error',
  }));
  return feedEvents(id, events, { startsAt, duration }, frame.zero, (event) => eventSender(event, frame.tracking));
}

/** Those of what is shown beside or over the ad: nobody but the player knows of it. */
export function overlayEvents(of: string, tracking: readonly TrackingEvent[], stretch: Stretch, zero: Millis) {
  const events = tracking.map(({ event, url }) => ({ eventType: event, url, after: 0, lasts: true }));
  return feedEvents(of, events, stretch, zero, () => 'player');
}
