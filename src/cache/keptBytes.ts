// SPDX-License-Identifier: Apache-2.0
import { LRUCache } from 'lru-cache';
import { bytesOf } from './sharedText.ts';

/** Searching for texts that can be discarded takes as long as writing some, so it is done once for so many that found no room. */
const REFUSED_BEFORE_PURGE = 100;

/**
 * Bytes of long texts that are sent repeatedly. Nothing is displaced before its time: replacing large buffers all the time costs more
 * than writing the texts again.
 * @param ttl milliseconds after its last use for which a text is kept
 */
export function createKeptBytes<Key extends {}>(maxBytes: number, ttl: number) {
  const kept = new LRUCache<Key, Uint8Array>({
    // The last text may be larger than the room for it.
    maxSize: 2 * maxBytes,
    sizeCalculation: ({ length }) => length,
    ttl,
    updateAgeOnGet: true,
  });
  let refused = 0;
  return {
    get: (key: Key): Uint8Array | undefined => kept.get(key),
    /** @param write returns ASCII. @returns undefined if there is no room */
    keep(key: Key, write: () => string): Uint8Array | undefined {
      if (kept.calculatedSize >= maxBytes) {
        refused += 1;
        if (refused % REFUSED_BEFORE_PURGE === 0) kept.purgeStale();
        return undefined;
      }
      const bytes = bytesOf(write());
      kept.set(key, bytes);
      return bytes;
    },
    forget: (key: Key): void => void kept.delete(key),
    size: (): number => kept.size,
  };
}
