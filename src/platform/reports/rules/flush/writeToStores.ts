// SPDX-License-Identifier: Apache-2.0
// Writes spooled counts to the report store of each system, and retries until the store has accepted them. Stores remember
// the ids of batches, so nothing counts twice, even if several processes write the same entry.
import { channelKey } from '../../../../channels/channelKey.ts';
import type { Millis } from '../../../../time/units.ts';
import type { SystemStore } from '../../../systems/rules/ports.ts';
import { type System, systemKey } from '../../../systems/rules/system.ts';
import { measure } from '../count/measure.ts';
import type { Measurement, ReportStore, Spool, ViewingStore } from '../ports.ts';
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

/** Writes all entries of the spool. What a store does not accept stays in the spool. @returns how many entries are left */
export type WriteToStores = () => Promise<number>;

/** Milliseconds. Stores forget batch ids after this time, so an older entry could be counted twice. */
const MAX_AGE = 7 * 86_400_000;

/** Concurrent calls are combined into one write by the store. */
const MAX_VIEWING_AT_ONCE = 50;
/** After this many consecutive failures, the cause is not the entries. */
const MAX_CONSECUTIVE_FAILURES = 3;

export function createStoreWriter({
  spool,
  viewing,
  channelSystems,
  systems,
  storeFor,
  now,
  log,
}: StoreWriterDeps): WriteToStores {
  let running: Promise<number> | undefined;

  /** Converts viewers who are not counted yet to measurements. */
  async function countViewers(entry: SpoolEntry): Promise<SpoolEntry> {
    const counted: SpoolEntry['measurements'][number][] = [];
    for (let first = 0; first < entry.viewing.length; first += MAX_VIEWING_AT_ONCE) {
      const some = entry.viewing
        .slice(first, first + MAX_VIEWING_AT_ONCE)
        .map(async ({ tenant, channel, at, viewers }) => {
          const owned = tenant === undefined ? {} : { tenant };
          const name = tenant === undefined ? channel : channelKey({ tenant, id: channel });
          const added = await viewing.note(entry.id, name, at, viewers);
          const counts = added > 0 ? measure({ type: 'watching', at, channel, viewers: added }) : [];
          return counts.map((one) => ({ ...one, ...owned }));
        });
      counted.push(...(await Promise.all(some)).flat());
    }
    return { ...entry, viewing: [], measurements: [...entry.measurements, ...counted] };
  }

  /** Divides the measurements into one batch per system. */
  async function assignToSystems(entry: SpoolEntry): Promise<SpoolEntry> {
    const bySystem = new Map<string, { tenant: string; id: string; measurements: Measurement[] }>();
    const put = (tenant: string, id: string, measurement: Measurement) => {
      const system = systemKey({ tenant, id });
      const known = bySystem.get(system) ?? { tenant, id, measurements: [] };
      known.measurements.push(measurement);
      bySystem.set(system, known);
    };
    for (const { tenant: owner, ...one } of entry.measurements) {
      const found = await channelSystems.find(one.channel, one.report, owner ?? entry.tenants?.[one.channel]);
      for (const { id, tenant } of found) put(tenant, id, one);
    }
    for (const { tenant, system, measurement } of entry.ofSystems) put(tenant, system, measurement);
    const batches = [...bySystem].map(([system, { tenant, id, measurements }]) => ({
      tenant,
      id,
      batch: { id: `${entry.id}/${system}`, system, measurements },
    }));
    return { ...entry, measurements: [], ofSystems: [], batches: [...entry.batches, ...batches] };
  }

  /** @returns true if the store accepted the batch, or if the system was deleted */
  async function writeBatch(
    { tenant, id, batch }: SpoolEntry['batches'][number],
    unavailable: Set<string>,
  ): Promise<boolean> {
    if (unavailable.has(batch.system)) return false;
    try {
      const system = await systems.find(tenant, id);
      if (system !== undefined) await storeFor(system).add(batch);
      return true;
    } catch (error) {
      unavailable.add(batch.system);
      log('writing report counts to a system failed', { system: batch.system, error });
      return false;
    }
  }

  /** @returns true if nothing is left of the entry */
  async function writeEntry(id: string, text: string, unavailable: Set<string>): Promise<boolean> {
    const entry = await assignToSystems(await countViewers(readSpoolEntry(text)!));
    const left: SpoolEntry['batches'][number][] = [];
    for (const one of entry.batches) if (!(await writeBatch(one, unavailable))) left.push(one);
    if (left.length === 0) {
      await spool.remove(id);
      return true;
    }
    const rest = JSON.stringify({ ...entry, batches: left });
    if (rest !== text) await spool.put(id, rest);
    return false;
  }

  async function writeAll(): Promise<number> {
    const unavailable = new Set<string>();
    let left = 0;
    let failed = 0;
    for (const { id, writtenAt } of await spool.list()) {
      const text = await spool.read(id);
      if (text === undefined) continue;
      if (now() - writtenAt > MAX_AGE || readSpoolEntry(text) === undefined) {
        log('invalid or outdated report counts discarded', { entry: id });
        await spool.remove(id);
      } else {
        try {
          if (!(await writeEntry(id, text, unavailable))) left += 1;
          failed = 0;
        } catch (error) {
          left += 1;
          failed += 1;
          log('writing report counts failed', { entry: id, error });
          if (failed >= MAX_CONSECUTIVE_FAILURES) break;
        }
      }
    }
    return left;
  }

  return () => {
    running ??= writeAll().finally(() => {
      running = undefined;
    });
    return running;
  };
}
