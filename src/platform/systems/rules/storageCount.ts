// SPDX-License-Identifier: Apache-2.0
// The amount of data in containers: counted from a listing periodically, and updated by uploads and deletions in between.
import type { Millis } from '../../../time/units.ts';
import type { CloudSystems } from './cloudSystems.ts';

/** The data of one system at an instant. */
export type StoredData = {
  readonly system: string;
  readonly tenant: string;
  readonly objects: number;
  readonly bytes: number;
  readonly at: Millis;
};

export type StorageCount = {
  /** Whether a container has been counted. */
  isCounted(location: string): boolean;
  set(location: string, objects: number, bytes: number): void;
  /** Does nothing before the container has been counted. */
  add(location: string, objects: number, bytes: number): void;
};

/** @param onChange receives the data of every system that uses a container whose amount has changed */
export function createStorageCount(
  systems: CloudSystems,
  onChange: (data: StoredData) => void,
  now: () => Millis,
): StorageCount {
  const totals = new Map<string, { objects: number; bytes: number }>();
  const update = (location: string, total: { objects: number; bytes: number }): void => {
    totals.set(location, total);
    for (const { system, target } of systems.all()) {
      if (system !== undefined && target.location === location)
        onChange({ system: system.id, tenant: system.tenant, ...total, at: now() });
    }
  };
  return {
    isCounted: (location) => totals.has(location),
    set: (location, objects, bytes) => update(location, { objects, bytes }),
    add(location, objects, bytes) {
      const total = totals.get(location);
      if (total !== undefined) update(location, { objects: total.objects + objects, bytes: total.bytes + bytes });
    },
  };
}
