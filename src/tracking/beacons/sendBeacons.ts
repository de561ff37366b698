// SPDX-License-Identifier: Apache-2.0
// Sends due beacons, with a queue and a concurrency limit for each host, a pause for hosts that fail repeatedly, and
// exponential backoff. A beacon is claimed before it is sent and settled afterwards. If a process dies, its claims expire and
// the beacons are sent again; they are marked as unsure, because they may have arrived.
import type { Millis } from '../../time/units.ts';
import type { BeaconFact, ClaimedBeacon, Settlement } from './beacon.ts';
import type { BeaconResult, BeaconStore, HostBreaker, SendBeacon } from './ports.ts';

type Deps = {
  readonly store: BeaconStore;
  readonly send: SendBeacon;
  readonly breaker: HostBreaker;
  readonly now: () => Millis;
  /** @returns a number from 0 to 1 */
  readonly random: () => number;
  readonly onBeacon: (fact: BeaconFact) => void;
  readonly log: (message: string, facts: Record<string, unknown>) => void;
  /** Milliseconds until a claim expires; much longer than sending takes. */
  readonly claimMs?: number;
};

/** Concurrent requests to one host. More are claimed when half of them have ended, so one slow request delays no others. */
const MAX_PER_HOST = 64;
const MAX_CONCURRENT = 1024;
/** Ad servers may use a separate host for every beacon. */
const MAX_CONCURRENT_CLAIMS = 8;
const CLAIM_MS = 30_000;
/** Doubled with each attempt. */
const FIRST_BACKOFF_MS = 2_000;
const MAX_BACKOFF_MS = 600_000;
/** Ad servers do not count older beacons. */
const ABANDON_AFTER_MS = 24 * 3_600_000;
/** An outcome that the store has not accepted within this time is discarded. */
const SETTLE_TIMEOUT_MS = 3_600_000;

/** Milliseconds until the next attempt, with jitter so that beacons that failed together are not retried together. */
export const backoffAfter = (attempts: number, random: number): number =>
  Math.round(Math.min(MAX_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** Math.min(attempts - 1, 20)) * (0.5 + random));

/** @returns the outcome of an attempt for the ledger */
export function settlementOf(
  { seq, attempts, recordedAt }: Pick<ClaimedBeacon, 'seq' | 'attempts' | 'recordedAt'>,
  result: BeaconResult,
  at: Millis,
  random: number,
): Settlement {
  const { status } = result;
  const common = { seq, at, ...(status === undefined ? {} : { status }) };
  if (result.ok) return { ...common, outcome: 'sent' };
  const dueAt = (at + backoffAfter(attempts, random)) as Millis;
  const error = result.reason;
  if (result.retry === 'never' || dueAt > recordedAt + ABANDON_AFTER_MS) return { ...common, error, outcome: 'failed' };
  return { ...common, error, outcome: 'later', dueAt, isUnsure: result.isUnsure, attempts };
}

export function createBeaconSender(deps: Deps) {
  const { store, breaker, now, claimMs = CLAIM_MS } = deps;
  const inFlight = new Map<string, number>();
  const claiming = new Map<string, Promise<void>>();
  const sending = new Set<Promise<void>>();
  /** Outcomes that the store has not accepted yet. */
  const unsettled: Settlement[] = [];
  let isStopped = false;

  function report({ tenant, channelId, host, attempts }: ClaimedBeacon, { outcome, at }: Settlement): void {
    const fact = { tenant, channelId, host, at };
    deps.onBeacon({ ...fact, step: attempts === 1 ? 'sent' : 'retried' });
    if (outcome === 'sent' && attempts > 1) deps.onBeacon({ ...fact, step: 'recovered' });
    if (outcome === 'failed') deps.onBeacon({ ...fact, step: 'failed' });
  }

  async function sendOne(beacon: ClaimedBeacon): Promise<void> {
    const { host } = beacon;
    const result = await deps.send(beacon);
    // A host that rejects a beacon is available.
    const isAvailable = result.ok || (result.status !== undefined && result.status < 500);
    breaker.report(host, isAvailable ? 'worked' : result.retry === 'never' ? 'unclear' : 'failed');
    const settlement = settlementOf(beacon, result, now(), deps.random());
    report(beacon, settlement);
    try {
      await store.settle(settlement);
    } catch (error) {
      if (unsettled.length === 0) deps.log('writing the outcomes of beacons failed', { host, error });
      unsettled.push(settlement);
    }
  }

  /** @returns whether nothing is left; an unsettled beacon would be claimed and sent again */
  async function retrySettlements(): Promise<boolean> {
    const late = unsettled.splice(0);
    const keep = (one: Settlement) => {
      if (one.at > now() - SETTLE_TIMEOUT_MS) unsettled.push(one);
    };
    await Promise.all(late.map((one) => store.settle(one).catch(() => keep(one))));
    return unsettled.length === 0;
  }

  function start(beacon: ClaimedBeacon): void {
    const { host } = beacon;
    inFlight.set(host, (inFlight.get(host) ?? 0) + 1);
    const work = sendOne(beacon)
      .catch((error: unknown) => deps.log('sending a beacon failed', { seq: beacon.seq, error }))
      .finally(() => {
        sending.delete(work);
        const left = (inFlight.get(host) ?? 1) - 1;
        if (left === 0) inFlight.delete(host);
        else inFlight.set(host, left);
        // Does not wait for the next call of sendDue.
        if (left <= MAX_PER_HOST / 2 && hasMore.has(host)) void sendTo(host);
      });
    sending.add(work);
  }

  const hasMore = new Set<string>();

  /** The number of beacons that may be sent to a host now. Each must be used or reported to the breaker. */
  function slotsFor(host: string): number {
    const free = Math.min(MAX_PER_HOST - (inFlight.get(host) ?? 0), MAX_CONCURRENT - sending.size);
    let slots = 0;
    while (slots < free && breaker.maySend(host)) slots += 1;
    return slots;
  }

  async function claimAndStart(host: string): Promise<void> {
    const slots = unsettled.length > 0 ? 0 : slotsFor(host);
    hasMore.delete(host);
    if (slots === 0) return;
    let claimed: ClaimedBeacon[] = [];
    try {
      const at = now();
      claimed = await store.claim(host, slots, at, (at + claimMs) as Millis);
    } finally {
      if (claimed.length === 0) breaker.report(host, 'unclear');
    }
    if (claimed.length === slots) hasMore.add(host);
    for (const beacon of claimed) start(beacon);
  }

  function sendTo(host: string): Promise<void> {
    const current = claiming.get(host);
    if (current !== undefined || isStopped) return current ?? Promise.resolve();
    const work = claimAndStart(host)
      .catch((error: unknown) => deps.log('claiming beacons failed', { host, error }))
      .finally(() => claiming.delete(host));
    claiming.set(host, work);
    return work;
  }

  return {
    /** Starts to send due beacons; does not wait until they are sent. */
    async sendDue(): Promise<void> {
      if (isStopped || !(await retrySettlements())) return;
      const hosts = (await store.dueHosts(now())).values();
      const sendToAll = async () => {
        for (const host of hosts) await sendTo(host);
      };
      await Promise.all(Array.from({ length: MAX_CONCURRENT_CLAIMS }, sendToAll));
    },
    /** Claims no more beacons; resolves when all claimed beacons are settled. */
    async stop(): Promise<void> {
      isStopped = true;
      await Promise.all(claiming.values());
      while (sending.size > 0) await Promise.all(sending);
      await retrySettlements();
    },
  };
}
