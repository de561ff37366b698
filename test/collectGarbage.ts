// SPDX-License-Identifier: Apache-2.0
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');

/** Collects all garbage of this thread, as the engine does before it runs out of memory. */
export const collectGarbage = runInNewContext('gc') as () => void;

/** @returns the bytes of the heap that are in use, without garbage */
export function bytesInUse(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}
