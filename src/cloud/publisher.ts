// Brings creatives into containers and takes them out again: what is due, a few at a time, each by one process. A
// creative is published when all of it lies there; what fails is tried again, ever later, and is served from here.
import type { Timers } from '../time/clock.ts';
import type { Millis } from '../time/units.ts';
import { millis } from '../time/units.ts';
import { cloudObjects, editionOf, mediaOf, PREFIX } from './cloudObjects.ts';
import type { CloudSystem, CloudSystems } from './cloudSystems.ts';
import type { Blob, CloudAnswer, PublicationRow, PublicationStore, ServedMedia } from './ports.ts';

export type PublisherDeps = {
  readonly systems: CloudSystems;
  readonly store: PublicationStore;
  readonly mediaStore: ServedMedia;
  readonly now: () => Millis;
  readonly timers: Timers;
  readonly log: (message: string, facts: Record<string, unknown>) => void;
  /** So many objects and bytes came into a container, or (negative) left it. */
  readonly stored: (location: string, objects: number, bytes: number) => void;
};

/** Creatives at once, and blobs of each. */
const AT_ONCE = 2;
const BLOBS_AT_ONCE = 4;
/** A claim that its owner does not renew is anybody's. */
const CLAIM = 60_000;
const RENEW = 20_000;
const LATEST_TRY = 300_000;
/** Milliseconds until a creative is looked for again that this machine does not have. */
const ELSEWHERE = 10_000;

const retryAfter = (tries: number): number => Math.min(LATEST_TRY, 2000 * 2 ** Math.min(tries, 10));

/** Works on all items, so many at a time, until one of them fails. */
async function inTurns<Item>(
  items: readonly Item[],
  atOnce: number,
  work: (item: Item) => Promise<CloudAnswer<void>>,
): Promise<CloudAnswer<void>> {
  let next = 0;
  let failed: CloudAnswer<void> | undefined;
  const walk = async () => {
    while (failed === undefined && next < items.length) {
      const answer = await work(items[next++]!);
      if (!answer.ok) failed = answer;
    }
  };
  await Promise.all(Array.from({ length: atOnce }, walk));
  return failed ?? { ok: true, value: undefined };
}

/** @returns what brings everything that is due one step further; resolves when nothing of it is under way */
export function createPublisher(deps: PublisherDeps): () => Promise<void> {
  const { systems, store, mediaStore, now, timers, log } = deps;

  async function holding<Value>(row: PublicationRow, work: () => Promise<Value>): Promise<Value> {
    const renewal = timers.every(RENEW, () => {
      store.settle(row, { dueAt: millis(now() + CLAIM) }).catch(() => undefined);
    });
    return work().finally(() => renewal.cancel());
  }

  async function upload({ container, target }: CloudSystem, row: PublicationRow): Promise<CloudAnswer<Blob[]>> {
    const mediaId = mediaOf(row.edition);
    const packaged = mediaStore.find(mediaId)!;
    const there = await container.list(`${PREFIX}${row.edition}/`);
    if (!there.ok) return there;
    const sizes = new Map(there.value.map(({ name, bytes }) => [name, bytes]));
    const blobs: Blob[] = [];
    const done = await inTurns(cloudObjects(packaged, row.frames), BLOBS_AT_ONCE, async ({ name, rungId, file }) => {
      const segment = await mediaStore.openSegment(mediaId, String(row.frames), rungId, file);
      if (segment === undefined) throw new Error(`media ${mediaId} have no ${rungId}/${file} at ${row.frames} frames`);
      const bytes = segment.bytes.length;
      blobs.push({ name, bytes });
      if (sizes.get(name) === bytes) return { ok: true, value: undefined };
      const answer = await container.put(name, segment.bytes, segment.contentType);
      if (answer.ok && !sizes.has(name)) deps.stored(target.location, 1, bytes);
      return answer;
    });
    if (!done.ok) return done;
    // Somebody may have taken out what was there: what is published is there now.
    const now = await container.list(`${PREFIX}${row.edition}/`);
    if (!now.ok) return now;
    const present = new Set(now.value.map(({ name }) => name));
    const isWhole = blobs.every(({ name }) => present.has(name));
    return isWhole ? { ok: true, value: blobs } : { ok: false, reason: 'lost blobs while they were brought to it' };
  }

  async function publish(system: CloudSystem, row: PublicationRow): Promise<void> {
    const packaged = mediaStore.find(mediaOf(row.edition));
    const at = now();
    if (packaged === undefined || editionOf(packaged) !== row.edition) {
      await store.settle(row, { dueAt: millis(at + ELSEWHERE), tries: row.tries });
      return;
    }
    const answer = await holding(row, () => upload(system, row));
    if (answer.ok) {
      const bytes = answer.value.reduce((sum, blob) => sum + blob.bytes, 0);
      const change = { state: 'published', objects: answer.value.length, bytes, tries: 0 } as const;
      await store.settle(row, { ...change, dueAt: now(), changedAt: now() });
      log('a creative was published', { systemId: system.system.id, edition: row.edition, bytes, ms: now() - at });
      return;
    }
    await store.settle(row, { dueAt: millis(now() + retryAfter(row.tries)) });
    log('a creative could not be published', {
      systemId: system.system.id,
      edition: row.edition,
      reason: answer.reason,
    });
  }

  /** Blobs that another length of the creative needs stay. */
  async function remove({ container, target }: CloudSystem, row: PublicationRow): Promise<void> {
    const others = (await store.all(target.location)).filter(
      ({ edition, frames }) => edition === row.edition && frames !== row.frames,
    );
    const folder = `${PREFIX}${row.edition}/${others.length === 0 ? '' : `${row.frames}/`}`;
    const listed = await container.list(folder);
    const answer = listed.ok
      ? await inTurns(listed.value, BLOBS_AT_ONCE, async ({ name, bytes }) => {
          const removed = await container.remove(name);
          if (removed.ok) deps.stored(target.location, -1, -bytes);
          return removed;
        })
      : listed;
    if (answer.ok) await store.forget(row);
    else await store.settle(row, { dueAt: millis(now() + retryAfter(row.tries)) });
  }

  async function workOn(row: PublicationRow): Promise<void> {
    const system = systems.all().find(({ target }) => target.location === row.location);
    if (system === undefined || !(await store.claim(row, millis(now() + CLAIM)))) return;
    try {
      await (row.state === 'going' ? remove(system, row) : publish(system, row));
    } catch (error) {
      // A disk that fails, a store that is away: the claim runs out, and somebody tries again.
      log('a creative could not be worked on', { systemId: system.system.id, edition: row.edition, error });
    }
  }

  return async () => {
    const locations = systems.all().map(({ target }) => target.location);
    // Lengths of one creative share blobs: they are brought one after the other, and nothing twice.
    const byEdition = new Map<string, PublicationRow[]>();
    for (const row of await store.due(locations, now(), 50)) {
      const key = `${row.location} ${row.edition}`;
      byEdition.set(key, [...(byEdition.get(key) ?? []), row]);
    }
    const groups = [...byEdition.values()];
    let next = 0;
    const walk = async () => {
      while (next < groups.length) {
        for (const row of groups[next++]!) await workOn(row);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, walk));
  };
}
