// Brings what was counted to where each system keeps it. It is written to the spool first, so that a restart and a store
// that is away lose nothing; it is brought again until it was taken; and since every batch has an id that stores remember,
// nothing is counted twice, whichever process brings it.
import { randomUUID } from 'node:crypto';
import { channelKey } from '../channels/channelKey.ts';
import type { SystemStore } from '../tenants/ports.ts';
import type { System } from '../tenants/system.ts';
import type { Millis } from '../time/units.ts';
import { type Counted, type Counter, createCounter } from './counter.ts';
import type { ReportEvent } from './event.ts';
import { measure } from './measure.ts';
import type { Batch, Measurement, ReportStore, Spool, ViewingStore } from './ports.ts';
import { systemKey } from './systemKey.ts';
import type { SystemsOfChannel } from './systemsOf.ts';

/** As it stands in the spool. Viewers become measurements, measurements become batches, batches go. */
type Parcel = Counted & {
  readonly id: string;
  /** Whose channels these are, in parcels that were written before each count said it. */
  readonly tenants?: Readonly<Record<string, string>>;
  readonly batches: readonly { readonly tenant: string; readonly id: string; readonly batch: Batch }[];
};

export type CourierDeps = {
  readonly counter: Counter;
  readonly spool: Spool;
  readonly viewing: ViewingStore;
  readonly systemsOf: SystemsOfChannel;
  readonly systems: Pick<SystemStore, 'find'>;
  readonly storeFor: (system: System) => ReportStore;
  readonly now: () => Millis;
  readonly log: (message: string, facts: Record<string, unknown>) => void;
};

export type Courier = {
  /** Hands over what was counted. `isLast`: there is no later, the process ends. */
  collect(isLast?: boolean): Promise<void>;
  /** Hands over what every process would say alike, under the same id: it is counted once. */
  post(id: string, events: readonly ReportEvent[]): Promise<void>;
  /** Brings what lies in the spool; what cannot be brought stays. @returns how many parcels are left */
  deliver(): Promise<number>;
};

/** A parcel whose stores are away for longer than batches are remembered would be counted twice. */
const OLDEST = 7 * 86_400_000;

/** Stores write what comes at once together. */
const NOTED_AT_ONCE = 50;
/** Parcels that fail one after the other: it is not the parcels. */
const ENOUGH = 3;

export function createCourier(deps: CourierDeps): Courier {
  const { counter, spool, viewing, systemsOf, systems, storeFor, now, log } = deps;
  let delivering: Promise<number> | undefined;

  /** Viewers whom nobody had counted yet become measurements. */
  async function countViewers(parcel: Parcel): Promise<Parcel> {
    const counted: Parcel['measurements'][number][] = [];
    for (let first = 0; first < parcel.viewing.length; first += NOTED_AT_ONCE) {
      const some = parcel.viewing.slice(first, first + NOTED_AT_ONCE).map(async ({ tenant, channel, at, viewers }) => {
        const owned = tenant === undefined ? {} : { tenant };
        const name = tenant === undefined ? channel : channelKey({ tenant, id: channel });
        const fresh = await viewing.note(parcel.id, name, at, viewers);
        const counts = fresh > 0 ? measure({ type: 'watching', at, channel, viewers: fresh }) : [];
        return counts.map((one) => ({ ...one, ...owned }));
      });
      counted.push(...(await Promise.all(some)).flat());
    }
    return { ...parcel, viewing: [], measurements: [...parcel.measurements, ...counted] };
  }

  async function address(parcel: Parcel): Promise<Parcel> {
    const bySystem = new Map<string, { tenant: string; id: string; measurements: Measurement[] }>();
    const put = (tenant: string, id: string, measurement: Measurement) => {
      const system = systemKey({ tenant, id });
      const known = bySystem.get(system) ?? { tenant, id, measurements: [] };
      known.measurements.push(measurement);
      bySystem.set(system, known);
    };
    for (const { tenant: owner, ...one } of parcel.measurements) {
      const found = await systemsOf.find(one.channel, one.report, owner ?? parcel.tenants?.[one.channel]);
      for (const { id, tenant } of found) put(tenant, id, one);
    }
    for (const { tenant, system, measurement } of parcel.ofSystems) put(tenant, system, measurement);
    const batches = [...bySystem].map(([system, { tenant, id, measurements }]) => ({
      tenant,
      id,
      batch: { id: `${parcel.id}/${system}`, system, measurements },
    }));
    return { ...parcel, measurements: [], ofSystems: [], batches: [...parcel.batches, ...batches] };
  }

  /** @returns whether the store took it, or there is none to take it any more */
  async function bring({ tenant, id, batch }: Parcel['batches'][number], away: Set<string>): Promise<boolean> {
    if (away.has(batch.system)) return false;
    try {
      const system = await systems.find(tenant, id);
      if (system !== undefined) await storeFor(system).add(batch);
      return true;
    } catch (error) {
      away.add(batch.system);
      log('a system did not take what was counted for it', { system: batch.system, error });
      return false;
    }
  }

  /** @returns whether nothing of it is left */
  async function deliverOne(id: string, text: string, away: Set<string>): Promise<boolean> {
    const parcel = await address(await countViewers(JSON.parse(text) as Parcel));
    const left: Parcel['batches'][number][] = [];
    for (const one of parcel.batches) if (!(await bring(one, away))) left.push(one);
    if (left.length === 0) {
      await spool.remove(id);
      return true;
    }
    const rest = JSON.stringify({ ...parcel, batches: left });
    if (rest !== text) await spool.put(id, rest);
    return false;
  }

  async function deliverAll(): Promise<number> {
    const away = new Set<string>();
    let left = 0;
    let failed = 0;
    for (const { id, writtenAt } of await spool.list()) {
      const text = await spool.read(id);
      if (text === undefined) continue;
      if (now() - writtenAt > OLDEST || !isParcel(text)) {
        log('what was counted is given up: it is too old, or cannot be read', { parcel: id });
        await spool.remove(id);
      } else {
        try {
          if (!(await deliverOne(id, text, away))) left += 1;
          failed = 0;
        } catch (error) {
          left += 1;
          failed += 1;
          log('what was counted could not be brought to the reports', { parcel: id, error });
          if (failed >= ENOUGH) break;
        }
      }
    }
    return left;
  }

  async function put(id: string, counted: Counted): Promise<void> {
    if (counted.measurements.length + counted.viewing.length + counted.ofSystems.length === 0) return;
    const lost = await spool.put(id, JSON.stringify({ ...counted, id, batches: [] } satisfies Parcel));
    if (lost > 0) log('the spool of the reports is full: the oldest of what was counted is lost', { parcels: lost });
  }

  return {
    collect: (isLast = false) => put(randomUUID(), counter.take(now(), isLast)),
    async post(id, events) {
      const once = createCounter();
      for (const event of events) once.record(event);
      await put(id, once.take(now(), true));
    },
    deliver() {
      delivering ??= deliverAll().finally(() => {
        delivering = undefined;
      });
      return delivering;
    },
  };
}

function isParcel(text: string): boolean {
  try {
    const { id, measurements, viewing, ofSystems, batches } = JSON.parse(text) as Partial<Parcel>;
    return typeof id === 'string' && [measurements, viewing, ofSystems, batches].every(Array.isArray);
  } catch {
    return false;
  }
}
