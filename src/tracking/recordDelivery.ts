// A viewer asked for a segment of an ad: what was delivered is written down, and what follows from it goes to the ledger
// before the viewer is answered. It knows rules of delivery and two stores; it refuses to know HTTP, and who sends.
import { LRUCache } from 'lru-cache';
import { type AdEvent, adEvents, breakEvents, playedEvents } from '../ads/adEvents.ts';
import type { AdRecord, BreakRecord } from '../ads/breakRecord.ts';
import { type Asked, type DeliveryGrid, deliveredEvents, deliveredPlaces, isAsked } from '../ads/delivery.ts';
import type { Session } from '../sessions/session.ts';
import type { Millis } from '../time/units.ts';
import type { InLineAd } from '../vast/response.ts';
import type { Delivery } from './delivery.ts';
import type { DeliveryStore } from './ports.ts';

/** What was delivered for the first time, told once whichever process it was. */
export type DeliveryFact = {
  readonly session: Session;
  readonly breakId: string;
  readonly ad: AdRecord;
  readonly at: Millis;
  /** Where its segments lie on the channel's clock. */
  readonly stretches: readonly { readonly at: Millis; readonly ms: number }[];
  /** `start`, quartiles and `complete`, in this order; also those that nobody is told of. */
  readonly events: readonly string[];
  /** What was told of the sound alone, and is judged anew by the pictures that followed. */
  readonly withdrawn: Pick<DeliveryFact, 'stretches' | 'events'>;
};

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
  readonly tell: (delivery: Delivery, record: BreakRecord, due: readonly DueEvent[]) => Promise<void>;
  /** For reports. */
  readonly onDelivered: (fact: DeliveryFact) => void;
};

/** Resolves once it is on disk. */
export type RecordDelivery = (delivery: Delivery) => Promise<void>;

type AdPlan = {
  readonly record: BreakRecord;
  readonly ad: AdRecord;
  readonly events: readonly (AdEvent & { readonly ownerId: string })[];
};

/** Ads on their way to viewers of this process. */
const MOST_KNOWN = 20_000;

export const breakOf = (adId: string): string => adId.slice(0, adId.lastIndexOf('-'));

function planOf(record: BreakRecord, ad: AdRecord): AdPlan | undefined {
  const { adId } = ad;
  if (ad.outcome !== 'stitched' || ad.vast === undefined) return undefined;
  const own = adEvents(ad.vast as InLineAd, ad.duration).map((event) => ({ ...event, ownerId: adId }));
  const ofBreak = breakEvents(record, ad).map((event) => ({ ...event, ownerId: record.id }));
  // The answer itself is long, and nobody asks for it here.
  const { response: _, ...kept } = record;
  return { record: kept, ad, events: [...own, ...ofBreak].sort((one, other) => one.at - other.at) };
}

/**
 * When an event may be told: not before a player that keeps its distance from the live edge shows it, nor before a player
 * that started with the first segment can have come so far, however much it fetched ahead.
 */
export const dueAt = (at: number, adStart: Millis, firstAt: Millis, holdBack: number, now: Millis): Millis =>
  Math.round(Math.max(now, adStart + holdBack + at, firstAt + at)) as Millis;

function newStretches(grid: DeliveryGrid, before: Asked, after: Asked, start: Millis): DeliveryFact['stretches'] {
  const known = new Set(deliveredPlaces(grid, before));
  return deliveredPlaces(grid, after).flatMap((place) => {
    const from = grid[place - 1] ?? 0;
    return known.has(place) ? [] : [{ at: (start + from) as Millis, ms: grid[place]! - from }];
  });
}

export function createRecordDelivery(deps: DeliveryDeps): RecordDelivery {
  const plans = new LRUCache<string, AdPlan>({ max: MOST_KNOWN });
  /** What this process has written of an ad, events included. */
  const written = new LRUCache<string, Asked>({ max: MOST_KNOWN });

  async function plan(sessionId: string, adId: string): Promise<AdPlan | undefined> {
    const key = `${sessionId} ${adId}`;
    const known = plans.get(key);
    if (known !== undefined) return known;
    const record = await deps.breakRecord(sessionId, breakOf(adId));
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
    if (mine !== undefined && segments.every((place) => isAsked(mine[kind], place))) return;
    const marked = await deps.deliveries.mark({ sessionId: session.id, adId, ends: grid, kind, segments, at });
    const { before, after, firstAt } = marked;
    const planned = await plan(session.id, adId);
    if (planned === undefined) return;
    // Before anything can fail: whoever marks the same again finds nothing new.
    const instants = playedEvents(planned.ad.duration);
    const played = (what: Asked) => deliveredEvents(instants, grid, what).map(({ name }) => name);
    const [told, reached] = [played(before), played(after)];
    const events = reached.slice(told.length);
    const stretches = newStretches(grid, before, after, startsAt);
    const withdrawn = { stretches: newStretches(grid, after, before, startsAt), events: told.slice(reached.length) };
    if (stretches.length + events.length + withdrawn.stretches.length + withdrawn.events.length > 0) {
      deps.onDelivered({ session, breakId: breakOf(adId), ad: planned.ad, at, stretches, events, withdrawn });
    }
    const all = deliveredEvents(planned.events, grid, after);
    const known = mine === undefined ? [] : deliveredEvents(planned.events, grid, mine);
    // Whoever died between the mark and the ledger left events behind: what this process has not written it writes.
    const fresh = all.slice(known.length);
    if (delivery.tracking === 'server' && fresh.length > 0) {
      const due = fresh.map(({ ownerId, ...event }): DueEvent => {
        const happensAt = Math.round(startsAt + event.at) as Millis;
        return { event, ownerId, happensAt, dueAt: dueAt(event.at, startsAt, firstAt, delivery.holdBack, at) };
      });
      await deps.tell(delivery, planned.record, due);
    }
    written.set(key, after);
  };
}
