// SPDX-License-Identifier: Apache-2.0
// Limits the size of the journal. While the store accepts deliveries, writing waits until there is room again, so nothing that was
// acknowledged is lost. During an outage of the store, the oldest entries are removed.
import type { Round } from './ports.ts';

/** @param remove removes the oldest entries, so that so many bytes fit. @returns the bytes that are on disk then */
export function createJournalRoom(maxBytes: number, remove: (bytes: number) => Promise<number>) {
  let onDisk = 0;
  let isStoreUnavailable = false;
  let next: { readonly promise: Promise<void>; readonly resolve: () => void } | undefined;

  function nextRound(): Promise<void> {
    if (next !== undefined) return next.promise;
    let resolve = () => {};
    const promise = new Promise<void>((done) => {
      resolve = done;
    });
    next = { promise, resolve };
    return promise;
  }

  return {
    /** Resolves when so many bytes may be written. */
    async makeRoom(bytes: number): Promise<void> {
      while (onDisk > 0 && onDisk + bytes > maxBytes) {
        if (isStoreUnavailable) {
          onDisk = await remove(bytes);
          break;
        }
        await nextRound();
      }
      onDisk += bytes;
    },
    onRound(round: Round): void {
      isStoreUnavailable = round.outage !== undefined;
      onDisk = round.bytes;
      next?.resolve();
      next = undefined;
    },
    /** Bytes on disk, as far as this process can tell. */
    bytes: () => onDisk,
  };
}
