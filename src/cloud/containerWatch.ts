// How containers do, and what lies in them: looked at again and again, so that nobody is sent to a cloud that is away,
// nothing that an operator removed is believed to be there, and what the media store has dropped leaves the container too.
import { type Millis, millis } from '../time/units.ts';
import { countObjects, editionOf, mediaOf, PREFIX } from './cloudObjects.ts';
import type { CloudSystem, CloudSystems } from './cloudSystems.ts';
import type { PublicationRow, PublicationStore, ServedMedia } from './ports.ts';

export type WatchDeps = {
  readonly systems: CloudSystems;
  readonly store: PublicationStore;
  readonly mediaStore: Pick<ServedMedia, 'find'>;
  readonly now: () => Millis;
  readonly log: (message: string, facts: Record<string, unknown>) => void;
  /** All that Midroll has in a container, as it was counted just now. */
  readonly counted: (location: string, objects: number, bytes: number) => void;
};

/** A creative that nobody has been shown for so long, and that the media store does not have, goes; milliseconds. */
const UNUSED = 26 * 3_600_000;
/** Players that were sent to it have played it by then. */
const GRACE = 600_000;

export type ContainerWatch = {
  /** Whether players can be sent there: every few seconds. */
  probe(): Promise<void>;
  /** What lies there: every few minutes. */
  count(): Promise<void>;
};

export function createContainerWatch({ systems, store, mediaStore, now, log, counted }: WatchDeps): ContainerWatch {
  const told = new Map<string, string>();

  async function look({ container }: CloudSystem): Promise<string | undefined> {
    const first = await container.probe();
    if (first.ok) return undefined;
    const prepared = await container.prepare();
    if (!prepared.ok) return prepared.reason;
    const second = await container.probe();
    return second.ok ? undefined : second.reason;
  }

  async function probe(each: CloudSystem): Promise<void> {
    const { location } = each.target;
    const reason = await look(each);
    await store.noteState({ location, ...(reason === undefined ? {} : { reason }), checkedAt: now() });
    if (told.get(location) === (reason ?? '')) return;
    told.set(location, reason ?? '');
    const facts = { systemId: each.system.id, container: each.target.container };
    if (reason === undefined) log('a container can be served from', facts);
    else log('a container cannot be served from; its creatives are served from here', { ...facts, reason });
  }

  const isDropped = ({ edition, usedAt }: PublicationRow): boolean => {
    if (now() - usedAt < UNUSED) return false;
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
      if (isDropped(row)) {
        await store.settle(row, { state: 'going', dueAt: millis(now() + GRACE), changedAt: now() });
      } else if (row.state === 'published' && objectsOf(row.edition, row.frames) < row.objects) {
        log('a creative is gone from its container and is published again', { edition: row.edition });
        await store.settle(row, { state: 'wanted', dueAt: now(), changedAt: now() });
      }
    }
  }

  /** Systems may share a container. */
  const each = async (work: (system: CloudSystem) => Promise<void>): Promise<void> => {
    const byLocation = new Map(systems.all().map((system) => [system.target.location, system]));
    await Promise.all([...byLocation.values()].map(work));
  };

  return { probe: () => each(probe), count: () => each(count) };
}
