// SPDX-License-Identifier: Apache-2.0
// Which distributor has a key, as this process knows it. A key is read when it is used first, and again after distributors have
// changed, so that a revoked key is rejected within a second. What is in use is kept during an outage of the store.
import { LRUCache } from 'lru-cache';
import { hashSecret } from '../../access/rules/apiKey.ts';
import { admits, type Distributor, isDistributorKey } from './distributor.ts';
import type { DistributorStore } from './ports.ts';

type Known = { readonly distributor: Distributor | undefined; readonly generation: number };

const MAX_KNOWN = 20_000;

type Deps = {
  readonly store: Pick<DistributorStore, 'byHash' | 'noteUses'>;
  readonly now: () => number;
};

export function createDistributorKeys({ store, now }: Deps) {
  const known = new LRUCache<string, Known>({ maxSize: MAX_KNOWN, sizeCalculation: () => 1 });
  let uses = new Map<string, number>();
  let generation = 0;
  let requested = new Set<string>();
  let next: Promise<void> | undefined;
  let last: Promise<unknown> = Promise.resolve();

  async function readRequested(): Promise<void> {
    await last;
    const hashes = [...requested];
    requested = new Set();
    next = undefined;
    const since = generation;
    const reading = store.byHash(hashes);
    last = reading.catch(() => undefined);
    const found = await reading;
    for (const hash of hashes) known.set(hash, { distributor: found.get(hash), generation: since });
  }

  /** One read at a time, for all that wait: unknown keys cannot keep the store busy. */
  function read(hash: string): Promise<void> {
    requested.add(hash);
    next ??= readRequested();
    return next;
  }

  return {
    /** The distributor of a channel id that may use this key now. Remembers that it was used. */
    async find(channelId: string, key: string): Promise<Distributor | undefined> {
      if (!isDistributorKey(key)) return undefined;
      const hash = hashSecret(key);
      let found = known.get(hash);
      if (found?.generation !== generation) {
        const before = found;
        await read(hash).catch((error: unknown) => {
          if (before?.distributor === undefined) throw error;
        });
        found = known.get(hash);
      }
      const distributor = found?.distributor;
      if (distributor?.channelId !== channelId || !admits(distributor, hash, now())) return undefined;
      uses.set(hash, now());
      return distributor;
    },
    /** Distributors have changed. */
    changed(): void {
      generation += 1;
    },
    /** Stores when keys were used. */
    async flush(): Promise<void> {
      const noted = uses;
      uses = new Map();
      if (noted.size > 0) await store.noteUses(noted);
    },
  };
}
