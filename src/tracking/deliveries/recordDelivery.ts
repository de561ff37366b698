// A viewer requested a segment of an ad: what was delivered is written down, and what follows from it goes to the ledger
// before the viewer is answered. Reports count the same row later. It knows rules of delivery and two stores; it refuses to
// know HTTP, and who sends.
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

/** An event of an ad, to be told from `dueAt` on. */
export type DueEvent = {
  readonly event: AdEvent;
  /** Of the ad; of the break where the event is the break's own. */
  readonly ownerId: string;
  /** Milliseconds since 1970 at which the event is on the channel's clock. */
  readonly happensAt: Millis;
  readonly dueAt: Millis;
};

export type DeliveryDeps = {
  readonly deliveries: DeliveryStore;
  readonly breakRecord: (sessionId: string, breakId: string) => Promise<BreakRecord | undefined>;
  /** Writes what is due; what is written already is left as it is. */
  readonly recordBeacons: (delivery: Delivery, record: BreakRecord, due: readonly DueEvent[]) => Promise<void>;
};

/** Resolves once it is on disk. */
export type RecordDelivery = (delivery: Delivery) => Promise<unknown>;

/** `known`: it was written before, and the store was not needed. */
export type WriteDelivery = (delivery: Delivery) => Promise<'written' | 'known'>;

type AdPlan = {
  readonly record: BreakRecord;
  readonly ad: AdRecord;
  readonly events: readonly (AdEvent & { readonly ownerId: string })[];
};

/** Ads on their way to viewers of this process. */
const MOST_KNOWN = 20_000;

export const breakIdOf = (adId: string): string => adId.slice(0, adId.lastIndexOf('-'));

function planOf(record: BreakRecord, ad: AdRecord): AdPlan | undefined {
  const { adId } = ad;
  if (ad.outcome !== 'stitched' || ad.vast === undefined) return undefined;
  const own = adEvents(ad.vast as InLineAd, ad.duration).map((event) => ({ ...event, ownerId: adId }));
  const ofBreak = breakEvents(record, ad).map((event) => ({ ...event, ownerId: record.id }));
  // The answer itself is long, and nobody asks for it here.
  const { response: _, ...kept } = record;
  return { record: kept, ad, events: [...own, ...ofBreak].sort((one, other) => one.at - other.at) };
}

/** Reports shorten names further. */
const LONGEST_NAME = 400;

function countedAd({ tenant, channelId }: Session, ad: AdRecord, startsAt: Millis): CountedAd {
  const { duration, creativeId, title } = ad;
  const name =
    creativeId !== undefined
      ? { creativeId: creativeId.slice(0, LONGEST_NAME) }
      : title !== undefined
        ? { title: title.slice(0, LONGEST_NAME) }
        : {};
  return { tenant, channelId, startsAt, duration, ...name };
}

/**
 * When an event may be told: not before a player that keeps its distance from the live edge shows it, nor before a player
 * that started with the first segment can have come so far, however much it fetched ahead.
 */
export const dueAt = (at: number, adStart: Millis, firstAt: Millis, holdBack: number, now: Millis): Millis =>
  Math.round(Math.max(now, adStart + holdBack + at, firstAt + at)) as Millis;

export function createRecordDelivery(deps: DeliveryDeps): WriteDelivery {
  const plans = new LRUCache<string, AdPlan>({ max: MOST_KNOWN });
  /** What this process has written of an ad, events included. */
  const written = new LRUCache<string, RequestedSegments>({ max: MOST_KNOWN });

  async function plan(sessionId: string, adId: string): Promise<AdPlan | undefined> {
    const key = `${sessionId} ${adId}`;
    const known = plans.get(key);
    if (known !== undefined) return known;
    const record = await deps.breakRecord(sessionId, breakIdOf(adId));
    // Its other ads are asked for next: a record is long, and read once.
    for (const ad of record?.ads ?? []) {
      const found = planOf(record!, ad);
      if (found !== undefined) plans.set(`${sessionId} ${ad.adId}`, found);
    }
    return plans.get(key);
  }

  return async (delivery) => {
    const { session, adId, startsAt, grid, kind, segments, at } = delivery;
    const key = `${session.id} ${adId}`;
    const mine = written.get(key);
    if (mine !== undefined && segments.every((place) => isRequested(mine[kind], place))) return 'known';
    const planned = await plan(session.id, adId);
    const counted = planned && countedAd(session, planned.ad, startsAt);
    const mark = { sessionId: session.id, adId, ends: grid, kind, segments, at };
    const { after, firstAt } = await deps.deliveries.mark({ ...mark, ...(counted && { counted }) });
    if (planned === undefined) return 'written';
    const all = deliveredEvents(planned.events, grid, after);
    const known = mine === undefined ? [] : deliveredEvents(planned.events, grid, mine);
    // Whoever died between the mark and the ledger left events behind: what this process has not written it writes.
    const fresh = all.slice(known.length);
    if (delivery.tracking === 'server' && fresh.length > 0) {
      const due = fresh.map(({ ownerId, ...event }): DueEvent => {
        const happensAt = Math.round(startsAt + event.at) as Millis;
        return { event, ownerId, happensAt, dueAt: dueAt(event.at, startsAt, firstAt, delivery.holdBack, at) };
      });
      await deps.recordBeacons(delivery, planned.record, due);
    }
    written.set(key, after);
    return 'written';
  };
}
