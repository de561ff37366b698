// SPDX-License-Identifier: Apache-2.0
// Checks containers periodically: players are not redirected to an unavailable one, blobs that an operator deleted are
// uploaded again, and creatives that are no longer in the media store are deleted.
import { type Millis, millis } from '../../../time/units.ts';
import { countObjects, editionOf, mediaOf, PREFIX } from './cloudObjects.ts';
import type { CloudSystem, CloudSystems } from './cloudSystems.ts';
import type { PublicationRow, PublicationStore, ServedMedia } from './ports.ts';

export type WatchDeps = {
  readonly systems: CloudSystems;
  readonly store: PublicationStore;
  readonly mediaStore: Pick<ServedMedia, 'find' | 'load'>;
  readonly now: () => Millis;
  readonly log: (message: string, facts: Record<string, unknown>) => void;
  /** Receives the number and total size of Midroll's blobs in a container. */
  readonly counted: (location: string, objects: number, bytes: number) => void;
};

/** Milliseconds without use after which a creative is deleted that is no longer in the media store. */
const UNUSED_MS = 26 * 3_600_000;
/** Milliseconds from that decision to the deletion, in which players finish playing it. */
const GRACE_MS = 600_000;

export type ContainerWatch = {
  /** Checks whether players can be redirected to each container. To be called every few seconds. */
  probe(): Promise<void>;
  /** Compares each container with the list of publications. To be called every few minutes. */
  count(): Promise<void>;
};

export function createContainerWatch({ systems, store, mediaStore, now, log, counted }: WatchDeps): ContainerWatch {
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
    counted(
      target.location,
      listed.value.length,
      listed.value.reduce((sum, { bytes }) => sum + bytes, 0),
    );
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

  /** Once for each container: systems may share one. */
  const each = async (work: (system: CloudSystem) => Promise<void>): Promise<void> => {
    const byLocation = new Map(systems.all().map((system) => [system.target.location, system]));
    await Promise.all([...byLocation.values()].map(work));
  };

  return { probe: () => each(probe), count: () => each(count) };
}
