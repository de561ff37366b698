// SPDX-License-Identifier: Apache-2.0
// Stores deliveries and the beacons that follow from them. Deliveries of one viewer's ad are written as one, and many ads
// together. Reports count the same rows later.
import { LRUCache } from 'lru-cache';
import type { BreakRecord, StitchedAd } from '../../ads/record/breakRecord.ts';
import type { RequestedSegments } from '../../ads/record/delivery.ts';
import { isPreview } from '../../ads/request/preview.ts';
import { isNonEmpty, lastOf, type NonEmpty, withoutUndefined } from '../../invariant.ts';
import { keepUntilOf } from '../../sessions/session.ts';
import type { Millis } from '../../time/units.ts';
import type { Delivery } from './delivery.ts';
import type { CountedAd } from './deliveryFact.ts';
import { type AdPlan, adPlans, breakIdOf, type DueEvent, dueEvents } from './dueEvents.ts';
import type { DeliveryStore, Mark, Marked } from './ports.ts';
import { includesAll, joinBits } from './requestedBits.ts';

export type DeliveryDeps = {
  readonly deliveries: Pick<DeliveryStore, 'mark'>;
  readonly breakRecord: (sessionId: string, breakId: string) => Promise<BreakRecord | undefined>;
  /** Adds the beacons of due events to the ledger. Existing rows are not changed. */
  readonly recordBeacons: (delivery: Delivery, record: BreakRecord, due: readonly DueEvent[]) => Promise<void>;
};

export type DeliveryWriter = {
  /** Reads what the deliveries refer to. @returns those for which it cannot be read at the moment, and the last error */
  prepare(deliveries: readonly Delivery[]): Promise<Unwritten<Delivery>>;
  /** Resolves when all of them are stored. @returns how many this process had not stored before */
  write(deliveries: readonly Delivery[]): Promise<number>;
};

export type Unwritten<Item> = { readonly failed: readonly Item[]; readonly error?: unknown };

/** Ads that viewers of this process currently watch. */
const MAX_CACHED_ADS = 20_000;

/** Deliveries of one viewer's ad, in the order of their times. */
type AdDeliveries = { readonly key: string; readonly all: NonEmpty<Delivery> };

function byAd(deliveries: readonly Delivery[]): AdDeliveries[] {
  const ads = new Map<string, [Delivery, ...Delivery[]]>();
  for (const delivery of deliveries) {
    const key = `${delivery.session.id} ${delivery.adId}`;
    const known = ads.get(key);
    if (known === undefined) ads.set(key, [delivery]);
    else known.push(delivery);
  }
  for (const all of ads.values()) if (all.length > 1) all.sort((one, other) => one.at - other.at);
  return [...ads].map(([key, all]) => ({ key, all }));
}

/** Reports shorten names further. */
const MAX_NAME_LENGTH = 400;

function countedAd({ session: { tenant, channelId }, startsAt }: Delivery, ad: StitchedAd): CountedAd {
  const { duration, creativeId, title, offer } = ad;
  const demand = offer && withoutUndefined({ source: offer.source, price: offer.price });
  const counted = { tenant, channelId, startsAt, duration, ...demand };
  if (creativeId !== undefined) return { ...counted, creativeId: creativeId.slice(0, MAX_NAME_LENGTH) };
  return title === undefined ? counted : { ...counted, title: title.slice(0, MAX_NAME_LENGTH) };
}

/** One for each kind of segments. */
function marksOf({ all }: AdDeliveries, plan: AdPlan | undefined): Mark[] {
  const [first] = all;
  const { session, adId, grid: ends } = first;
  // Reports leave out rows without it.
  const counted = plan && !isPreview(session) && { counted: countedAd(first, plan.ad) };
  const keepUntil = keepUntilOf(session);
  const kept = keepUntil !== undefined && { keepUntil };
  return (['pictures', 'sound'] as const).flatMap((kind) => {
    const own = all.filter((delivery) => delivery.kind === kind);
    if (!isNonEmpty(own)) return [];
    const segments = [...new Set(own.flatMap((delivery) => delivery.segments))];
    const times = { at: own[0].at, lastAt: lastOf(own).at };
    return [{ sessionId: session.id, adId, ends, kind, segments, ...times, ...kept, ...counted }];
  });
}

const joinMarked = (marked: readonly Marked[]): Marked => ({
  after: marked.map(({ after }) => after).reduce(joinBits),
  firstAt: Math.min(...marked.map(({ firstAt }) => firstAt)) as Millis,
});

export function createDeliveryWriter({ deliveries: store, breakRecord, recordBeacons }: DeliveryDeps): DeliveryWriter {
  const plans = new LRUCache<string, AdPlan>({ max: MAX_CACHED_ADS });
  /** Segments of an ad that this process has recorded, including their events. */
  const written = new LRUCache<string, RequestedSegments>({ max: MAX_CACHED_ADS });

  /** The other ads of a break are requested next, and a record is long, so it is read only once. */
  async function readBreak(sessionId: string, breakId: string): Promise<void> {
    const record = await breakRecord(sessionId, breakId);
    for (const plan of record === undefined ? [] : adPlans(record)) plans.set(`${sessionId} ${plan.ad.adId}`, plan);
  }

  async function prepare(deliveries: readonly Delivery[]): Promise<Unwritten<Delivery>> {
    const reading = new Map<string, Promise<void>>();
    for (const { session, adId } of deliveries) {
      const key = `${session.id} ${breakIdOf(adId)}`;
      if (!plans.has(`${session.id} ${adId}`) && !reading.has(key))
        reading.set(key, readBreak(session.id, breakIdOf(adId)));
    }
    const failures = new Map<string, unknown>();
    await Promise.all([...reading].map(([key, read]) => read.catch((error: unknown) => void failures.set(key, error))));
    if (failures.size === 0) return { failed: [] };
    const failed = deliveries.filter(({ session, adId }) => failures.has(`${session.id} ${breakIdOf(adId)}`));
    return { failed, error: [...failures.values()].at(-1) };
  }

  /** Stores deliveries of an ad with their beacons. @returns all segments that are stored; undefined if it has no beacons yet */
  async function writeAd({ key, all }: AdDeliveries): Promise<RequestedSegments | undefined> {
    const [first] = all;
    const plan = plans.get(key);
    const { after, firstAt } = joinMarked(await Promise.all(marksOf({ key, all }, plan).map(store.mark)));
    // Its beacons are not written yet, so the next delivery of the ad reads the plan again.
    if (plan === undefined) return undefined;
    const due = dueEvents({ plan, deliveries: all, own: written.get(key), after, firstAt });
    if (first.tracking === 'server' && due.length > 0 && !isPreview(first.session))
      await recordBeacons(first, plan.record, due);
    return after;
  }

  async function write(deliveries: readonly Delivery[]): Promise<number> {
    const { failed, error } = await prepare(deliveries);
    if (failed.length > 0) throw error;
    const fresh = byAd(deliveries).filter(({ key, all }) => {
      const own = written.get(key);
      return own === undefined || !all.every((delivery) => includesAll(own, delivery));
    });
    const stored = await Promise.all(fresh.map(async (ad) => ({ key: ad.key, after: await writeAd(ad) })));
    for (const { key, after } of stored) if (after !== undefined) written.set(key, after);
    return fresh.reduce((sum, { all }) => sum + all.length, 0);
  }

  return { prepare, write };
}
