// SPDX-License-Identifier: Apache-2.0
// Binary search.

/** How many of `size` items, from the first on, satisfy a condition that no item after the first other one satisfies. */
export function countWhile(size: number, holds: (index: number) => boolean): number {
  let low = 0;
  let high = size;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** @returns what finds the last index whose value is at most a limit, −1 if there is none; values need not be in order */
export function createLastUpTo(values: readonly number[]): (limit: number) => number {
  // Each value becomes the least of those that follow. They ascend then, and the last index up to a limit is the same.
  let lowest = Number.POSITIVE_INFINITY;
  const least = values.map((_, index) => {
    lowest = Math.min(lowest, values[values.length - 1 - index] ?? lowest);
    return lowest;
  });
  least.reverse();
  return (limit) => countWhile(least.length, (index) => (least[index] ?? 0) <= limit) - 1;
}
