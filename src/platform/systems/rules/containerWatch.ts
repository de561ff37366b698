// SPDX-License-Identifier: Apache-2.0
// Checks containers periodically: players are not redirected to an unavailable one, blobs that an operator deleted are
// uploaded again, and creatives that are no longer in the media store are deleted.
import { type Millis, millis } from '../../../time/units.ts';
import { countObjects, editionOf, mediaOf, PREFIX } from './cloudObjects.ts';
import type { CloudDeps, CloudSystem, CloudSystems } from './cloudSystems.ts';
import { readCloudTarget } from './cloudTarget.ts';
import type { PublicationRow, PublicationStore } from './ports.ts';
import type { System, SystemState } from './system.ts';

type WatchDeps = CloudDeps & {
  readonly log: (message: string, facts: Record<string, unknown>) => void;
  /** Receives the number and total size of Midroll's blobs in a container. */
  readonly counted: (location: string, objects: number, bytes: number) => void;
};

/** Milliseconds without use after which a creative is deleted that is no longer in the media store. */
const UNUSED_MS = 26 * 3_600_000;
/** Milliseconds from that decision to the deletion, in which players finish playing it. */
const GRACE_MS = 600_000;

export function createContainerWatch({ systems, store, mediaStore, now, log, counted }: WatchDeps) {
  const logged = new Map<string, string>();

  /** @returns why players cannot be redirected to it, or undefined if they can */
  async function check({ container }: CloudSystem): Promise<string | undefined> {
    const first = await container.probe();
    if (first.ok) return undefined;
    const prepared = await container.prepare();
    if (!prepared.ok) return prepared.reason;
    const second = await container.probe();
    return second.ok ? undefined : second.reason;
  }

  async function probe(each: CloudSystem): Promise<void> {
    const { location } = each.target;
    const reason = await check(each);
    await store.noteState({ location, ...(reason === undefined ? {} : { reason }), checkedAt: now() });
    if (logged.get(location) === (reason ?? '')) return;
    logged.set(location, reason ?? '');
    const facts = { systemId: each.system?.id, container: each.target.container };
    if (reason === undefined) log('players are redirected to a container', facts);
    else log('players cannot be redirected to a container; Midroll serves its creatives', { ...facts, reason });
  }

  const isDropped = async ({ edition, usedAt }: PublicationRow): Promise<boolean> => {
    if (now() - usedAt < UNUSED_MS) return false;
    if (!(await mediaStore.load([mediaOf(edition)]))) return false;
    const packaged = mediaStore.find(mediaOf(edition));
    return packaged === undefined || editionOf(packaged) !== edition;
  };

  async function count({ container, target }: CloudSystem): Promise<void> {
    const rows = await store.all(target.location);
    const listed = await container.list(PREFIX);
    if (!listed.ok) return;
    const size = listed.value.reduce((sum, { bytes }) => sum + bytes, 0);
    counted(target.location, listed.value.length, size);
    const objectsOf = countObjects(listed.value.map(({ name }) => name));
    for (const row of rows) {
      if (row.state === 'going') continue;
      if (await isDropped(row)) {
        await store.settle(row, { state: 'going', dueAt: millis(now() + GRACE_MS), changedAt: now() });
      } else if (row.state === 'published' && objectsOf(row.edition, row.frames) < row.objects) {
        log('blobs of a creative are missing in its container; it is published again', { edition: row.edition });
        await store.settle(row, { state: 'wanted', dueAt: now(), changedAt: now() });
      }
    }
  }

  /** Does the work once for each container: systems may share one. */
  const each = async (work: (system: CloudSystem) => Promise<void>): Promise<void> => {
    const byLocation = new Map(systems.all().map((system) => [system.target.location, system]));
    await Promise.all([...byLocation.values()].map(work));
  };

  return {
    /** Checks whether players can be redirected to each container. To be called every few seconds. */
    probe: () => each(probe),
    /** Compares each container with the list of publications. To be called every few minutes. */
    count: () => each(count),
  };
}

/** The data of one system at an instant. */
export type StoredData = {
  readonly system: string;
  readonly tenant: string;
  readonly objects: number;
  readonly bytes: number;
  readonly at: Millis;
};

/**
 * The amount of data in containers: counted from a listing periodically, and updated by uploads and deletions in between.
 * @param onChange receives the data of every system that uses a container whose amount has changed
 */
export function createStorageCount(systems: CloudSystems, onChange: (data: StoredData) => void, now: () => Millis) {
  const totals = new Map<string, { objects: number; bytes: number }>();
  const update = (location: string, total: { objects: number; bytes: number }): void => {
    totals.set(location, total);
    for (const { system, target } of systems.all()) {
      if (system !== undefined && target.location === location)
        onChange({ system: system.id, tenant: system.tenant, ...total, at: now() });
    }
  };
  return {
    isCounted: (location: string) => totals.has(location),
    set: (location: string, objects: number, bytes: number) => update(location, { objects, bytes }),
    /** Does nothing before the container has been counted. */
    add(location: string, objects: number, bytes: number) {
      const total = totals.get(location);
      if (total !== undefined) update(location, { objects: total.objects + objects, bytes: total.bytes + bytes });
    },
  };
}

/** Milliseconds after which a state that was not updated is out of date. */
const STALE_MS = 60_000;

/** @returns describes the state of a cloud system for its operator; undefined for systems of other types */
export const createCloudState =
  (store: Pick<PublicationStore, 'states' | 'tally'>, now: () => Millis) =>
  async ({ type, settings }: System): Promise<SystemState | undefined> => {
    if (type !== 'cloud-media-services') return undefined;
    const reading = readCloudTarget(settings);
    if (!reading.ok)
      return { state: 'failing', stateReason: `Midroll serves the creatives itself: ${reading.problem}` };
    const { location } = reading.target;
    const known = (await store.states()).find((state) => state.location === location);
    if (known === undefined || now() - known.checkedAt > STALE_MS) {
      return { state: 'unused', stateReason: 'No enabled channel uses this system, so nothing is published to it.' };
    }
    const { waiting, published } = await store.tally(location);
    const counts = `${published} published, ${waiting} waiting`;
    if (known.reason === undefined) return { state: 'working', stateReason: `Creatives: ${counts}.` };
    return {
      state: 'failing',
      stateReason: `Midroll serves the creatives itself (${counts}): the storage account ${known.reason}.`,
    };
  };
