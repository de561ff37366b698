// What containers hold: counted from a list now and then, and kept up to date by what comes and goes in between.
import type { Millis } from '../time/units.ts';
import type { CloudSystems } from './cloudSystems.ts';

export type StorageCount = {
  /** Of one system, as it is now. */
  readonly told: (holds: { system: string; tenant: string; objects: number; bytes: number; at: Millis }) => void;
  readonly knows: (location: string) => boolean;
  readonly set: (location: string, objects: number, bytes: number) => void;
  readonly add: (location: string, objects: number, bytes: number) => void;
};

export function createStorageCount(systems: CloudSystems, told: StorageCount['told'], now: () => Millis): StorageCount {
  const totals = new Map<string, { objects: number; bytes: number }>();
  const tell = (location: string): void => {
    const total = totals.get(location)!;
    for (const { system, target } of systems.all()) {
      if (target.location === location) told({ system: system.id, tenant: system.tenant, ...total, at: now() });
    }
  };
  return {
    told,
    knows: (location) => totals.has(location),
    set(location, objects, bytes) {
      totals.set(location, { objects, bytes });
      tell(location);
    },
    add(location, objects, bytes) {
      const total = totals.get(location);
      if (total === undefined) return;
      totals.set(location, { objects: total.objects + objects, bytes: total.bytes + bytes });
      tell(location);
    },
  };
}
