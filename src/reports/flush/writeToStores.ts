// Brings what was counted to where each system keeps it, again and again until it was taken. Every batch has an id that
// stores remember, so nothing is counted twice, whichever process brings it.
import { channelKey } from '../../channels/channelKey.ts';
import type { SystemStore } from '../../tenants/ports.ts';
import type { System } from '../../tenants/system.ts';
import type { Millis } from '../../time/units.ts';
import { measure } from '../count/measure.ts';
import type { Measurement, ReportStore, Spool, ViewingStore } from '../ports.ts';
import { systemKey } from '../systemKey.ts';
import type { ChannelSystems } from './channelSystems.ts';
import { readSpoolEntry, type SpoolEntry } from './spoolEntry.ts';

export type StoreWriterDeps = {
  readonly spool: Spool;
  readonly viewing: ViewingStore;
  readonly channelSystems: ChannelSystems;
  readonly systems: Pick<SystemStore, 'find'>;
  readonly storeFor: (system: System) => ReportStore;
  readonly now: () => Millis;
  readonly log: (message: string, facts: Record<string, unknown>) => void;
};

/** Brings what lies in the spool; what cannot be brought stays. @returns how many parcels are left */
export type WriteToStores = () => Promise<number>;

/** A parcel whose stores are away for longer than batches are remembered would be counted twice. */
const OLDEST = 7 * 86_400_000;

/** Stores write what comes at once together. */
const NOTED_AT_ONCE = 50;
/** Parcels that fail one after the other: it is not the parcels. */
const ENOUGH = 3;

export function createStoreWriter({
  spool,
  viewing,
  channelSystems,
  systems,
  storeFor,
  now,
  log,
}: StoreWriterDeps): WriteToStores {
  let bringing: Promise<number> | undefined;

  /** Viewers who were not counted yet become measurements. */
  async function countViewers(parcel: SpoolEntry): Promise<SpoolEntry> {
    const counted: SpoolEntry['measurements'][number][] = [];
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

  async function address(parcel: SpoolEntry): Promise<SpoolEntry> {
    const bySystem = new Map<string, { tenant: string; id: string; measurements: Measurement[] }>();
    const put = (tenant: string, id: string, measurement: Measurement) => {
      const system = systemKey({ tenant, id });
      const known = bySystem.get(system) ?? { tenant, id, measurements: [] };
      known.measurements.push(measurement);
      bySystem.set(system, known);
    };
    for (const { tenant: owner, ...one } of parcel.measurements) {
      const found = await channelSystems.find(one.channel, one.report, owner ?? parcel.tenants?.[one.channel]);
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
  async function bring({ tenant, id, batch }: SpoolEntry['batches'][number], away: Set<string>): Promise<boolean> {
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
  async function bringOne(id: string, text: string, away: Set<string>): Promise<boolean> {
    const parcel = await address(await countViewers(readSpoolEntry(text)!));
    const left: SpoolEntry['batches'][number][] = [];
    for (const one of parcel.batches) if (!(await bring(one, away))) left.push(one);
    if (left.length === 0) {
      await spool.remove(id);
      return true;
    }
    const rest = JSON.stringify({ ...parcel, batches: left });
    if (rest !== text) await spool.put(id, rest);
    return false;
  }

  async function bringAll(): Promise<number> {
    const away = new Set<string>();
    let left = 0;
    let failed = 0;
    for (const { id, writtenAt } of await spool.list()) {
      const text = await spool.read(id);
      if (text === undefined) continue;
      if (now() - writtenAt > OLDEST || readSpoolEntry(text) === undefined) {
        log('what was counted is given up: it is too old, or cannot be read', { parcel: id });
        await spool.remove(id);
      } else {
        try {
          if (!(await bringOne(id, text, away))) left += 1;
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

  return () => {
    bringing ??= bringAll().finally(() => {
      bringing = undefined;
    });
    return bringing;
  };
}
