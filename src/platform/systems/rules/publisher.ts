// SPDX-License-Identifier: Apache-2.0
// Uploads creatives to containers and deletes them: those that are due, a few at a time, each by one process. A creative is
// published when all of its blobs are uploaded. Failures are retried with increasing delays; until then Midroll serves it.

import type { Blob, CloudResult } from '../../../blobs/ports.ts';
import type { PackagedMedia } from '../../../ingest/package/packagedMedia.ts';
import { groupBy } from '../../../invariant.ts';
import type { Timers } from '../../../time/clock.ts';
import { millis } from '../../../time/units.ts';
import { cloudObjects, editionOf, mediaOf, PREFIX } from './cloudObjects.ts';
import type { CloudDeps, CloudSystem } from './cloudSystems.ts';
import type { PublicationRow } from './ports.ts';

type PublisherDeps = CloudDeps & {
  readonly timers: Timers;
  readonly log: (message: string, facts: Record<string, unknown>) => void;
  /** Receives the objects and bytes that were added to a container, or deleted from it (negative numbers). */
  readonly stored: (location: string, objects: number, bytes: number) => void;
};

/** Creatives in parallel, and blobs of each. */
const CONCURRENT_CREATIVES = 2;
const CONCURRENT_BLOBS = 4;
/** Milliseconds after which a claim expires, and after which its owner renews it. */
const CLAIM_MS = 60_000;
const RENEW_MS = 20_000;
const MAX_RETRY_MS = 300_000;
/** Milliseconds until the next attempt for a creative that this machine does not have. */
const ELSEWHERE_MS = 10_000;

const retryAfter = (tries: number): number => Math.min(MAX_RETRY_MS, 2000 * 2 ** Math.min(tries, 10));

type Uploaded = Pick<Blob, 'name' | 'bytes'>;

const DONE = { ok: true, value: undefined } as const;

/** Processes the items with limited concurrency, until one fails. */
async function forEachLimited<Item>(
  items: readonly Item[],
  concurrency: number,
  work: (item: Item) => Promise<CloudResult<void>>,
): Promise<CloudResult<void>> {
  const left = items.values();
  let failed: CloudResult<void> | undefined;
  const worker = async () => {
    for (const item of left) {
      const result = await work(item);
      if (!result.ok) failed = result;
      if (failed !== undefined) return;
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  return failed ?? DONE;
}

/** @returns a function that processes every publication that is due, and resolves when all of them are processed */
export function createPublisher(deps: PublisherDeps): () => Promise<void> {
  const { systems, store, mediaStore, now, timers, log } = deps;

  async function holding<Value>(row: PublicationRow, work: () => Promise<Value>): Promise<Value> {
    const renewal = timers.every(RENEW_MS, () => {
      store.settle(row, { dueAt: millis(now() + CLAIM_MS) }).catch(() => undefined);
    });
    return work().finally(() => renewal.cancel());
  }

  async function upload(
    { container, target }: CloudSystem,
    row: PublicationRow,
    packaged: PackagedMedia,
  ): Promise<CloudResult<Uploaded[]>> {
    const mediaId = mediaOf(row.edition);
    const before = await container.list(`${PREFIX}${row.edition}/`);
    if (!before.ok) return before;
    const sizes = new Map(before.value.map(({ name, bytes }) => [name, bytes]));
    const blobs: Uploaded[] = [];
    const objects = cloudObjects(packaged, row.frames);
    const uploaded = await forEachLimited(objects, CONCURRENT_BLOBS, async ({ name, rungId, file }) => {
      const segment = await mediaStore.openSegment(mediaId, String(row.frames), rungId, file);
      if (segment === undefined)
        throw new Error(`media ${mediaId} must have ${rungId}/${file} at ${row.frames} frames`);
      const bytes = segment.bytes.length;
      blobs.push({ name, bytes });
      if (sizes.get(name) === bytes) return DONE;
      const result = await container.put(name, segment.bytes, segment.contentType);
      if (result.ok && !sizes.has(name)) deps.stored(target.location, 1, bytes);
      return result;
    });
    if (!uploaded.ok) return uploaded;
    // Blobs that existed before may have been deleted in the meantime.
    const after = await container.list(`${PREFIX}${row.edition}/`);
    if (!after.ok) return after;
    const present = new Set(after.value.map(({ name }) => name));
    const isComplete = blobs.every(({ name }) => present.has(name));
    return isComplete ? { ok: true, value: blobs } : { ok: false, reason: 'lost blobs during the upload' };
  }

  async function publish(system: CloudSystem, row: PublicationRow): Promise<void> {
    await mediaStore.load([mediaOf(row.edition)]);
    const packaged = mediaStore.find(mediaOf(row.edition));
    const at = now();
    if (packaged === undefined || editionOf(packaged) !== row.edition) {
      await store.settle(row, { dueAt: millis(at + ELSEWHERE_MS), tries: row.tries });
      return;
    }
    const result = await holding(row, () => upload(system, row, packaged));
    if (result.ok) {
      const bytes = result.value.reduce((sum, blob) => sum + blob.bytes, 0);
      const change = { state: 'published', objects: result.value.length, bytes, tries: 0 } as const;
      await store.settle(row, { ...change, dueAt: now(), changedAt: now() });
      log('a creative was published', { systemId: system.system?.id, edition: row.edition, bytes, ms: now() - at });
      return;
    }
    await store.settle(row, { dueAt: millis(now() + retryAfter(row.tries)) });
    const { reason } = result;
    log('a creative could not be published', { systemId: system.system?.id, edition: row.edition, reason });
  }

  /** Keeps the blobs that other lengths of the creative need. */
  async function remove({ container, target }: CloudSystem, row: PublicationRow): Promise<void> {
    const others = (await store.all(target.location)).filter(
      ({ edition, frames }) => edition === row.edition && frames !== row.frames,
    );
    const folder = `${PREFIX}${row.edition}/${others.length === 0 ? '' : `${row.frames}/`}`;
    const listed = await container.list(folder);
    const result = listed.ok
      ? await forEachLimited(listed.value, CONCURRENT_BLOBS, async ({ name, bytes }) => {
          const removed = await container.remove(name);
          if (removed.ok) deps.stored(target.location, -1, -bytes);
          return removed;
        })
      : listed;
    if (result.ok) await store.forget(row);
    else await store.settle(row, { dueAt: millis(now() + retryAfter(row.tries)) });
  }

  async function workOn(row: PublicationRow): Promise<void> {
    const system = systems.all().find(({ target }) => target.location === row.location);
    if (system === undefined || !(await store.claim(row, millis(now() + CLAIM_MS)))) return;
    try {
      await (row.state === 'going' ? remove(system, row) : publish(system, row));
    } catch (error) {
      // The claim expires, and a process tries again.
      log('a publication failed with an error', { systemId: system.system?.id, edition: row.edition, error });
    }
  }

  return async () => {
    const locations = systems.all().map(({ target }) => target.location);
    // Lengths of one creative share blobs. They are uploaded one after the other, so that no blob is uploaded twice.
    const due = await store.due(locations, now(), 50);
    const byEdition = groupBy(due, ({ location, edition }) => `${location} ${edition}`);
    await forEachLimited([...byEdition.values()], CONCURRENT_CREATIVES, async (rows) => {
      for (const row of rows) await workOn(row);
      return DONE;
    });
  };
}
