// Writes what waits on disk, parcel by parcel. One that fails while others are written is bad: after a few rounds it is set
// aside, and it holds up nothing meanwhile. Where nothing at all is written, the store is away and no parcel is to blame.
import type { WaitingDelivery } from './delivery.ts';
import type { DeliverySpool } from './ports.ts';

export type SpoolReplayDeps = {
  readonly spool: DeliverySpool;
  /** Rejects when it was not written. */
  readonly write: (delivery: WaitingDelivery) => Promise<unknown>;
  /** How many deliveries the store took so far, from parcels or from viewers. */
  readonly written: () => number;
  readonly log: (message: string, facts: Record<string, unknown>) => void;
  /** For metrics. */
  readonly onQuarantine: () => void;
};

/** @returns whether the store is away, as far as the parcels show */
export type ReplaySpool = () => Promise<boolean>;

const AT_ONCE = 500;
/** Parcels or deliveries that fail one after the other while nothing is written: the cause is elsewhere. */
const ENOUGH = 3;
/** Rounds in which a parcel fails while others are written, before it is set aside. */
const STRIKES = 3;

type Failed = { readonly deliveries: readonly WaitingDelivery[]; readonly error: unknown };
type Failing = Failed & { readonly id: string; readonly unreadable: readonly string[] };

/** What is known of a parcel that failed. */
type Trouble = {
  /** The last round in which it failed. */
  readonly round: number;
  readonly strikes: number;
  /** What is still to be written of it: what was written must not be taken for a sign of life of the store. */
  readonly left?: Pick<Failing, 'deliveries' | 'unreadable'>;
};

async function writeTogether(deliveries: readonly WaitingDelivery[], write: SpoolReplayDeps['write']): Promise<Failed> {
  const left: WaitingDelivery[] = [];
  let error: unknown;
  for (let from = 0; from < deliveries.length; from += AT_ONCE) {
    const some = deliveries.slice(from, from + AT_ONCE);
    (await Promise.allSettled(some.map(write))).forEach((result, index) => {
      if (result.status === 'fulfilled') return;
      left.push(some[index]!);
      error = result.reason;
    });
  }
  return { deliveries: left, error };
}

/** A store writes what comes at once in one statement, where a bad delivery fails its neighbours. */
async function writeApart({ deliveries, error }: Failed, write: SpoolReplayDeps['write']): Promise<Failed> {
  const left: WaitingDelivery[] = [];
  let last = error;
  let inVain = 0;
  // In any order: the same few must not be in the way each time.
  const shuffled = deliveries.map((one) => ({ one, at: Math.random() })).sort((a, b) => a.at - b.at);
  for (const { one } of shuffled) {
    const failed = inVain < ENOUGH ? await writeTogether([one], write) : { deliveries: [one], error: last };
    inVain = failed.deliveries.length > 0 ? inVain + 1 : 0;
    left.push(...failed.deliveries);
    last = failed.error ?? last;
  }
  return { deliveries: left, error: last };
}

export function createSpoolReplay({ spool, write, written, log, onQuarantine }: SpoolReplayDeps): ReplaySpool {
  const troubles = new Map<string, Trouble>();
  let round = 0;
  let takenBefore = 0;

  async function setAside(id: string, lines: readonly string[] | undefined, error: unknown): Promise<void> {
    await spool.quarantine(id, lines);
    onQuarantine();
    log('deliveries that cannot be written were set aside', { parcel: id, deliveries: lines?.length, error });
  }

  async function finish({ id, unreadable }: Failing): Promise<void> {
    if (unreadable.length === 0) await spool.remove(id);
    else await setAside(id, unreadable, 'not in the form of a delivery');
    troubles.delete(id);
  }

  /** @returns what is left of it; undefined when it is finished, or cannot be read */
  async function tryParcel(id: string): Promise<Failing | undefined> {
    const { left, strikes = 0 } = troubles.get(id) ?? {};
    let parcel = left;
    try {
      parcel ??= await spool.read(id);
    } catch (error) {
      troubles.set(id, { round, strikes: strikes + 1 });
      if (strikes + 1 < STRIKES) return undefined;
      await setAside(id, undefined, error);
      troubles.delete(id);
      return undefined;
    }
    const { unreadable } = parcel;
    const failing = { id, unreadable, ...(await writeTogether(parcel.deliveries, write)) };
    if (failing.deliveries.length > 0) return failing;
    await finish(failing);
    return undefined;
  }

  /** The store took others meanwhile. */
  async function strike(failing: Failing): Promise<void> {
    const { id, unreadable } = failing;
    const { deliveries, error } = await writeApart(failing, write);
    const strikes = (troubles.get(id)?.strikes ?? 0) + 1;
    troubles.set(id, { round, strikes, left: { deliveries, unreadable } });
    if (deliveries.length === 0) await finish({ ...failing, deliveries });
    else if (strikes >= STRIKES) {
      await setAside(id, [...unreadable, ...deliveries.map((one) => JSON.stringify(one))], error);
      troubles.delete(id);
    }
  }

  const failedNow = (id: string) => troubles.set(id, { strikes: 0, ...troubles.get(id), round });
  const onDisk = (id: string) => (error: unknown) => {
    failedNow(id);
    log('a parcel of deliveries could not be removed or set aside', { parcel: id, error });
    return undefined;
  };

  return async () => {
    round += 1;
    const failed: Failing[] = [];
    let inVain = 0;
    const ids = await spool.close();
    for (const id of troubles.keys()) if (!ids.includes(id)) troubles.delete(id);
    const roundOf = (id: string) => troubles.get(id)?.round ?? 0;
    for (const id of [...ids].sort((one, other) => roundOf(one) - roundOf(other))) {
      const before = written();
      const failing = await tryParcel(id).catch(onDisk(id));
      if (failing !== undefined) failed.push(failing);
      inVain = failing !== undefined && written() === before ? inVain + 1 : 0;
      if (inVain === ENOUGH) break;
    }
    const [first] = failed;
    if (first !== undefined && written() === takenBefore) failed[0] = { ...first, ...(await writeApart(first, write)) };
    const isTaking = written() > takenBefore;
    takenBefore = written();
    for (const failing of failed) {
      if (isTaking) await strike(failing).catch(onDisk(failing.id));
      else failedNow(failing.id);
    }
    return !isTaking && failed.some(({ id }) => troubles.get(id)?.strikes === 0);
  };
}
