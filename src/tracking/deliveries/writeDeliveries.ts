// SPDX-License-Identifier: Apache-2.0
// Stores deliveries and the beacons that follow from them. Deliveries of one viewer's ad are written as one, and many ads
// together. Reports count the same rows later.
import { LRUCache } from 'lru-cache';
import type { BreakRecord } from '../../ads/record/breakRecord.ts';
import type { RequestedSegments } from '../../ads/record/delivery.ts';
import { isPreview } from '../../ads/request/preview.ts';
import type { Millis } from '../../time/units.ts';
import { type AdPlan, adPlans, breakIdOf, countedAd } from './adPlan.ts';
import type { Delivery } from './delivery.ts';
import { type DueEvent, dueEvents } from './dueEvents.ts';
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
type AdDeliveries = { readonly key: string; readonly all: Delivery[] };

function byAd(deliveries: readonly Delivery[]): AdDeliveries[] {
  const ads = new Map<string, AdDeliveries>();
  for (const delivery of deliveries) {
    const key = `${delivery.session.id} ${delivery.adId}`;
    const known = ads.get(key);
    if (known === undefined) ads.set(key, { key, all: [delivery] });
    else known.all.push(delivery);
  }
  for (const { all } of ads.values()) if (all.length > 1) all.sort((one, other) => one.at - other.at);
  return [...ads.values()];
}

/** One for each kind of segments. */
function marksOf({ all }: AdDeliveries, plan: AdPlan | undefined): Mark[] {
  const { session, adId, startsAt, grid } = all[0]!;
  // Reports leave out rows without it.
  const counted = plan && !isPreview(session) && countedAd(session, plan.ad, startsAt);
  const kept = session.kind === 'film' && { keepUntil: session.vod.keepUntil };
  return (['pictures', 'sound'] as const).flatMap((kind) => {
    const own = all.filter((delivery) => delivery.kind === kind);
    if (own.length === 0) return [];
    const segments = [...new Set(own.flatMap((delivery) => delivery.segments))];
    const times = { at: own[0]!.at, lastAt: own.at(-1)!.at };
    return [
      { sessionId: session.id, adId, ends: grid, kind, segments, ...times, ...kept, ...(counted && { counted }) },
    ];
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
    const results = await Promise.allSettled(reading.values());
    const failures = new Map<string, unknown>();
    [...reading.keys()].forEach((key, index) => {
      const result = results[index]!;
      if (result.status === 'rejected') failures.set(key, result.reason);
    });
    if (failures.size === 0) return { failed: [] };
    const failed = deliveries.filter(({ session, adId }) => failures.has(`${session.id} ${breakIdOf(adId)}`));
    return { failed, error: [...failures.values()].at(-1) };
  }

  async function writeBeacons({ key, all }: AdDeliveries, { after, firstAt }: Marked): Promise<void> {
    const plan = plans.get(key);
    if (plan === undefined) return;
    const [first] = all;
    const due = dueEvents({ plan, deliveries: all, own: written.get(key), after, firstAt });
    if (first!.tracking === 'server' && due.length > 0 && !isPreview(first!.session))
      await recordBeacons(first!, plan.record, due);
  }

  async function write(deliveries: readonly Delivery[]): Promise<number> {
    const { failed, error } = await prepare(deliveries);
    if (failed.length > 0) throw error;
    const fresh = byAd(deliveries).filter(({ key, all }) => {
      const own = written.get(key);
      return own === undefined || !all.every((delivery) => includesAll(own, delivery));
    });
    if (fresh.length === 0) return 0;
    const marking = fresh.map(async (ad) => {
      const plan = plans.get(ad.key);
      return joinMarked(await Promise.all(marksOf(ad, plan).map(store.mark)));
    });
    const marked = await Promise.all(marking);
    await Promise.all(fresh.map((ad, index) => writeBeacons(ad, marked[index]!)));
    // Without a plan, its beacons are not written yet, so the next delivery of the ad reads it again.
    fresh.forEach(({ key }, index) => {
      if (plans.has(key)) written.set(key, marked[index]!.after);
    });
    return fresh.reduce((sum, { all }) => sum + all.length, 0);
  }

  return { prepare, write };
}
