// SPDX-License-Identifier: Apache-2.0
// The bytes of manifests that were requested again: they never change, and some clients read them repeatedly. Memory is limited,
// and nothing is displaced before its time: replacing large buffers all the time costs more than writing the manifests.
import { LRUCache } from 'lru-cache';

export type ManifestMemory = {
  get(key: string): Uint8Array | undefined;
  /** Keeps the manifest from its second request on, if there is room. */
  offer(key: string, text: string): void;
  size(): number;
};

const TTL_MS = 30_000;
/** Searching for manifests that can be discarded takes as long as writing one. */
const PURGE_INTERVAL_MS = 1000;
const MAX_KEYS = 20_000;

/** @param maxBytes of all manifests together */
export function createManifestMemory(maxBytes: number): ManifestMemory {
  const kept = new LRUCache<string, Uint8Array>({
    maxSize: maxBytes,
    sizeCalculation: ({ length }) => length,
    ttl: TTL_MS,
  });
  let purgedAt = Number.NEGATIVE_INFINITY;
  const requested = new LRUCache<string, true>({ max: MAX_KEYS, ttl: TTL_MS });
  return {
    get: (key) => kept.get(key),
    size: () => kept.size,
    offer(key, text) {
      if (!requested.has(key)) return void requested.set(key, true);
      if (kept.calculatedSize + text.length > maxBytes && performance.now() - purgedAt > PURGE_INTERVAL_MS) {
        kept.purgeStale();
        purgedAt = performance.now();
      }
      if (kept.calculatedSize + text.length <= maxBytes) kept.set(key, Buffer.from(text, 'latin1'));
    },
  };
}
