// SPDX-License-Identifier: Apache-2.0
// The memory of a process that was started with --expose-gc.

/** Bytes of the heap and outside of it, without garbage. */
export function bytesUsed(): number {
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
