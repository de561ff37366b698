// SPDX-License-Identifier: Apache-2.0
// Counts are written to a spool first, so a restart or an unavailable store loses nothing, and from there to the report stores.
// Stores remember the ids of batches, so nothing counts twice, even if several processes write the same entry.
import { randomUUID } from 'node:crypto';
import { channelKey } from '../../../../channels/channelKey.ts';
import { shareRunning } from '../../../../time/shareRunning.ts';
import type { Millis } from '../../../../time/units.ts';
import type { SystemStore } from '../../../systems/rules/ports.ts';
import { type System, systemKey } from '../../../systems/rules/system.ts';
import { type Counted, type Counter, createCounter } from '../count/counter.ts';
import { measure } from '../count/measure.ts';
import type { ReportEvent } from '../event.ts';
import type { Batch, Measurement, ReportStore, Spool, ViewingStore } from '../ports.ts';
import type { ChannelSystems } from './channelSystems.ts';

type StoreWriterDeps = {
  readonly spool: Spool;
  readonly viewing: ViewingStore;
  readonly channelSystems: ChannelSystems;
  readonly systems: Pick<SystemStore, 'find'>;
  readonly storeFor: (system: System) => ReportStore;
  readonly now: () => Millis;
  readonly log: (message: string, facts: Record<string, unknown>) => void;
};

type SystemBatch = { readonly tenant: string; readonly id: string; readonly batch: Batch };

/**
 * An entry of the spool. Viewers become measurements, measurements become one batch per system, and a batch is removed once its
 * store has accepted it. `id` is the prefix of the ids of its batches.
 */
type SpoolEntry = Counted & { readonly id: string; readonly batches: readonly SystemBatch[] };

/** @returns undefined if nothing was counted */
export function writeSpoolEntry(id: string, counted: Counted): string | undefined {
  if (counted.measurements.length + counted.viewing.length + counted.ofSystems.length === 0) return undefined;
  return JSON.stringify({ ...counted, id, batches: [] } satisfies SpoolEntry);
}

/** @returns undefined if the text is not a valid entry */
function readSpoolEntry(text: string): SpoolEntry | undefined {
  try {
    const entry = JSON.parse(text) as SpoolEntry;
    const { id, measurements, viewing, ofSystems, batches } = entry;
    const isEntry = typeof id === 'string' && [measurements, viewing, ofSystems, batches].every(Array.isArray);
    return isEntry ? entry : undefined;
  } catch {
    return undefined;
  }
}

/** Milliseconds. Stores forget batch ids after this time, so an older entry could be counted twice. */
const MAX_AGE = 7 * 86_400_000;
/** Concurrent calls are combined into one write by the store. */
const MAX_VIEWING_AT_ONCE = 50;
/** After this many consecutive failures, the cause is not the entries. */
const MAX_CONSECUTIVE_FAILURES = 3;

/** @returns a function that writes the entries of the spool. It returns how many stores have not accepted */
export function createStoreWriter(deps: StoreWriterDeps): () => Promise<number> {
  const { spool, viewing, channelSystems, systems, storeFor, now, log } = deps;

  /** Converts viewers who are not counted yet to measurements. */
  async function countViewers(entry: SpoolEntry): Promise<SpoolEntry> {
    const measurements = [...entry.measurements];
    for (let first = 0; first < entry.viewing.length; first += MAX_VIEWING_AT_ONCE) {
      const some = entry.viewing.slice(first, first + MAX_VIEWING_AT_ONCE);
      const counted = some.map(async ({ tenant, channel, at, viewers }) => {
        const added = await viewing.note(entry.id, channelKey({ tenant, id: channel }), at, viewers);
        const counts = added > 0 ? measure({ type: 'watching', at, channel, tenant, viewers: added }) : [];
        return counts.map((one) => ({ ...one, tenant }));
      });
      measurements.push(...(await Promise.all(counted)).flat());
    }
    return { ...entry, viewing: [], measurements };
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
    for (const { tenant, ...one } of entry.measurements)
      for (const { id } of await channelSystems.find({ tenant, id: one.channel }, one.report)) put(tenant, id, one);
    for (const { tenant, system, measurement } of entry.ofSystems) put(tenant, system, measurement);
    const batches = [...bySystem].map(([system, { tenant, id, measurements }]) => ({
      tenant,
      id,
      batch: { id: `${entry.id}/${system}`, system, measurements },
    }));
    return { ...entry, measurements: [], ofSystems: [], batches: [...entry.batches, ...batches] };
  }

  /** @returns true if the store accepted the batch, or if the system was deleted */
  async function writeBatch({ tenant, id, batch }: SystemBatch, unavailable: Set<string>): Promise<boolean> {
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
  async function writeEntry(id: string, text: string, counted: SpoolEntry, unavailable: Set<string>): Promise<boolean> {
    const entry = await assignToSystems(await countViewers(counted));
    const left: SystemBatch[] = [];
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
      const entry = readSpoolEntry(text);
      if (entry === undefined || now() - writtenAt > MAX_AGE) {
        log('invalid or outdated report counts discarded', { entry: id });
        await spool.remove(id);
        continue;
      }
      try {
        if (!(await writeEntry(id, text, entry, unavailable))) left += 1;
        failed = 0;
      } catch (error) {
        left += 1;
        failed += 1;
        log('writing report counts failed', { entry: id, error });
        if (failed >= MAX_CONSECUTIVE_FAILURES) break;
      }
    }
    return left;
  }

  return shareRunning(writeAll);
}

/** Flushes what this process counted. */
export function createReportFlusher(deps: StoreWriterDeps & { readonly counter: Counter }) {
  const { counter, spool, now, log } = deps;

  async function put(id: string, counted: Counted): Promise<void> {
    const text = writeSpoolEntry(id, counted);
    if (text === undefined) return;
    const lost = await spool.put(id, text);
    if (lost > 0) log('report spool full: oldest entries discarded', { entries: lost });
  }

  return {
    /** Moves the counts to the spool. @param isLast true when the process ends: also the current report interval */
    flush: (isLast = false) => put(randomUUID(), counter.take(now(), isLast)),
    /** Writes events that every process reports alike. They count once for each id. */
    flushShared(id: string, events: readonly ReportEvent[]) {
      const shared = createCounter();
      events.forEach(shared.record);
      return put(id, shared.take(now(), true));
    },
    writeToStores: createStoreWriter(deps),
  };
}
