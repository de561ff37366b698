// SPDX-License-Identifier: Apache-2.0
// Whether the disk of DATA_DIR is nearly full: streams continue, and new creatives wait. Measured with the other dependencies.
import { freeBytes, MIN_FREE_BYTES, mib } from '../adapters/media/mediaSweep.ts';

export type LowDisk = {
  measure(): Promise<void>;
  /** In a sentence; undefined if there is space. */
  reason(): string | undefined;
};

/** @param measured the free bytes of a folder */
export function createLowDisk(folder: string, measured: (folder: string) => Promise<number> = freeBytes): LowDisk {
  let free = Number.POSITIVE_INFINITY;
  return {
    async measure() {
      free = await measured(folder);
    },
    reason: () =>
      free < MIN_FREE_BYTES
        ? `The disk of DATA_DIR has ${mib(free)} MiB left; below ${mib(MIN_FREE_BYTES)} MiB, new creatives wait.`
        : undefined,
  };
}
