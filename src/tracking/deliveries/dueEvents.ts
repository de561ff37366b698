// SPDX-License-Identifier: Apache-2.0
// The events of a stitched ad, those that deliveries add, and when their beacons are due.
import { type AdEvent, adEvents, breakEvents } from '../../ads/record/adEvents.ts';
import { type BreakRecord, type StitchedAd, stitchedAds } from '../../ads/record/breakRecord.ts';
import { deliveredEvents, type RequestedSegments } from '../../ads/record/delivery.ts';
import type { NonEmpty } from '../../invariant.ts';
import type { Millis } from '../../time/units.ts';
import type { Delivery } from './delivery.ts';
import { bitsOf, joinBits, noBits, removeBits } from './requestedBits.ts';

export type AdPlan = {
  /** Without the ad response. */
  readonly record: BreakRecord;
  readonly ad: StitchedAd;
  /** In the order of their times. `ownerId`: the ad, or the break for events of the break. */
  readonly events: readonly (AdEvent & { readonly ownerId: string })[];
};

export const breakIdOf = (adId: string): string => adId.slice(0, adId.lastIndexOf('-'));

export function adPlans(whole: BreakRecord): AdPlan[] {
  // The ad response is long and not needed here.
  const { response: _, ...record } = whole;
  return stitchedAds(record).map((ad) => {
    const own = adEvents(ad.vast, ad.duration).map((event) => ({ ownerId: ad.adId, ...event }));
    const ofBreak = breakEvents(record, ad).map((event) => ({ ownerId: record.id, ...event }));
    return { record, ad, events: [...own, ...ofBreak].sort((one, other) => one.at - other.at) };
  });
}

/** An event of an ad; its beacon may be sent from `dueAt` on. */
export type DueEvent = {
  readonly event: AdEvent;
  /** The ad, or the break for events of the break. */
  readonly ownerId: string;
  /** The instant of the event on the channel's clock. */
  readonly happensAt: Millis;
  readonly dueAt: Millis;
};

/**
 * When the beacon of an event may be sent: not before a player at the recommended distance from the live edge shows the event,
 * and not before a player that started with the first segment can have reached it, even if it fetched segments ahead.
 * @param adStart undefined for VoD: the viewer decides when to reach the ad
 */
export const dueAt = (
  at: number,
  adStart: Millis | undefined,
  firstAt: Millis,
  holdBack: number,
  now: Millis,
): Millis => Math.round(Math.max(now, adStart === undefined ? 0 : adStart + holdBack + at, firstAt + at)) as Millis;

type StoredDeliveries = {
  readonly plan: AdPlan;
  /** In the order of their times. */
  readonly deliveries: NonEmpty<Delivery>;
  /** What this process has recorded before, with its beacons. */
  readonly own: RequestedSegments | undefined;
  /** All segments that are stored, with these deliveries. */
  readonly after: RequestedSegments;
  /** The time of the first request for any segment of the ad. */
  readonly firstAt: Millis;
};

/**
 * An event is due by the request that completed it. Another process may have ended after it stored a delivery and before it
 * stored the beacons, so all events that this process has not written are returned.
 */
export function dueEvents({ plan, deliveries, own = noBits, after, firstAt }: StoredDeliveries): DueEvent[] {
  const [{ session, startsAt, grid, holdBack }] = deliveries;
  const adStart = session.kind === 'film' ? undefined : startsAt;
  const due: DueEvent[] = [];
  let known = deliveredEvents(plan.events, grid, own).length;
  let requested = joinBits(own, removeBits(after, deliveries.map(bitsOf).reduce(joinBits)));
  for (const delivery of deliveries) {
    requested = joinBits(requested, bitsOf(delivery));
    const reached = deliveredEvents(plan.events, grid, requested);
    for (const { ownerId, ...event } of reached.slice(known)) {
      const happensAt = Math.round(startsAt + event.at) as Millis;
      due.push({ event, ownerId, happensAt, dueAt: dueAt(event.at, adStart, firstAt, holdBack, delivery.at) });
    }
    known = Math.max(known, reached.length);
  }
  return due;
}
