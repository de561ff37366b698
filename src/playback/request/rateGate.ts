// SPDX-License-Identifier: Apache-2.0
// Keeps requests to ad sources within their rates, over all processes. Requests that arrive together reserve their slots together,
// and each waits for its own. One that would wait longer than it may reserves none. While the store is unavailable, each process
// keeps the rate by itself: a source then receives at most as many requests as there are processes, times its rate
// (docs/decisions/060-rates.md).
import { LRUCache } from 'lru-cache';
import type { NoAdsReason } from '../../ads/record/breakRecord.ts';
import type { RatedSource, ReservedSlots, SourceRates } from '../../sessions/ports.ts';
import { MAX_SLOT_WAIT_MS, slotInterval } from '../../sessions/sourceRates.ts';
import { type Clock, sleep, within } from '../../time/clock.ts';
import { type Millis, millis } from '../../time/units.ts';

type GateDeps = Clock & {
  readonly store: SourceRates;
  readonly log: (message: string, facts: Record<string, unknown>) => void;
};

/** A source; without `maxPerSecond`, its requests do not wait. */
type GatedSource = Pick<RatedSource, 'tenant' | 'id'> & { readonly maxPerSecond?: number };

/** `waitMs`: until the next slot that is free. */
export type RateEntry =
  | { readonly kind: 'go'; readonly waitedMs: number }
  | { readonly kind: 'over'; readonly waitMs: number }
  /** The source has limited its rate itself (`rest`). */
  | { readonly kind: 'resting'; readonly untilMs: Millis };

type Caller = {
  readonly enteredAt: number;
  /** Its slot must not be later. */
  readonly latest: number;
  readonly resolve: (entry: RateEntry) => void;
};

/** The requests to one source. Times are those of `timers.elapsed`. */
type Lane = {
  waiting: Caller[];
  isReserving: boolean;
  /** No slot before this one is free. */
  freeAt: number;
  restsUntil: number;
};

/** How long a request waits for others, to reserve slots together with them. */
const GATHER_MS = 10;
/** Slots reserved at once. */
const MAX_AT_ONCE = 500;
/**
 * The store counts as unavailable after this time, or after half the time for which the requests may wait, if that is longer: one that
 * responds slowly to many requests still keeps the rate. It is then not used for RETRY_STORE_MS.
 */
const STORE_TIMEOUT_MS = 500;
const RETRY_STORE_MS = 2000;
const MAX_LANES = 10_000;

const go: RateEntry = { kind: 'go', waitedMs: 0 };

export type RateGate = ReturnType<typeof createRateGate>;

export function createRateGate({ store, now, timers, log }: GateDeps) {
  const lanes = new LRUCache<string, Lane>({ max: MAX_LANES });
  let storeRestsUntil = 0;

  function laneOf({ tenant, id }: GatedSource): Lane {
    const key = `${tenant}/${id}`;
    const known = lanes.get(key);
    if (known !== undefined) return known;
    const lane = { waiting: [], isReserving: false, freeAt: 0, restsUntil: 0 };
    lanes.set(key, lane);
    return lane;
  }

  const resting = ({ restsUntil }: Lane): RateEntry | undefined => {
    const left = restsUntil - timers.elapsed();
    return left <= 0 ? undefined : { kind: 'resting', untilMs: millis(Math.ceil(now() + left)) };
  };

  async function reserve(source: RatedSource, { freeAt }: Lane, limits: readonly number[]): Promise<ReservedSlots> {
    if (timers.elapsed() >= storeRestsUntil) {
      try {
        const longest = (limits[0] ?? 0) / 1000;
        const timeoutMs = Math.max(STORE_TIMEOUT_MS, longest / 2);
        const reserved = await within(timers, timeoutMs, store.reserve(source, limits, now()));
        if (reserved !== undefined) return reserved;
        throw new Error('The store did not respond in time.');
      } catch (error) {
        storeRestsUntil = timers.elapsed() + RETRY_STORE_MS;
        log('the rates of ad sources are kept by each process alone', { error });
      }
    }
    const first = 1000 * Math.max(0, freeAt - timers.elapsed());
    return { clock: 0, first, count: limits.filter((limit) => limit >= first).length };
  }

  async function admit(source: RatedSource, lane: Lane): Promise<void> {
    const callers = lane.waiting.splice(0, MAX_AT_ONCE);
    const from = timers.elapsed();
    const interval = slotInterval(source) / 1000;
    const allowed = callers.map(({ latest }) => Math.max(0, latest - from));
    const { clock, first, count } = await reserve(source, lane, slotLimits(allowed, interval));
    // The clocks of the store and of this process may differ, so only durations count.
    const wait = (first - clock) / 1000;
    lane.freeAt = timers.elapsed() + wait + count * interval;
    const waits = assignSlots(allowed, { wait, count, interval });
    for (const [index, { enteredAt, resolve }] of callers.entries()) {
      const own = waits[index];
      if (own === undefined) resolve(over(lane));
      else {
        const enter = () =>
          resolve(resting(lane) ?? { kind: 'go', waitedMs: Math.round(timers.elapsed() - enteredAt) });
        timers.after(own, enter);
      }
    }
  }

  const over = ({ freeAt }: Lane): RateEntry => ({
    kind: 'over',
    waitMs: Math.max(0, Math.ceil(freeAt - timers.elapsed())),
  });

  async function admitAll(source: RatedSource, lane: Lane): Promise<void> {
    while (lane.waiting.length > 0) {
      await admit(source, lane);
      if (lane.waiting.length < MAX_AT_ONCE) await sleep(timers, GATHER_MS);
    }
    lane.isReserving = false;
  }

  return {
    /**
     * Waits until the source may be requested.
     * @param maxWaitMs at most 60 s. The time in which the store responds is added to it
     */
    async enter({ tenant, id, maxPerSecond }: GatedSource, maxWaitMs: number): Promise<RateEntry> {
      if (maxPerSecond === undefined) return go;
      const source = { tenant, id, maxPerSecond };
      const lane = laneOf(source);
      const enteredAt = timers.elapsed();
      const latest = enteredAt + Math.min(maxWaitMs, MAX_SLOT_WAIT_MS);
      const refused = resting(lane) ?? (lane.freeAt > latest ? over(lane) : undefined);
      if (refused !== undefined) return refused;
      return new Promise((resolve) => {
        lane.waiting.push({ enteredAt, latest, resolve });
        if (lane.isReserving) return;
        lane.isReserving = true;
        timers.after(GATHER_MS, () => void admitAll(source, lane));
      });
    },
    /** For so many milliseconds, the source is not requested, and no slots are reserved: it has returned `Retry-After`. */
    rest(source: GatedSource, ms: number): void {
      if (source.maxPerSecond === undefined) return;
      const lane = laneOf(source);
      lane.restsUntil = Math.max(lane.restsUntil, timers.elapsed() + ms);
    },
  };
}

/**
 * How long the first of consecutive slots may be waited for, so that one slot, two slots and so on are of use.
 * @param allowed how long each request may wait, in milliseconds
 * @param interval between slots, in milliseconds
 * @returns microseconds, descending, not negative
 */
export function slotLimits(allowed: readonly number[], interval: number): number[] {
  const limits: number[] = [];
  let limit = Number.POSITIVE_INFINITY;
  // Of so many requests, those that may wait longest are the easiest to serve.
  for (const one of [...allowed].sort((a, b) => b - a)) {
    limit = Math.min(limit - interval, one);
    if (limit < 0) break;
    limits.push(Math.floor(1000 * limit));
  }
  return limits;
}

/**
 * Assigns slots to requests, in the order in which they expire.
 * @param slots milliseconds
 * @returns how long each request waits; undefined if it has no slot
 */
export function assignSlots(
  allowed: readonly number[],
  { wait, count, interval }: { readonly wait: number; readonly count: number; readonly interval: number },
): (number | undefined)[] {
  const order = allowed.map((latest, index) => ({ latest, index })).sort((a, b) => a.latest - b.latest);
  const waits: (number | undefined)[] = allowed.map(() => undefined);
  let used = 0;
  for (const { latest, index } of order) {
    const own = wait + used * interval;
    if (used === count || own > latest) continue;
    waits[index] = own;
    used += 1;
  }
  return waits;
}

/** Why a source was not requested. */
export function rateReason(
  entry: Exclude<RateEntry, { readonly kind: 'go' }>,
  { maxPerSecond }: Pick<GatedSource, 'maxPerSecond'>,
  now: Millis,
): NoAdsReason {
  if (entry.kind === 'resting') {
    const text = `The ad source limits its rate (status 429 or 503); it is requested again in ${seconds(entry.untilMs - now)} s.`;
    return { code: 'AD_SERVER_NOT_ASKED', text };
  }
  const text = `The rate of the ad source, ${maxPerSecond} requests a second, was reached for the next ${seconds(entry.waitMs)} s.`;
  return { code: 'RATE_REACHED', text };
}

const seconds = (ms: number): number => Math.ceil(ms / 100) / 10;
