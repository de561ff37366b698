// SPDX-License-Identifier: Apache-2.0
// The ad sources that channels use, as this process knows them. One is read when it is used first, and again after it has changed,
// apart from decisions: those read nothing while a source is known, also during an outage of the store.
import { LRUCache } from 'lru-cache';
import { channelKey, channelOfKey } from '../../../channels/channelKey.ts';
import type { FindAdSources } from '../../../channels/ports.ts';
import { type Timers, within } from '../../../time/clock.ts';
import type { AdSourceStore, SourceRef, StampedSource } from './ports.ts';

/** Characters of JSON of all sources. */
const MAX_KNOWN = 100_000_000;
/** How long a decision waits for the store. The ads of other sources must not wait for longer. */
const MAX_WAIT_MS = 500;

type Deps = {
  readonly store: Pick<AdSourceStore, 'stamps' | 'read'>;
  readonly timers: Timers;
  readonly warn: (message: string, facts: Record<string, unknown>) => void;
};

export function createSourceCache({ store, timers, warn }: Deps) {
  const known = new LRUCache<string, StampedSource>({
    maxSize: MAX_KNOWN,
    sizeCalculation: ({ source }) => JSON.stringify(source)?.length ?? 1,
  });
  let wanted = new Map<string, SourceRef>();
  let next: Promise<void> | undefined;
  let last: Promise<unknown> = Promise.resolve();

  /** One after the other, so that an older result never replaces a newer one. */
  function inTurn(work: () => Promise<void>): Promise<void> {
    const turn = last.then(work);
    last = turn.catch(() => undefined);
    return turn;
  }

  async function read(refs: readonly SourceRef[]): Promise<void> {
    if (refs.length === 0) return;
    for (const [key, source] of await store.read(refs)) known.set(key, source);
  }

  /** One read for all that wait. */
  function readWanted(refs: readonly SourceRef[]): Promise<void> {
    for (const ref of refs) wanted.set(channelKey(ref), ref);
    next ??= inTurn(() => {
      const all = [...wanted.values()];
      wanted = new Map();
      next = undefined;
      return read(all);
    });
    return next;
  }

  const find: FindAdSources = async (tenant, ids) => {
    const missing = ids.map((id) => ({ tenant, id })).filter((ref) => !known.has(channelKey(ref)));
    if (missing.length > 0)
      await within(timers, MAX_WAIT_MS, readWanted(missing)).catch((error: unknown) =>
        warn('failed to read ad sources', { tenant, error }),
      );
    return new Map(
      ids.flatMap((id) => {
        const source = known.get(channelKey({ tenant, id }))?.source;
        return source === undefined ? [] : [[id, source] as const];
      }),
    );
  };

  return {
    /** An ad source is absent also while it is unknown and the store is unavailable. */
    find,
    /** Reads again what has changed. @param keys `tenant/id`; undefined: anything may have changed */
    changed: (keys?: ReadonlySet<string>): Promise<void> =>
      inTurn(async () => {
        if (keys !== undefined) return read([...keys].filter((key) => known.has(key)).map(channelOfKey));
        const refs = [...known.keys()].map(channelOfKey);
        const stamps = await store.stamps([...new Set(refs.map(({ tenant }) => tenant))]);
        return read(refs.filter((ref) => known.peek(channelKey(ref))?.stamp !== stamps.get(channelKey(ref))));
      }),
  };
}
