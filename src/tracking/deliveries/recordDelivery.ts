// SPDX-License-Identifier: Apache-2.0
// Records a request for a segment of an ad. The delivery and the beacons that follow from it are stored before the viewer
// receives the response. Reports count the same row later.
import { LRUCache } from 'lru-cache';
import { type AdEvent, adEvents, breakEvents } from '../../ads/record/adEvents.ts';
import type { AdRecord, BreakRecord } from '../../ads/record/breakRecord.ts';
import { deliveredEvents, isRequested, type RequestedSegments } from '../../ads/record/delivery.ts';
import type { Session } from '../../sessions/session.ts';
import type { Millis } from '../../time/units.ts';
import type { InLineAd } from '../../vast/response.ts';
import type { Delivery } from './delivery.ts';
import type { CountedAd } from './deliveryFact.ts';
import type { DeliveryStore } from './ports.ts';

/** An event of an ad; its beacon may be sent from `dueAt` on. */
export type DueEvent = {
  readonly event: AdEvent;
  /** The ad, or the break for events of the break. */
  readonly ownerId: string;
  /** The instant of the event on the channel's clock. */
  readonly happensAt: Millis;
  readonly dueAt: Millis;
};

export type DeliveryDeps = {
  readonly deliveries: DeliveryStore;
  readonly breakRecord: (sessionId: string, breakId: string) => Promise<BreakRecord | undefined>;
  /** Adds the beacons of due events to the ledger. Existing rows are not changed. */
  readonly recordBeacons: (delivery: Delivery, record: BreakRecord, due: readonly DueEvent[]) => Promise<void>;
};

/** Resolves when the delivery is on disk. */
export type RecordDelivery = (delivery: Delivery) => Promise<unknown>;

/** `known`: it was written before, so the store was not used. */
export type WriteDelivery = (delivery: Delivery) => Promise<'written' | 'known'>;

type AdPlan = {
  readonly record: BreakRecord;
  readonly ad: AdRecord;
  readonly events: readonly (AdEvent & { readonly ownerId: string })[];
};

/** Ads that viewers of this process currently watch. */
const MAX_CACHED_ADS = 20_000;

export const breakIdOf = (adId: string): string => adId.slice(0, adId.lastIndexOf('-'));

function planOf(record: BreakRecord, ad: AdRecord): AdPlan | undefined {
  const { adId } = ad;
  if (ad.outcome !== 'stitched' || ad.vast === undefined) return undefined;
  const own = adEvents(ad.vast as InLineAd, ad.duration).map((event) => ({ ...event, ownerId: adId }));
  const ofBreak = breakEvents(record, ad).map((event) => ({ ...event, ownerId: record.id }));
  // The ad response is long and not needed here.
  const { response: _, ...kept } = record;
  return { record: kept, ad, events: [...own, ...ofBreak].sort((one, other) => one.at - other.at) };
}

/** Reports shorten names further. */
const MAX_NAME_LENGTH = 400;

function countedAd({ tenant, channelId }: Session, ad: AdRecord, startsAt: Millis): CountedAd {
  const { duration, creativeId, title } = ad;
  const name =
    creativeId !== undefined
      ? { creativeId: creativeId.slice(0, MAX_NAME_LENGTH) }
      : title !== undefined
        ? { title: title.slice(0, MAX_NAME_LENGTH) }
        : {};
  return { tenant, channelId, startsAt, duration, ...name };
}

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

export function createRecordDelivery(deps: DeliveryDeps): WriteDelivery {
  const plans = new LRUCache<string, AdPlan>({ max: MAX_CACHED_ADS });
  /** Segments of an ad that this process has recorded, including their events. */
  const written = new LRUCache<string, RequestedSegments>({ max: MAX_CACHED_ADS });

  async function plan(sessionId: string, adId: string): Promise<AdPlan | undefined> {
    const key = `${sessionId} ${adId}`;
    const cached = plans.get(key);
    if (cached !== undefined) return cached;
    const record = await deps.breakRecord(sessionId, breakIdOf(adId));
    // The other ads of the break are requested next. A record is long, so it is read only once.
    for (const ad of record?.ads ?? []) {
      const found = planOf(record!, ad);
      if (found !== undefined) plans.set(`${sessionId} ${ad.adId}`, found);
    }
    return plans.get(key);
  }

  return async (delivery) => {
    const { session, adId, startsAt, grid, kind, segments, at } = delivery;
    const key = `${session.id} ${adId}`;
    const own = written.get(key);
    if (own !== undefined && segments.every((place) => isRequested(own[kind], place))) return 'known';
    const planned = await plan(session.id, adId);
    const counted = planned && countedAd(session, planned.ad, startsAt);
    const kept = session.vod && { keepUntil: session.vod.keepUntil };
    const mark = { sessionId: session.id, adId, ends: grid, kind, segments, at, ...kept };
    const { after, firstAt } = await deps.deliveries.mark({ ...mark, ...(counted && { counted }) });
    if (planned === undefined) return 'written';
    const all = deliveredEvents(planned.events, grid, after);
    const known = own === undefined ? [] : deliveredEvents(planned.events, grid, own);
    // Another process may have died after storing the mark and before storing the beacons. Everything that this process has not
    // written is therefore written again.
    const fresh = all.slice(known.length);
    if (delivery.tracking === 'server' && fresh.length > 0) {
      const adStart = session.vod === undefined ? startsAt : undefined;
      const due = fresh.map(({ ownerId, ...event }): DueEvent => {
        const happensAt = Math.round(startsAt + event.at) as Millis;
        return { event, ownerId, happensAt, dueAt: dueAt(event.at, adStart, firstAt, delivery.holdBack, at) };
      });
      await deps.recordBeacons(delivery, planned.record, due);
    }
    written.set(key, after);
    return 'written';
  };
}
