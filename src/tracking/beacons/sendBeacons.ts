// Sends what is due, each host in its own line: so many at once, none for a while to a host that fails again and again,
// later and later what failed. Every beacon is claimed before it is sent and settled after; what a process that died had
// claimed is claimed again once its time is over, and marked, because nobody knows whether it arrived.
import type { Millis } from '../../time/units.ts';
import type { BeaconFact, ClaimedBeacon, Settlement } from './beacon.ts';
import type { BeaconResult, BeaconStore, HostBreaker, SendBeacon } from './ports.ts';

export type SenderDeps = {
  readonly store: BeaconStore;
  readonly send: SendBeacon;
  readonly breaker: HostBreaker;
  readonly now: () => Millis;
  /** 0 to 1. */
  readonly random: () => number;
  /** For reports. */
  readonly onBeacon: (fact: BeaconFact) => void;
  readonly log: (message: string, facts: Record<string, unknown>) => void;
  /** Milliseconds for which a claim holds: far longer than sending takes. */
  readonly claimMs?: number;
};

export type BeaconSender = {
  /** Looks for what is due and starts to send it; does not wait until it is sent. */
  sendDue(): Promise<void>;
  /** Claims nothing more; resolves when all that was claimed is settled. */
  stop(): Promise<void>;
};

/** To one host at once; more are claimed when half of them are through, so that one that is slow holds up nobody. */
const PER_HOST = 64;
const MOST_AT_ONCE = 1024;
/** An ad server may give each beacon a host of its own. */
const CLAIMS_AT_ONCE = 8;
/** Milliseconds. */
const CLAIM = 30_000;
/** The first pause, doubled with each attempt. */
const FIRST_PAUSE = 2_000;
const LONGEST_PAUSE = 600_000;
/** After so long nobody counts it any more. */
const GIVE_UP_AFTER = 24 * 3_600_000;
/** A store that does not take an outcome for so long never will. */
const SETTLED_WITHIN = 3_600_000;

/** Milliseconds until the next attempt; those that failed together do not come back together. */
export const pauseAfter = (attempts: number, random: number): number =>
  Math.round(Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** Math.min(attempts - 1, 20)) * (0.5 + random));

/** What an answer makes of a beacon. */
export function settlementOf(
  { seq, attempts, recordedAt }: Pick<ClaimedBeacon, 'seq' | 'attempts' | 'recordedAt'>,
  answer: BeaconResult,
  at: Millis,
  random: number,
): Settlement {
  const { status } = answer;
  const told = { seq, at, ...(status === undefined ? {} : { status }) };
  if (answer.ok) return { ...told, outcome: 'sent' };
  const dueAt = (at + pauseAfter(attempts, random)) as Millis;
  const error = answer.reason;
  if (answer.retry === 'never' || dueAt > recordedAt + GIVE_UP_AFTER) return { ...told, error, outcome: 'failed' };
  return { ...told, error, outcome: 'later', dueAt, isUnsure: answer.isUnsure, attempts };
}

export function createBeaconSender(deps: SenderDeps): BeaconSender {
  const { store, breaker, now, claimMs = CLAIM } = deps;
  const underWay = new Map<string, number>();
  const pumping = new Map<string, Promise<void>>();
  const sending = new Set<Promise<void>>();
  /** What became of beacons while the store was away. */
  const unsettled: Settlement[] = [];
  let isStopped = false;

  function tell({ tenant, channelId, host, attempts }: ClaimedBeacon, { outcome, at }: Settlement): void {
    const fact = { tenant, channelId, host, at };
    deps.onBeacon({ ...fact, step: attempts === 1 ? 'sent' : 'retried' });
    if (outcome === 'sent' && attempts > 1) deps.onBeacon({ ...fact, step: 'recovered' });
    if (outcome === 'failed') deps.onBeacon({ ...fact, step: 'failed' });
  }

  async function sendOne(beacon: ClaimedBeacon): Promise<void> {
    const { host } = beacon;
    const answer = await deps.send(beacon);
    // A server that refuses a beacon is well.
    const isWell = answer.ok || (answer.status !== undefined && answer.status < 500);
    breaker.report(host, isWell ? 'worked' : answer.retry === 'never' ? 'unclear' : 'failed');
    const settlement = settlementOf(beacon, answer, now(), deps.random());
    tell(beacon, settlement);
    try {
      await store.settle(settlement);
    } catch (error) {
      if (unsettled.length === 0) deps.log('what became of beacons cannot be written down', { host, error });
      unsettled.push(settlement);
    }
  }

  /** @returns whether nothing is left: what is not settled would be claimed, and sent, again */
  async function settleLate(): Promise<boolean> {
    const late = unsettled.splice(0);
    const tried = await Promise.allSettled(late.map((one) => store.settle(one)));
    const since = now() - SETTLED_WITHIN;
    unsettled.push(...late.filter(({ at }, index) => tried[index]!.status === 'rejected' && at > since));
    return unsettled.length === 0;
  }

  function start(beacon: ClaimedBeacon): void {
    const { host } = beacon;
    underWay.set(host, (underWay.get(host) ?? 0) + 1);
    const work = sendOne(beacon)
      .catch((error: unknown) => deps.log('a beacon could not be sent', { seq: beacon.seq, error }))
      .finally(() => {
        sending.delete(work);
        const left = underWay.get(host)! - 1;
        if (left === 0) underWay.delete(host);
        else underWay.set(host, left);
        // What waits behind it need not wait for the next look.
        if (left <= PER_HOST / 2 && hasMore.has(host)) void pump(host);
      });
    sending.add(work);
  }

  const hasMore = new Set<string>();

  /** Places that are free for a host, each of which must be used or reported. */
  function placesFor(host: string): number {
    const free = Math.min(PER_HOST - (underWay.get(host) ?? 0), MOST_AT_ONCE - sending.size);
    let places = 0;
    while (places < free && breaker.maySend(host)) places += 1;
    return places;
  }

  async function claimAndStart(host: string): Promise<void> {
    const places = unsettled.length > 0 ? 0 : placesFor(host);
    hasMore.delete(host);
    if (places === 0) return;
    let claimed: ClaimedBeacon[] = [];
    try {
      const at = now();
      claimed = await store.claim(host, places, at, (at + claimMs) as Millis);
    } finally {
      if (claimed.length === 0) breaker.report(host, 'unclear');
    }
    if (claimed.length === places) hasMore.add(host);
    for (const beacon of claimed) start(beacon);
  }

  function pump(host: string): Promise<void> {
    const known = pumping.get(host);
    if (known !== undefined || isStopped) return known ?? Promise.resolve();
    const work = claimAndStart(host)
      .catch((error: unknown) => deps.log('beacons could not be claimed', { host, error }))
      .finally(() => pumping.delete(host));
    pumping.set(host, work);
    return work;
  }

  return {
    async sendDue() {
      if (isStopped || !(await settleLate())) return;
      const hosts = (await store.dueHosts(now())).values();
      const pumpAll = async () => {
        for (const host of hosts) await pump(host);
      };
      await Promise.all(Array.from({ length: CLAIMS_AT_ONCE }, pumpAll));
    },
    async stop() {
      isStopped = true;
      await Promise.all(pumping.values());
      while (sending.size > 0) await Promise.all(sending);
      await settleLate();
    },
  };
}
